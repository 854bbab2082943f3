//! Experiments without Ray: the lines that `docs/python.md` prints are run as they stand there.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::experiment::{SMALL, arguments, outcomes, place, plan};
use super::{folder, grove};

/// The printed lines: those of GNU parallel, and the script of a Slurm array.
fn printed() -> (Vec<&'static str>, &'static str) {
    let page = include_str!("../../../../docs/python.md");
    let blocks: Vec<&str> = page
        .split("```sh\n")
        .skip(1)
        .filter_map(|block| block.split_once("```"))
        .map(|(block, _)| block)
        .collect();
    let with = |word: &str| {
        let block = blocks.iter().find(|block| block.contains(word));
        *block.unwrap_or_else(|| panic!("no lines with {word} are printed"))
    };
    (with("| parallel ").lines().collect(), with("SLURM_ARRAY_TASK_ID"))
}

/// Runs some lines in a folder, where `grove` is the command under test.
fn shell(lines: &str, at: &Path, variables: &[(&str, String)]) {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_grove"));
    let commands = binary.parent().expect("a folder").display().to_string();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", lines]).current_dir(at);
    command.env("PATH", format!("{commands}:{path}")).envs(variables.iter().cloned());
    let output = command.output().expect("bash starts");
    assert!(output.status.success(), "{lines}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// An experiment called `my.toml`, played by `elsewhere` in its folder, has the rows of a run here.
fn as_played_here(name: &str, elsewhere: impl Fn(&Path)) {
    let text = SMALL.replace("runs = 60", "runs = 40");
    let (experiment, _) = place(name, &text);
    let at = folder().join(name);
    let own = format!("{name}/my.toml");
    std::fs::rename(folder().join(&experiment), folder().join(&own)).expect("it is renamed");
    elsewhere(&at);
    let local = at.join("local.sqlite");
    assert_eq!(grove(&arguments(&own, &local)).code, Some(0));
    let plan = plan(&text, "full");
    let rows = outcomes(&plan, &at.join("my.sqlite"));
    assert_eq!(rows.len(), 160);
    assert_eq!(rows, outcomes(&plan, &local));
}

#[test]
fn gnu_parallel_plays_the_chunks() {
    let version = Command::new("parallel").arg("--version").output();
    if !version.is_ok_and(|said| String::from_utf8_lossy(&said.stdout).contains("GNU parallel")) {
        eprintln!("GNU parallel is not installed: its lines are not tried");
        return;
    }
    let (lines, _) = printed();
    as_played_here("parallel", |at| {
        shell(&lines.join("\n"), at, &[]);
        // Once more changes nothing, also without the log of the first time.
        shell(&lines[2..].join("\n"), at, &[]);
    });
}

#[test]
fn a_slurm_array_plays_the_chunks() {
    let (lines, script) = printed();
    let (ready, merge) = (lines[..2].join("\n"), lines[3]);
    as_played_here("slurm", |at| {
        shell(&ready, at, &[]);
        let chunks = std::fs::read_dir(at.join("chunks")).expect("the chunks").count();
        assert_eq!(chunks, 4);
        // A task that is started again finds its rows, or a part of them that does not count.
        std::fs::write(at.join("rows/my-2.jsonl.part"), "half a li").expect("it is written");
        for task in [3, 1, 2, 4, 1] {
            shell(script, at, &[("SLURM_ARRAY_TASK_ID", task.to_string())]);
        }
        shell(merge, at, &[]);
    });
}
