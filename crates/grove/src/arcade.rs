//! A video game in the terminal: the level in colours, keys, a steady tick or turns.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, queue};
use gamegrove_vgdl::ontology::Action;

use crate::screen::{Painter, Room};
use crate::video_match::VideoMatch;
use gamegrove_play::text::printable;

/// How time passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A tick takes so long, whatever people do.
    Steady(Duration),
    /// A tick happens when a person does something.
    Turns,
}

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// An action of the first or second person at the keyboard.
    Act(usize, Action),
    Pause,
    Restart,
    Quit,
}

/// Plays until the person leaves, also beyond the end of a game: it can be played again.
pub fn play(
    game: &mut VideoMatch,
    title: &str,
    pace: Pace,
    painter: &Painter,
    to: Box<dyn Write>,
) -> io::Result<()> {
    let mut terminal = Terminal::enter(to)?;
    let people: Vec<usize> =
        (0..game.world().rules.players).filter(|&player| game.is_person(player)).collect();
    // Turns need somebody who takes them.
    let turns = pace == Pace::Turns && !people.is_empty();
    let tick = match pace {
        Pace::Steady(tick) => tick,
        Pace::Turns => Duration::from_millis(100),
    };
    let mut paused = false;
    let mut due = Instant::now() + tick;
    'ticks: loop {
        terminal.draw(game, title, paused, painter)?;
        let over = game.is_over();
        let mut actions = vec![Action::Nil; game.world().rules.players];
        let mut acted = false;
        loop {
            let waiting = over || paused || (turns && !acted);
            if !waiting && (turns || Instant::now() >= due) {
                break;
            }
            let patience = match waiting {
                true => Duration::from_secs(3600),
                false => due.saturating_duration_since(Instant::now()),
            };
            if !event::poll(patience)? {
                continue;
            }
            match event::read()? {
                Event::Key(pressed) => match meaning(pressed) {
                    Some(Key::Quit) => return Ok(()),
                    Some(Key::Restart) => {
                        game.restart();
                        paused = false;
                        due = Instant::now() + tick;
                        continue 'ticks;
                    }
                    Some(Key::Pause) if !over => {
                        paused = !paused;
                        due = Instant::now() + tick;
                        terminal.draw(game, title, paused, painter)?;
                    }
                    Some(Key::Act(person, action)) if !over && !paused => {
                        if let Some(&player) = people.get(person) {
                            actions[player] = action;
                            acted = true;
                        }
                    }
                    _ => {}
                },
                Event::Resize(..) => terminal.draw(game, title, paused, painter)?,
                _ => {}
            }
        }
        game.step(&actions);
        // Time lost to a slow terminal is not made up for.
        due = (due + tick).max(Instant::now());
    }
}

fn meaning(pressed: KeyEvent) -> Option<Key> {
    if pressed.kind == KeyEventKind::Release {
        return None;
    }
    if pressed.modifiers.contains(KeyModifiers::CONTROL) {
        return (pressed.code == KeyCode::Char('c')).then_some(Key::Quit);
    }
    let code = match pressed.code {
        KeyCode::Char(c) => KeyCode::Char(c.to_ascii_lowercase()),
        code => code,
    };
    Some(match code {
        KeyCode::Up => Key::Act(0, Action::Up),
        KeyCode::Left => Key::Act(0, Action::Left),
        KeyCode::Down => Key::Act(0, Action::Down),
        KeyCode::Right => Key::Act(0, Action::Right),
        KeyCode::Char(' ') => Key::Act(0, Action::Use),
        KeyCode::Char('.') => Key::Act(0, Action::Nil),
        KeyCode::Char('w') => Key::Act(1, Action::Up),
        KeyCode::Char('a') => Key::Act(1, Action::Left),
        KeyCode::Char('s') => Key::Act(1, Action::Down),
        KeyCode::Char('d') => Key::Act(1, Action::Right),
        KeyCode::Char('f') => Key::Act(1, Action::Use),
        KeyCode::Char('p') => Key::Pause,
        KeyCode::Char('r') => Key::Restart,
        KeyCode::Char('q') | KeyCode::Esc => Key::Quit,
        _ => return None,
    })
}

/// The terminal while a game has it; given back when dropped.
struct Terminal {
    to: Box<dyn Write>,
}

impl Terminal {
    fn enter(to: Box<dyn Write>) -> io::Result<Terminal> {
        terminal::enable_raw_mode()?;
        let mut terminal = Terminal { to };
        queue!(terminal.to, EnterAlternateScreen, cursor::Hide)?;
        terminal.to.flush()?;
        Ok(terminal)
    }

