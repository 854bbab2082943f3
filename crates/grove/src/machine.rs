//! What reports say about how they were made: the machine and the command.

use gamegrove_shelf::text::printable;

/// The machine in a line: processor, cores, system.
pub fn machine() -> String {
    let processor = processor().unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = crate::parallel::cores();
    let cores = if cores == 1 { "1 core".to_owned() } else { format!("{cores} cores") };
    format!("{processor}, {cores}, {}", std::env::consts::OS)
}

/// The processor's name, where the system tells it in a file.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let name = line.split_once(':')?.1.split_whitespace().collect::<Vec<_>>().join(" ");
    (!name.is_empty()).then_some(name)
}

/// The command as it was typed, up to the spelling of its quotes.
pub fn command_line() -> String {
    let quoted = |argument: String| {
        let argument = printable(&argument);
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c);
        if !argument.is_empty() && argument.chars().all(plain) {
            argument
        } else {
            format!("'{}'", argument.replace('\'', "'\\''"))
        }
    };
    let arguments = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned());
    std::iter::once("grove".to_owned()).chain(arguments.map(quoted)).collect::<Vec<_>>().join(" ")
}
