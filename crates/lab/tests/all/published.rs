//! The arithmetic of reports, on the cells of the sources: averages, intervals and robustness of
//! [Sironi 2019, 5.3]; and the shipped experiments against the same tables.
//! Reads the shared specifications; passes on machines without them.

use std::collections::BTreeMap;

use gamegrove_lab::stats::{Score, robustness};
use gamegrove_lab::{Published, Spec, shipped};
use gamegrove_testdata::shared;

/// A table of a specification: headings, and rows by name.
struct Printed {
    headings: Vec<String>,
    rows: Vec<(String, Vec<Option<Published>>)>,
}

impl Printed {
    fn row(&self, name: &str) -> Option<&[Option<Published>]> {
        self.rows.iter().find(|(known, _)| known == name).map(|(_, cells)| &**cells)
    }

    /// The rows that are games.
    fn games(&self) -> impl Iterator<Item = &(String, Vec<Option<Published>>)> {
        let last = [
            "Avg. Win%",
            "Avg Win%",
            "Robustness",
            "Overall",
            "mean (derived)",
            "mean rel. change",
        ];
        self.rows.iter().filter(move |(name, _)| !last.contains(&name.as_str()))
    }
}

fn specification(name: &str) -> Option<String> {
    let path = shared(&format!("spec/{name}"))?;
    Some(std::fs::read_to_string(path).expect("the specification can be read"))
}

/// The tables of a text, in order.
fn tables(text: &str) -> Vec<Printed> {
    let mut tables: Vec<Printed> = Vec::new();
    let mut in_table = false;
    for line in text.lines() {
        if !line.starts_with('|') {
            in_table = false;
            continue;
        }
        let cells: Vec<String> =
            line.trim().trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        if !in_table {
            in_table = true;
            tables.push(Printed { headings: cells, rows: Vec::new() });
        } else if !line.starts_with("|---") {
            let values = cells[1..].iter().map(|cell| cell.replace('†', "").parse().ok()).collect();
            tables.last_mut().unwrap().rows.push((cells[0].replace("**", ""), values));
        }
    }
    tables
}

/// The tables of section 13: K = 10 .. 2000 three times, 5.2 with 5.4 to 5.6, 5.7, D.1 with others.
fn section_13() -> Option<Vec<Printed>> {
    let text = specification("search-and-ggp.md")?;
    let start = text.find("\n## 13.").expect("there is a section 13");
    let end = text.find("\n## 14.").expect("there is a section 14");
    let tables = tables(&text[start..end]);
    assert_eq!(tables.len(), 6);
    Some(tables)
}

/// The columns of section 13 with wins and intervals: table, column, games of a cell at least.
fn columns() -> Vec<(usize, usize, u64)> {
    let mut columns = Vec::new();
    for table in 0..3 {
        columns.extend((0..8).map(|column| (table, column, 500)));
    }
    columns.extend((0..12).map(|column| (3, column, 1000)));
    columns.extend((0..6).map(|column| (4, column, 1000)));
    columns.push((5, 6, 500));
    columns
}

#[test]
fn intervals_are_as_wide_as_printed_ones_where_games_are_many() {
    let Some(tables) = section_13() else { return };
    let mut checked = 0;
    for (table, column, least) in columns() {
        for (game, cells) in tables[table].games() {
            // Without draws the mean says how many games were won.
            if !["Breakthrough", "Knightthrough", "Sheep and Wolf"].contains(&game.as_str()) {
                continue;
            }
            let printed = cells[column].expect("every cell is printed");
            let wins = (printed.mean / 100.0 * least as f64).round() as u64;
            let ours = Score::of_counts(wins, 0, least - wins).estimate().unwrap();
            let half_width = printed.half_width.unwrap();
            assert!((ours.half_width() - half_width).abs() < 0.12, "{game}: {ours} for {printed}");
            assert!(ours.low >= 0.0 && ours.high <= 100.0);
            checked += 1;
        }
    }
    assert!(checked >= 51, "{checked}");
}

#[test]
fn every_printed_average_follows_from_the_cells() {
    let Some(tables) = section_13() else { return };
    for (table, column, _) in columns() {
        let cells: Vec<Published> =
            tables[table].games().map(|(_, cells)| cells[column].unwrap()).collect();
        let ours = Published::average(&cells);
        let printed = tables[table].row("Avg. Win%").unwrap()[column].unwrap();
        let place = format!("table {table}, column {column}: {ours}, printed {printed}");
        // Cells are rounded to 0.05, and so is the average.
        assert!((ours.mean - printed.mean).abs() <= 0.1, "{place}");
        // The source pools the points of all games, which takes differences of games for noise.
        assert!(ours.half_width.unwrap() <= printed.half_width.unwrap() + 0.011, "{place}");
    }
}

