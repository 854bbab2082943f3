//! The structure of the workspace: the order of crates, and that every source file is compiled.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All crates, from the lowest. A crate uses only crates before it.
const ORDER: [&str; 20] = [
    "game", "settings", "tuning", "gdl", "propnet", "hardware", "vgdl", "octagon", "view",
    "families", "search", "planner", "agents", "play", "inspect", "protocol", "lab", "web",
    "grove", "python",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn folder_of(name: &str) -> PathBuf {
    match name {
        "python" => root().join("python"),
        _ => root().join("crates").join(name),
    }
}

/// Crates of the workspace that a manifest names below `[dependencies]`.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut section = "";
    let mut found = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        } else if section == "[dependencies]"
            && let Some(rest) = line.strip_prefix("gamegrove-")
        {
            found.push(rest.split(['.', ' ', '=']).next().unwrap_or(rest));
        }
    }
    found
}

#[test]
fn crates_use_only_crates_before_them() {
    let listed: BTreeSet<String> = ORDER.iter().map(|&name| name.to_owned()).collect();
    let mut there: BTreeSet<String> = BTreeSet::from(["python".to_owned()]);
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        there.insert(entry.expect("an entry").file_name().to_string_lossy().into_owned());
    }
    assert_eq!(listed, there, "the order names every crate once");

    for (at, name) in ORDER.iter().enumerate() {
        let manifest = fs::read_to_string(folder_of(name).join("Cargo.toml")).expect("a manifest");
        for used in dependencies(&manifest) {
            assert!(ORDER[..at].contains(&used), "{name} comes before {used} and must not use it");
        }
    }
}

/// All files below a folder whose name ends in `.rs`.
fn sources(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.insert(path);
        }
    }
}

/// Adds a file and the modules it declares, and so on. `children` is where its modules lie.
fn follow(file: PathBuf, children: &Path, compiled: &mut BTreeSet<PathBuf>) {
    let Ok(text) = fs::read_to_string(&file) else { return };
    let folder = file.parent().expect("a file lies in a folder").to_owned();
    if !compiled.insert(file) {
        return;
    }
    let mut given: Option<&str> = None;
    for line in text.lines().map(str::trim) {
        if let Some(path) = line.strip_prefix("#[path = \"") {
            given = path.strip_suffix("\"]");
        }
        let declared = line.trim_start_matches("pub ").trim_start_matches("pub(crate) ");
        let declared = declared.trim_start_matches("pub(super) ");
        let Some(name) = declared.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(';'))
        else {
            continue;
        };
        if let Some(path) = given.take() {
            let path = folder.join(path).canonicalize().expect("a module that is there");
            let children = path.parent().expect("a folder").to_owned();
            follow(path, &children, compiled);
            continue;
        }
        let children = children.join(name);
        follow(children.with_extension("rs"), &children, compiled);
        follow(children.join("mod.rs"), &children, compiled);
    }
}

#[test]
fn every_source_file_is_compiled() {
    let mut packages: Vec<PathBuf> = ORDER.iter().map(|name| folder_of(name)).collect();
    for entry in fs::read_dir(root().join("tools")).expect("the tools") {
        packages.push(entry.expect("an entry").path());
    }
    let mut orphans = Vec::new();
    for package in packages {
        let (mut there, mut compiled) = (BTreeSet::new(), BTreeSet::new());
        sources(&package.join("src"), &mut there);
        follow(package.join("src/lib.rs"), &package.join("src"), &mut compiled);
        follow(package.join("src/main.rs"), &package.join("src"), &mut compiled);
        for kind in ["src/bin", "tests", "benches", "examples"] {
            sources(&package.join(kind), &mut there);
            for entry in fs::read_dir(package.join(kind)).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => follow(path.join("main.rs"), &path, &mut compiled),
                    false if path.extension().is_some_and(|kind| kind == "rs") => {
                        follow(path.clone(), &package.join(kind), &mut compiled);
                    }
                    false => {}
                }
            }
        }
        orphans.extend(there.difference(&compiled).cloned());
    }
    assert!(orphans.is_empty(), "no module includes {orphans:?}");
}

/// Files and folders that the documents for developers name, in backticks or links, exist.
#[test]
fn paths_in_documents_for_developers_exist() {
    let tops = ["crates/", "tools/", "docs/", "python/", "examples/", "games/", "web/"];
    for name in ["CONTRIBUTING.md", "ARCHITECTURE.md"] {
        let text = fs::read_to_string(root().join(name)).expect("a document");
        let words: Vec<&str> = text.split(['`', '(', ')', ' ', '\n']).collect();
        let paths = words.iter().filter(|word| tops.iter().any(|top| word.starts_with(top)));
        let paths: Vec<_> = paths.filter(|path| !path.contains("NAME")).collect();
        assert!(paths.len() > 5, "{name} names files");
        for path in paths {
            let path = path.trim_end_matches([',', '.', ';', ':']);
            assert!(root().join(path).exists(), "{name} names {path}");
        }
    }
}

/// The keys of works that a text cites: `[Sironi 2019, 3.1]` cites `Sironi 2019`.
fn cited(text: &str) -> BTreeSet<&str> {
    let is_name = |key: &&str| key.chars().all(|one| one.is_alphanumeric() || " .'-".contains(one));
    let is_year = |word: &str| {
        let digits = word.trim_end_matches(|last: char| last.is_ascii_lowercase());
        digits.len() == 4 && digits.bytes().all(|digit| digit.is_ascii_digit())
    };
    let inner = text.match_indices('[').filter_map(|(at, _)| text[at + 1..].split_once(']'));
    inner
        .map(|(inner, _)| inner.split(',').next().unwrap_or(inner))
        .filter(is_name)
        .filter(|key| key.rsplit_once(' ').is_some_and(|(_, last)| is_year(last)))
        .collect()
}

#[test]
fn citations_are_found_in_texts() {
    let text = "as printed [Sironi 2019, 3.1], `a[index 2]`, [van Eeden 2015] and [see](docs/x.md)";
    assert_eq!(cited(text), BTreeSet::from(["Sironi 2019", "van Eeden 2015"]));
}

#[test]
fn every_cited_work_is_in_the_bibliography() {
    let bibliography = fs::read_to_string(root().join("docs/sources.md")).expect("docs/sources.md");
    let keys: BTreeSet<&str> = bibliography
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split_once(" | ").map(|(key, _)| key))
        .collect();
    let mut files = BTreeSet::new();
    for name in ORDER {
        sources(&folder_of(name), &mut files);
    }
    for folder in ["agents", "experiments", "docs"] {
        for entry in fs::read_dir(root().join(folder)).expect("a folder of texts") {
            files.insert(entry.expect("an entry").path());
        }
    }
    let mut unknown = Vec::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let text = fs::read_to_string(file).expect("a text");
        let missing = cited(&text).into_iter().filter(|key| !keys.contains(key));
        unknown.extend(missing.map(|key| format!("{}: {key}", file.display())));
    }
    assert!(unknown.is_empty(), "docs/sources.md does not list {unknown:#?}");
}
