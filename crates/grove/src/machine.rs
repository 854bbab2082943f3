//! What reports say about how they were made: the command.

use gamegrove_play::text::printable;

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
