//! Builds the page with npm and puts it where the crate embeds it from.
//!
//! All work happens in cargo's own folder: nothing is written beside the sources. Without npm, without
//! a network for its packages, or with `GAMEGROVE_PAGE=skip` in the environment the page is left out;
//! the program then says how to add it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// What the page is made of.
const SOURCES: [&str; 7] = [
    "index.html",
    "package.json",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
    "src",
];

fn main() {
    println!("cargo::rerun-if-env-changed=GAMEGROVE_PAGE");
    println!("cargo::rerun-if-changed=build.rs");
    let web = Path::new("../../web");
    for source in SOURCES {
        println!("cargo::rerun-if-changed={}", web.join(source).display());
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo says where to build"));
    let page = out.join("page");
    let _ = fs::remove_dir_all(&page);
    fs::create_dir_all(&page).expect("cargo's folder can be written to");
    if env::var("GAMEGROVE_PAGE").is_ok_and(|said| said == "skip") {
        return;
    }
    if let Err(problem) = build(web, &out.join("web"), &page) {
        let _ = fs::remove_dir_all(&page);
        fs::create_dir_all(&page).expect("cargo's folder can be written to");
        println!("cargo::warning=the browser page is left out: {problem}");
    }
}

fn build(web: &Path, work: &Path, page: &Path) -> Result<(), String> {
    let words = |error: io::Error| error.to_string();
    fs::create_dir_all(work).map_err(words)?;
    for source in SOURCES {
        let to = work.join(source);
        if to.is_dir() {
            fs::remove_dir_all(&to).map_err(words)?;
        }
        copy(&web.join(source), &to).map_err(words)?;
    }
    install(work)?;
    run(work, "npm", &["run", "build", "--", "--outDir", &page.display().to_string()])?;
    match page.join("index.html").is_file() {
        true => Ok(()),
        false => Err("its build made no index.html".to_owned()),
    }
}

/// Installs the packages, unless those of this very list are installed.
fn install(work: &Path) -> Result<(), String> {
    let list = fs::read(work.join("package-lock.json")).map_err(|error| error.to_string())?;
    let mark = work.join("installed-list.json");
    if work.join("node_modules").is_dir() && fs::read(&mark).is_ok_and(|done| done == list) {
        return Ok(());
    }
    let _ = fs::remove_file(&mark);
    run(work, "npm", &["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"])?;
    fs::write(mark, list).map_err(|error| error.to_string())
}

fn run(folder: &Path, program: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .map_err(|_| {
            format!("{program} is not installed; install Node.js 20.19 or newer with npm")
        })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let last: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).take(6).collect();
    Err(format!("`{program} {}` failed: {}", arguments.join(" "), last.join(" | ")))
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return fs::copy(from, to).map(|_| ());
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