#[test]
fn every_printed_robustness_follows_from_the_cells() {
    let Some(tables) = section_13() else { return };
    let mut checked = 0;
    for (table, column, _) in columns() {
        // D.1 prints none.
        let Some(printed) = tables[table].row("Robustness") else { continue };
        let cells = tables[table].games().map(|(_, cells)| {
            let cell = cells[column].unwrap();
            let half = cell.half_width.unwrap();
            (cell.mean - half, cell.mean + half)
        });
        assert_eq!(f64::from(robustness(cells, 50.0)), printed[column].unwrap().mean);
        checked += 1;
    }
    assert_eq!(checked, 24 + 12 + 6);
}

#[test]
fn averages_of_the_other_sources_follow_too() {
    for (file, last, tolerance) in [
        ("playout-policy-adaptation.md", "Avg Win%", 0.101),
        ("cadiaplayer.md", "Overall", 0.051),
        ("parameter-tuning.md", "Avg. Win%", 0.101),
    ] {
        let Some(text) = specification(file) else { return };
        let mut checked = 0;
        for table in tables(&text) {
            let Some(printed) = table.row(last) else { continue };
            for (column, printed) in printed.iter().enumerate() {
                let Some(printed) = printed else { continue };
                let cells = table.games().filter_map(|(_, cells)| cells[column]);
                let ours = Published::average(&cells.collect::<Vec<_>>());
                let place = format!("{file}, column {column}: {ours}, printed {printed}");
                assert!((ours.mean - printed.mean).abs() <= tolerance, "{place}");
                checked += 1;
            }
        }
        assert!(checked >= 13, "{file}: {checked}");
    }
}

/// Where the values of a shipped experiment are printed: the tables whose first heading is this one,
/// which of them, and which of its columns.
type Place<'t> = (&'t str, &'t str, usize, Vec<usize>);

/// The places of the first source's chapters 6 and 7 and of its appendices E and F.
fn tuning_tables(text: &str) -> Vec<(&'static str, Vec<Place<'_>>)> {
    let one = |heading: &'static str, nth: usize, columns: &[usize]| -> Place<'_> {
        (text, heading, nth, columns.to_vec())
    };
    let seven: Vec<usize> = (0..7).collect();
    let up_to = |end: usize| (0..end).collect::<Vec<usize>>();
    vec![
        ("sironi_2019_table_6_3", vec![one("MAB", 0, &seven)]),
        ("sironi_2019_table_6_4", vec![one("MAB", 1, &seven)]),
        ("sironi_2019_table_6_5", vec![one("MAB", 2, &seven)]),
        ("sironi_2019_table_6_6", vec![one("MAB", 3, &seven)]),
        ("sironi_2019_table_6_9", vec![one("SP_NTBEA 2p", 0, &[0, 1, 2, 3])]),
        ("sironi_2019_table_6_10", vec![one("SP_NTBEA 2p", 0, &[4, 5])]),
        ("sironi_2019_table_7_3_2p", vec![one("GAME 2p", 0, &[0, 1, 2, 3])]),
        ("sironi_2019_table_7_3_4p", vec![one("GAME 2p", 0, &[4, 5, 6, 7])]),
        ("sironi_2019_table_7_3_6p", vec![one("GAME 2p", 0, &[8, 9, 10, 11])]),
        ("sironi_2019_table_7_4", vec![one("0.1", 0, &up_to(10))]),
        ("sironi_2019_table_7_5", vec![one("0.0", 0, &up_to(12))]),
        ("sironi_2019_table_7_6", vec![one("0", 0, &up_to(11))]),
        ("sironi_2019_table_7_7", vec![one("SIM v NTBEA 2p", 0, &[0, 1, 2])]),
        (
            "sironi_2019_table_7_8",
            vec![
                one("GAME 2p", 1, &[2]),
                one("MAB", 1, &[5]),
                one("GAME 2p", 1, &[6]),
                one("MAB", 2, &[5]),
                one("GAME 2p", 1, &[10]),
                one("MAB", 3, &[5]),
            ],
        ),
        ("sironi_2019_table_7_9", vec![one("SIM v NTBEA 2p", 0, &[3, 4, 5, 6, 7, 8, 9, 10, 11])]),
        ("sironi_2019_table_7_10", vec![one("AP", 0, &seven)]),
        ("sironi_2019_table_e_1", vec![one("MAB b=1", 0, &[0]), one("MAB", 2, &[0])]),
        ("sironi_2019_table_e_2", vec![one("MAB b=1", 0, &[1]), one("MAB", 2, &[1])]),
        ("sironi_2019_table_e_3", vec![one("l=0.7 g=0.0", 0, &up_to(8))]),
        (
            "sironi_2019_table_e_4",
            vec![one("MAB b=1", 0, &[2]), one("MAB", 2, &[3]), one("MAB b=1", 0, &[3])],
        ),
        ("sironi_2019_table_e_5", vec![one("MAB b=1", 0, &[4, 5, 6])]),
        ("sironi_2019_table_e_6", vec![one("MAB b=1", 0, &[7, 8, 9, 10])]),
        ("sironi_2019_table_e_7", vec![one("MAB b=1", 0, &[7, 11])]),
        ("sironi_2019_table_f_1", vec![one("GAME 2p", 1, &up_to(12))]),
    ]
}

