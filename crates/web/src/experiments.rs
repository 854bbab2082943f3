//! Experiments: what there is, how far each is, what came out so far.
//!
//! Results are read from the stores of one folder, `NAME.sqlite` beside `NAME.toml` for own
//! experiments, which another process plays. What was read is used again for a moment, so that many
//! visitors who follow one experiment cost no more than one.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gamegrove_lab::report::{Provenance, Report, date};
use gamegrove_lab::{Boards, Plan, Spec, Status, Store, named_agent, now, shipped};
use gamegrove_play::without_style;
use gamegrove_view::SvgStyle;
use serde::Serialize;

use crate::refusal::{Answer, Refusal};
use crate::rooms::short;

/// How long what was read stays good.
const FRESH: Duration = Duration::from_millis(1500);
/// The most experiments of one's own that are listed.
const MOST_FILES: usize = 200;

/// The experiments of one folder, and the shipped ones.
#[derive(Debug)]
pub struct Experiments {
    folder: PathBuf,
    plans: Mutex<HashMap<(String, String), Arc<Plan>>>,
    pages: Mutex<HashMap<String, (Instant, Arc<str>)>>,
    listed: Mutex<Option<(Instant, Vec<Listed>)>>,
}

/// An experiment in the list.
#[derive(Clone, Debug, Serialize)]
pub struct Listed {
    name: String,
    title: String,
    sentence: String,
    source: String,
    games: usize,
    columns: usize,
    /// Whether there are results.
    begun: bool,
    /// The profile that was played last.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<String>,
    /// Games finished, and in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    progress: Option<(u64, u64)>,
}

/// How far an experiment is.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    total: u64,
    done: u64,
    playing: u64,
    seconds_left: Option<f64>,
    work_seconds: Option<f64>,
}

/// An experiment's page.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentView {
    name: String,
    profile: String,
    profiles: Vec<String>,
    begun: bool,
    /// The command that plays it.
    command: String,
    progress: Progress,
    report: Report,
    /// The charts of the columns that have results.
    charts: Vec<Chart>,
    verdicts: Vec<(String, usize)>,
}

/// A chart of a column.
#[derive(Clone, Debug, Serialize)]
struct Chart {
    title: String,
    svg: String,
}

impl Experiments {
    /// The experiments whose results are in `folder`.
    pub fn new(folder: &Path) -> Experiments {
        let (plans, pages, listed) = (Mutex::default(), Mutex::default(), Mutex::default());
        Experiments { folder: folder.to_owned(), plans, pages, listed }
    }

    /// All experiments. Call it on a worker thread.
    pub fn list(&self) -> Vec<Listed> {
        // Requests that come meanwhile wait for the same answer.
        let mut known = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((when, listed)) = known.as_ref()
            && when.elapsed() < FRESH
        {
            return listed.clone();
        }
        let mut listed: Vec<Listed> =
            self.names().iter().filter_map(|name| self.entry(name).ok()).collect();
        // Those with results first.
        listed.sort_by_key(|entry| !entry.begun);
        *known = Some((Instant::now(), listed.clone()));
        listed
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = shipped().iter().map(|one| one.name.to_owned()).collect();
        let files = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for path in files.map(|file| file.path()).take(MOST_FILES * 10) {
            let is_toml = path.extension().is_some_and(|end| end == "toml");
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            if let Some(stem) = stem.filter(|stem| is_toml && is_name(stem))
                && !names.iter().any(|known| known == stem)
            {
                names.push(stem.to_owned());
            }
        }
        names.truncate(MOST_FILES);
        names
    }

    fn entry(&self, name: &str) -> Answer<Listed> {
        let spec = self.spec(name)?;
        let mut entry = Listed {
            name: name.to_owned(),
            title: spec.title.clone(),
            sentence: spec.sentence.clone(),
            source: source(&spec),
            games: spec.games.len(),
            columns: spec.column_labels().len(),
            begun: false,
            profile: None,
            progress: None,
        };
        if let Some(store) = self.store(name)? {
            let profile = last_profile(&store);
            let plan = self.plan(name, profile.as_deref())?;
            let status = Status::read(&plan, &store).map_err(unreadable)?;
            entry.begun = true;
            entry.profile = Some(plan.profile.clone());
            entry.progress = Some((status.done, status.total));
        }
        Ok(entry)
    }

    /// An experiment's page as JSON. Call it on a worker thread.
    pub fn page(&self, name: &str, profile: Option<&str>) -> Answer<Arc<str>> {
        let key = format!("{name} {}", profile.unwrap_or_default());
        if let Some((when, page)) = self.pages().get(&key)
            && when.elapsed() < FRESH
        {
            return Ok(Arc::clone(page));
        }
        let view = self.view(name, profile)?;
        let text = serde_json::to_string(&view)
            .map_err(|error| Refusal::busy(format!("the report cannot be sent: {error}")))?;
        let text: Arc<str> = text.into();
        let mut pages = self.pages();
        pages.retain(|_, (when, _)| when.elapsed() < FRESH);
        pages.insert(key, (Instant::now(), Arc::clone(&text)));
        Ok(text)
    }