    fn draw(
        &mut self,
        game: &VideoMatch,
        title: &str,
        paused: bool,
        painter: &Painter,
    ) -> io::Result<()> {
        let (width, height) = terminal::size()?;
        let (width, height) = (usize::from(width), usize::from(height));
        let player = (0..game.world().rules.players).find(|&p| game.is_person(p)).unwrap_or(0);
        let room = Room { width, height: height.saturating_sub(4) };
        let mut lines = vec![cut(&status(game, title), width)];
        lines.extend(painter.draw(game.world(), &game.state, player, room));
        lines.extend(legend(painter.legend(game.world(), &game.state, player), width));
        let footer = match (game.is_over(), paused) {
            (true, _) => format!("{} r again, q quit", outcome(game)),
            (false, true) => "Paused. p goes on, r again, q quit".to_owned(),
            (false, false) => "arrow keys, space, . waits, p pause, r again, q quit".to_owned(),
        };
        // The last line always has room for what the keys do.
        lines.truncate(height.saturating_sub(1));
        lines.push(cut(&footer, width));
        queue!(self.to, cursor::MoveTo(0, 0))?;
        for (number, line) in lines.iter().enumerate() {
            let end = if number + 1 == lines.len() { "" } else { "\r\n" };
            write!(self.to, "{line}")?;
            queue!(self.to, terminal::Clear(ClearType::UntilNewLine))?;
            write!(self.to, "{end}")?;
        }
        queue!(self.to, terminal::Clear(ClearType::FromCursorDown))?;
        self.to.flush()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = queue!(self.to, cursor::Show, LeaveAlternateScreen);
        let _ = self.to.flush();
        let _ = terminal::disable_raw_mode();
    }
}

/// Tick, score and what the avatar has.
fn status(game: &VideoMatch, title: &str) -> String {
    let mut parts = vec![title.to_owned(), format!("tick {}", game.state.tick())];
    for player in 0..game.world().rules.players {
        let who =
            if game.world().rules.players > 1 { format!(" {}", player + 1) } else { String::new() };
        parts.push(format!("score{who} {}", game.state.player(player).score));
        let view = game.world().view(&game.state, player);
        let Some(avatar) = view.avatar() else { continue };
        if avatar.max_health > 0 {
            parts.push(format!("health{who} {}", avatar.health));
        }
        for (ty, amount) in view.resources() {
            parts.push(format!("{}{who} {amount}", game.world().rules.types[ty].name));
        }
    }
    printable(&parts.join("  "))
}

/// How the game ended, in words.
pub fn outcome(game: &VideoMatch) -> String {
    let state = &game.state;
    if let Some(fault) = &game.fault {
        return format!("Stopped: {fault}.");
    }
    let players = game.world().rules.players;
    let result = |player: usize| match state.player(player).win {
        Some(true) => "won",
        Some(false) => "lost",
        None => "undecided",
    };
    let told: Vec<String> = (0..players)
        .map(|player| {
            let who = if players > 1 { format!("player{} ", player + 1) } else { String::new() };
            format!("{who}{}, score {}", result(player), state.player(player).score)
        })
        .collect();
    let told = told.join("; ");
    let mut letters = told.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    let told: String = first.into_iter().chain(letters).collect();
    format!("{told} after {} ticks.", state.tick())
}

fn cut(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

/// The legend in lines that fit; colours take no room.
pub fn legend(entries: Vec<String>, width: usize) -> Vec<String> {
    let length = |entry: &str| {
        let mut escape = false;
        let seen = entry.chars().filter(|&c| {
            let shown = !escape && c != '\u{1b}';
            escape = (escape || c == '\u{1b}') && c != 'm';
            shown
        });
        seen.count()
    };
    let mut lines: Vec<(usize, String)> = Vec::new();
    for entry in entries {
        let taken = length(&entry);
        match lines.last_mut() {
            Some((used, line)) if *used + 2 + taken <= width => {
                line.push_str("  ");
                line.push_str(&entry);
                *used += 2 + taken;
            }
            _ if taken <= width => lines.push((taken, entry)),
            _ => {}
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_meaning() {
        let key = |code, modifiers| meaning(KeyEvent::new(code, modifiers));
        let plain = |code| key(code, KeyModifiers::NONE);
        assert_eq!(plain(KeyCode::Up), Some(Key::Act(0, Action::Up)));
        assert_eq!(plain(KeyCode::Char('D')), Some(Key::Act(1, Action::Right)));
        assert_eq!(plain(KeyCode::Char(' ')), Some(Key::Act(0, Action::Use)));
        assert_eq!(plain(KeyCode::Esc), Some(Key::Quit));
        assert_eq!(key(KeyCode::Char('c'), KeyModifiers::CONTROL), Some(Key::Quit));
        assert_eq!(key(KeyCode::Char('p'), KeyModifiers::CONTROL), None);
        assert_eq!(plain(KeyCode::F(1)), None);
    }

    #[test]
    fn legends_wrap_by_what_is_seen() {
        let entries = vec!["\u{1b}[0;1;38;5;1mk\u{1b}[0m key".to_owned(), "d door".to_owned()];
        assert_eq!(legend(entries.clone(), 13).len(), 1);
        assert_eq!(legend(entries, 12).len(), 2);
    }
}