#[test]
fn shipped_experiments_hold_the_published_values() {
    let (Some(networks), Some(first), Some(second), Some(third), Some(tuning)) = (
        specification("propnets.md"),
        specification("search-and-ggp.md"),
        specification("cadiaplayer.md"),
        specification("playout-policy-adaptation.md"),
        specification("parameter-tuning.md"),
    ) else {
        return;
    };
    let one = |text, heading, columns: &[usize]| -> Vec<Place<'_>> {
        vec![(text, heading, 0, columns.to_vec())]
    };
    let mut wanted: BTreeMap<&str, Vec<Place<'_>>> = BTreeMap::from([
        (
            "sironi_2019_tables_4_1_and_4_2",
            one(&*networks, "BasicPN", &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
        ),
        ("sironi_2019_table_4_3", one(&*networks, "Prover", &[0, 1, 2, 3])),
        ("sironi_2019_table_5_2", one(&*first, "5.2 R", &[0, 1, 2])),
        ("sironi_2019_table_5_4", one(&*first, "5.2 R", &[3, 4, 5])),
        ("sironi_2019_table_5_5", one(&*first, "5.2 R", &[6, 7, 8])),
        ("sironi_2019_table_5_6", one(&*first, "5.2 R", &[9, 10, 11])),
        ("sironi_2019_table_5_7", one(&*first, "GRAVE vs RAVE", &[0, 1, 2, 3, 4, 5])),
        ("sironi_2019_table_d_1", one(&*first, "5.3 UCT", &[6])),
        ("finnsson_2012_table_4_1", one(&*second, "MAST", &[0, 1, 2, 3, 4])),
        ("finnsson_2012_table_4_2", one(&*second, "TO-MAST", &[0, 1, 2, 3])),
        ("finnsson_2012_table_4_3", one(&*second, "RAVE/MAST vs MCTS", &[0, 1])),
        ("finnsson_2012_table_4_4", one(&*second, "RAVE/MAST vs MCTS", &[2, 3])),
        ("finnsson_2012_table_5_1", one(&*second, "EC+UCT", &[0, 1, 2, 3, 4, 5, 6])),
        ("ppa_2021_table_1", one(&*third, "PPA_1 vs rnd", &[0, 1, 2, 3, 4])),
        ("ppa_2021_table_2", one(&*third, "PPA_1 vs rnd", &[4, 5])),
        ("ppa_2021_table_3", one(&*third, "NPPA_1 vs rnd", &[0, 1, 2, 3, 4, 5, 6])),
        ("ppa_2021_table_3_as_run", one(&*third, "NPPA_1 vs rnd", &[1, 4, 6])),
    ]);
    wanted.extend(tuning_tables(&tuning));
    for experiment in shipped() {
        let Some(places) = wanted.get(experiment.name) else { continue };
        let spec = Spec::read(experiment.text).unwrap();
        let found: Vec<(Printed, &[usize])> = places
            .iter()
            .map(|(text, heading, nth, columns)| {
                let is_it = |table: &Printed| table.headings.get(1).is_some_and(|h| h == heading);
                let table = tables(text).into_iter().filter(is_it).nth(*nth);
                (table.expect("the table is there"), &**columns)
            })
            .collect();
        // What the source prints in a row, over all places; nothing if it has no such row.
        let cells = |row: &str| -> Option<Vec<Option<Published>>> {
            let of = |(table, columns): &(Printed, &[usize])| {
                let row = table.row(row)?;
                Some(columns.iter().map(|&column| row[column]).collect::<Vec<_>>())
            };
            found.iter().map(of).collect::<Option<Vec<_>>>().map(|parts| parts.concat())
        };
        assert_eq!(spec.games.len(), found[0].0.games().count(), "{}", experiment.name);
        for game in &spec.games {
            let cells = cells(game.label()).expect("the game is there");
            assert_eq!(game.published, cells, "{}, {}", experiment.name, game.label());
        }
        for last in ["Avg. Win%", "Avg Win%", "Overall"] {
            if let Some(cells) = cells(last) {
                assert_eq!(spec.summary.average, cells, "{}", experiment.name);
            }
        }
        if let Some(cells) = cells("Robustness") {
            let cells = cells.iter().map(|cell| cell.unwrap().mean as i32);
            assert_eq!(spec.summary.robustness, cells.collect::<Vec<_>>(), "{}", experiment.name);
        }
    }
    let shipped: Vec<&str> = shipped().iter().map(|experiment| experiment.name).collect();
    assert!(wanted.keys().all(|name| shipped.contains(name)), "{shipped:?}");
}