    fn view(&self, name: &str, profile: Option<&str>) -> Answer<ExperimentView> {
        let store = self.store(name)?;
        let begun = store.is_some();
        let last = store.as_ref().and_then(last_profile);
        let plan = self.plan(name, profile.or(last.as_deref()))?;
        let mut store = match store {
            Some(store) => store,
            None => Store::empty().map_err(unreadable)?,
        };
        if begun {
            store.drop_dead_claims().map_err(unreadable)?;
        }
        let status = Status::read(&plan, &store).map_err(unreadable)?;
        let made = Provenance {
            command: "grove serve".to_owned(),
            date: date(now()),
            machine: String::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        };
        let report = Report::new(&plan, &store, made).map_err(unreadable)?;
        let chart = |(at, chart): (usize, gamegrove_view::BarChart)| {
            let style = SvgStyle { id: format!("chart{at}"), ..SvgStyle::default() };
            Chart { title: chart.title.clone(), svg: without_style(&chart.svg(&style)) }
        };
        let verdicts = report.verdicts().into_iter().filter(|&(_, count)| count > 0);
        Ok(ExperimentView {
            name: name.to_owned(),
            profile: plan.profile.clone(),
            profiles: plan.spec.profile_names().iter().map(ToString::to_string).collect(),
            begun,
            command: format!("grove experiment run {name} --profile {}", plan.profile),
            progress: Progress {
                total: status.total,
                done: status.done,
                playing: status.playing,
                seconds_left: status.seconds_left,
                work_seconds: status.work_seconds,
            },
            charts: report.charts().into_iter().map(chart).collect(),
            verdicts: verdicts
                .map(|(verdict, count)| (verdict.words().to_owned(), count))
                .collect(),
            report,
        })
    }

    fn spec(&self, name: &str) -> Answer<Spec> {
        let unknown = || {
            let message = format!("no experiment is called {}", short(name));
            Refusal::missing(message, "the list has all")
        };
        if !is_name(name) {
            return Err(unknown());
        }
        let known = shipped().into_iter().find(|one| one.name == name);
        let text = match known {
            Some(known) => known.text.to_owned(),
            None => {
                let path = self.folder.join(format!("{name}.toml"));
                let about = std::fs::metadata(&path).map_err(|_| unknown())?;
                if about.len() > gamegrove_lab::MAX_TEXT as u64 {
                    return Err(Refusal::large("the experiment's file is too large", ""));
                }
                std::fs::read_to_string(&path).map_err(|_| unknown())?
            }
        };
        Spec::read(&text).map_err(|error| {
            Refusal::wrong(format!("{name}.toml, {error}"), "correct the experiment's file")
        })
    }

    fn plan(&self, name: &str, profile: Option<&str>) -> Answer<Arc<Plan>> {
        let spec = self.spec(name)?;
        let names = spec.profile_names();
        let usual = names.iter().copied().find(|name| *name == "quick").unwrap_or("full");
        let profile = profile.unwrap_or(usual).to_owned();
        let key = (format!("{name} {spec:?}"), profile.clone());
        if let Some(plan) = self.plans().get(&key) {
            return Ok(Arc::clone(plan));
        }
        let plan = Plan::new(name, spec, &profile, &named_agent, &Boards::default())
            .map_err(|error| Refusal::wrong(error.to_string(), "choose another profile"))?;
        let plan = Arc::new(plan);
        let mut plans = self.plans();
        if plans.len() >= MOST_FILES {
            plans.clear();
        }
        plans.insert(key, Arc::clone(&plan));
        Ok(plan)
    }

    /// The store of an experiment, if there is one.
    fn store(&self, name: &str) -> Answer<Option<Store>> {
        let path = self.folder.join(format!("{name}.sqlite"));
        match is_name(name) && path.is_file() {
            true => Store::open_to_read(&path).map(Some).map_err(unreadable),
            false => Ok(None),
        }
    }

    fn plans(&self) -> MutexGuard<'_, HashMap<(String, String), Arc<Plan>>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pages(&self) -> MutexGuard<'_, HashMap<String, (Instant, Arc<str>)>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unreadable(error: gamegrove_lab::StoreError) -> Refusal {
    Refusal::busy(format!("the results cannot be read: {error}"))
}

fn last_profile(store: &Store) -> Option<String> {
    let sessions = store.sessions().ok()?;
    sessions.into_iter().max_by_key(|session| session.started).map(|session| session.profile)
}

fn source(spec: &Spec) -> String {
    match (spec.source.work.as_str(), spec.source.table.as_str()) {
        ("", _) => String::new(),
        (work, "") => work.to_owned(),
        (work, table) => format!("{work}, Table {table}"),
    }
}

/// Names of experiments are words; nothing in them leads to another folder.
fn is_name(name: &str) -> bool {
    let sound = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !name.is_empty() && name.len() <= 100 && name.chars().all(sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["..", "a/b", "../a", "a\\b", "", "a.b", "a\0"] {
            assert!(!is_name(name), "{name}");
        }
        assert!(is_name("sironi_2019_table_5_2"));
    }

    #[test]
    fn shipped_experiments_have_pages_before_anything_was_played() {
        let experiments = Experiments::new(Path::new("/nonexistent"));
        let listed = experiments.list();
        assert_eq!(listed.len(), shipped().len());
        let page = experiments.page(&listed[0].name, None).expect("a page");
        let page: serde_json::Value = serde_json::from_str(&page).expect("JSON");
        assert_eq!(page["begun"], false);
        assert_eq!(page["progress"]["done"], 0);
        assert!(page["report"]["rows"].as_array().is_some_and(|rows| !rows.is_empty()));
        assert!(experiments.page("../secret", None).is_err());
        assert!(experiments.page(&listed[0].name, Some("nonsense")).is_err());
    }
}
