//! Reports as people and tools read them.

use crate::common;

use std::ops::ControlFlow;

use common::{Casino, DUELS, fresh, plan, provenance, session};
use gamegrove_lab::report::{Report, Verdict};
use gamegrove_lab::{Agenda, Plan, Status, Store, run};

fn report(plan: &Plan, name: &str, games: u64) -> Report {
    let mut store = Store::open(&fresh(name)).unwrap();
    if games > 0 {
        let session = session(1);
        run(plan, &mut store, &Casino, &session, Agenda::All, |status: &Status| {
            if status.done >= games { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    }
    Report::new(plan, &store, provenance()).unwrap()
}

#[test]
fn a_table_of_duels() {
    let report = report(&plan(DUELS, "full"), "duels", u64::MAX);
    insta::assert_snapshot!("duels_markdown", report.markdown());
    insta::assert_snapshot!("duels_csv", report.csv());
    insta::assert_snapshot!("duels_latex", report.latex());
    insta::assert_snapshot!("duels_html", report.html());
    insta::assert_snapshot!("duels_json", serde_json::to_string_pretty(&report).unwrap());
}

#[test]
fn nothing_played_is_a_report_too() {
    let report = report(&plan(DUELS, "full"), "nothing", 0);
    insta::assert_snapshot!("nothing_markdown", report.markdown());
    assert!(report.rows.iter().flat_map(|row| &row.cells).all(|c| c.verdict == Verdict::NotRun));
    assert!(report.html().contains("0 of 208 finished"));
}

#[test]
fn what_is_compared_is_what_was_played() {
    // One game of two: the published average is that of this game alone.
    let report = report(&plan(DUELS, "smoke"), "part", u64::MAX);
    assert_eq!(report.average[0].published.unwrap().to_string(), "66.0 ±4.16");
    assert_eq!(report.average[0].games, 1);
    assert_eq!(report.robustness[0].published, Some(1));
    assert_eq!(report.robustness[1].published, Some(-1));
    assert_eq!(report.rows[1].cells[0].verdict, Verdict::NotRun);
}

#[test]
fn all_against_all_has_ratings() {
    let text = r#"
        title = "All against all"
        layout = "round_robin"
        runs = 20
        budget = { simulations = 1 }
        agents = [{ name = "uct" }, { name = "grave" }, { name = "hrave_mast" }]
        games = [{ name = "dice" }, { name = "cards" }]
    "#;
    let plan = plan(text, "full");
    assert_eq!(plan.cells.len(), 3 * 2);
    let report = report(&plan, "robin", u64::MAX);
    // Each agent's games against both others.
    assert!(report.rows.iter().flat_map(|row| &row.cells).all(|cell| cell.runs == 40));
    insta::assert_snapshot!("robin_markdown", report.markdown());
}

#[test]
fn lone_players_are_ranked() {
    let text = r#"
        title = "Alone"
        layout = "alone"
        scoring = "formula_one"
        runs = 10
        budget = { clock = "40ms" }
        agents = [{ name = "uct" }, { name = "grave" }, { name = "hrave_mast" }]
        games = [
            { name = "solo", levels = [0, 1, 2] },
            { name = "solo_two" },
            { name = "solo_three", missing = "its rules were never published" },
        ]
    "#;
    let plan = plan(text, "full");
    // All levels equally often.
    assert_eq!(plan.cells[0].runs, 12);
    let levels: Vec<_> = (0..6).map(|run| plan.bout(0, run).level).collect();
    assert_eq!(levels, [Some(0), Some(1), Some(2), Some(0), Some(1), Some(2)]);
    let report = report(&plan, "alone", u64::MAX);
    let total: f64 = report.standings.iter().filter_map(|standing| standing.formula_one).sum();
    assert_eq!(total, 2.0 * (25.0 + 18.0 + 15.0));
    insta::assert_snapshot!("alone_markdown", report.markdown());
}

#[test]
fn speeds_can_be_what_is_compared() {
    let text = r#"
        title = "Speeds"
        layout = "alone"
        scoring = "speed"
        runs = 2
        budget = { simulations = 1 }
        agents = [{ name = "uct" }, { name = "grave" }, { name = "hrave_mast" }]
        games = [
            { name = "dice", published = ["300", "330", "60000"] },
            { name = "cards", published = ["150", "150", ""] },
        ]
    "#;
    let report = report(&plan(text, "full"), "speeds", u64::MAX);
    let verdicts: Vec<Verdict> =
        report.rows.iter().flat_map(|row| &row.cells).map(|cell| cell.verdict).collect();
    use Verdict::{Faster, Slower, Unpublished};
    assert_eq!(verdicts, [Faster, Faster, Slower, Faster, Faster, Unpublished]);
    // The last row is against the first column; published, over the games that have a value.
    let average = |at: usize| {
        let average = &report.average[at];
        (average.ours.unwrap().mean, average.published.unwrap().mean)
    };
    assert_eq!(average(0), (1.0, 1.0));
    assert_eq!(average(1), (5.0 / 3.0, 1.05));
    assert_eq!(average(2), (10.0 / 3.0, 200.0));
    assert!(report.standings.is_empty() && report.robustness.is_empty());
    insta::assert_snapshot!("speeds_markdown", report.markdown());
    // Each column may be compared with one of its own.
    let paired = format!("{text}\n[summary]\ntimes = [\"uct\", \"uct\", \"grave\"]\n");
    let paired = self::report(&plan(&paired, "full"), "paired_speeds", u64::MAX);
    let times = |at: usize| {
        let average = &paired.average[at];
        (average.ours.unwrap().mean, average.published.unwrap().mean)
    };
    assert_eq!(times(0), (1.0, 1.0));
    assert_eq!(times(1), (5.0 / 3.0, 1.05));
    assert_eq!(times(2), (2.0, 60_000.0 / 330.0));
    for (wrong, said) in
        [("[\"uct\"]", "1 agents for 3 columns"), ("[\"a\", \"uct\", \"uct\"]", "agent")]
    {
        let wrong = format!("{text}\n[summary]\ntimes = {wrong}\n");
        let error = gamegrove_lab::Spec::read(&wrong).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let against = text.replacen("alone", "round_robin", 1);
    let error = gamegrove_lab::Spec::read(&against).unwrap_err().to_string();
    assert!(error.contains("is for the layout \"alone\""), "{error}");
}

#[test]
fn goals_can_be_what_counts() {
    let text = DUELS.replacen("title =", "scoring = \"goals\"\ntitle =", 1);
    let report = report(&plan(&text, "smoke"), "goals", u64::MAX);
    assert_eq!(report.neutral, None);
    assert!(report.robustness.is_empty());
    let ours = report.rows[0].cells[0].ours.unwrap();
    assert!((0.0..=100.0).contains(&ours.mean));
}

#[test]
fn the_page_needs_nothing_else() {
    let page = report(&plan(DUELS, "full"), "page", u64::MAX).html();
    for outside in ["src=", "href=", "@import", "url(", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
    assert!(page.contains("Dice | for &lt;three&gt;"));
    // Well-formed, once what HTML leaves open is closed.
    let closed = page
        .replace("<meta charset=\"utf-8\">", "")
        .replace("initial-scale=1\">", "initial-scale=1\"/>")
        .replace("<!doctype html>", "");
    roxmltree::Document::parse(&closed).unwrap();
}

#[test]
fn every_format_says_what_was_compared() {
    let report = report(&plan(DUELS, "mixed"), "said", u64::MAX);
    let json = serde_json::to_string(&report).unwrap();
    let escaped = |text: &str| text.replace('_', "\\_");
    for (format, text) in [
        ("md", report.markdown()),
        ("html", report.html()),
        ("csv", report.csv()),
        ("json", json),
        ("tex", report.latex()),
    ] {
        let agent = report.agents[0].definition.clone();
        for part in [&agent[..], "UCT", "rules of dice", "5 simulations", "0.0.0"] {
            let found = text.contains(part)
                || text.contains(&escaped(part))
                || text.contains(&part.replace('"', "\"\""));
            assert!(found, "{format} lacks {part}: {text}");
        }
    }
    // The profile has fewer games and another budget than the file.
    let first = report.markdown();
    let (head, _) = first.split_once("## Results").unwrap();
    for part in ["5 simulations for 10 simulations", "of 50 in the source", "Differs: "] {
        assert!(head.contains(part), "{part}: {head}");
    }
}

#[test]
fn roles_and_ties_are_told_apart() {
    let report = report(&plan(DUELS, "full"), "roles", u64::MAX);
    let cell = &report.rows[0].cells[0];
    assert_eq!(cell.wins + cell.draws + cell.losses, cell.runs);
    let roles: Vec<f64> = cell.by_role.iter().flatten().map(|points| points.mean).collect();
    assert_eq!(roles.len(), 2);
    // Each role in half of the games.
    assert!(((roles[0] + roles[1]) / 2.0 - cell.ours.unwrap().mean).abs() < 1e-9);
    assert_eq!(report.rows[1].cells[0].by_role.len(), 3);
}
