//! A video game in the terminal: the level in colours, keys, a steady tick or turns.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::terminal::{self, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, queue};
use gamegrove_game::{Fault, Move};
use gamegrove_play::matches::Ending;
use gamegrove_play::matches::realtime::{RealTimeRecord, RealTimeRules};
use gamegrove_play::text::printable;
use gamegrove_play::video::Video;
use gamegrove_play::{Board, Budget, Player, Seat, State, open_level, real_time};
use gamegrove_vgdl::MAX_WORK;
use gamegrove_vgdl::level::World;
use gamegrove_vgdl::ontology::Action;
use gamegrove_vgdl::state::State as Sprites;

use crate::failure::Result;
use crate::output::Output;
use crate::screen::{Painter, Room};

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

/// A video game that is about to be played.
pub struct Table<'a> {
    /// The level.
    pub video: &'a Video,
    /// The same as a board.
    pub board: Arc<dyn Board>,
    /// The rules for agents.
    pub rules: RealTimeRules,
    /// The seed of its chance.
    pub seed: u64,
}

/// A game that was played.
pub struct Played {
    /// Its record.
    pub record: RealTimeRecord,
    /// Its last state.
    pub last: State,
}

impl Table<'_> {
    /// A game in `video`.
    pub fn new(video: &Video, rules: RealTimeRules, seed: u64) -> Table<'_> {
        Table { video, board: open_level(video.clone()), rules, seed }
    }

    /// The state in which it starts.
    pub fn start(&self) -> State {
        self.board.start(self.seed)
    }

    /// Plays; `watch` sees every state and ends the game by returning `false`.
    pub fn play(&self, seats: &mut [Seat], watch: &mut dyn FnMut(&State) -> bool) -> Played {
        let mut last = self.start();
        let record = real_time(&self.board, seats, &self.rules, self.seed, &mut |state, _| {
            last = state.clone();
            watch(state)
        });
        Played { record, last }
    }

    /// Whether there is no tick left to play: the game has ended, or the rules give it no more ticks.
    pub fn is_over(&self, state: &State) -> bool {
        let state = sprites(state);
        state.is_over() || state.tick() >= i32::try_from(self.rules.tick_limit).unwrap_or(i32::MAX)
    }

    /// Draws a state as lines that stay.
    pub fn draw(&self, state: &State, out: &mut Output) -> Result<()> {
        let (world, state) = (&self.video.world, sprites(state));
        let (painter, width) = (Painter::new(world, out.style.colour), out.style.width);
        let room = Room { width, height: usize::MAX };
        let symbols = legend(painter.legend(world, state, 0), width);
        for line in painter.draw(world, state, 0, room).iter().chain(&symbols) {
            out.picture(&format!("{line}\n"))?;
        }
        Ok(())
    }
}

/// A state of a video game as its engine knows it.
fn sprites(state: &State) -> &Sprites {
    state.of().expect("a state of a video game")
}

/// The actions that the people at the keyboard chose for the next tick, by role.
#[derive(Clone, Default)]
pub struct Keyboard(Arc<Mutex<BTreeMap<usize, Action>>>);

impl Keyboard {
    fn actions(&self) -> MutexGuard<'_, BTreeMap<usize, Action>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The player of a role who does what the keys say.
    pub fn player(&self, role: usize) -> Box<dyn Player> {
        Box::new(Person { keyboard: self.clone(), role })
    }
}

struct Person {
    keyboard: Keyboard,
    role: usize,
}

impl Player for Person {
    fn choose(&mut self, _: &State, _: &Budget) -> Option<Move> {
        self.keyboard.actions().remove(&self.role).map(|action| Move(action as u32))
    }
}

/// What happens after a state was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// A tick goes by, or the game is found to be over.
    Tick,
    /// The game starts again.
    Again,
    /// The game is left.
    Leave,
}

/// A game on the screen.
struct Screen<'a> {
    terminal: Terminal,
    table: &'a Table<'a>,
    title: &'a str,
    pace: Pace,
    painter: &'a Painter,
    keyboard: &'a Keyboard,
    /// The roles of people.
    people: &'a [usize],
    /// When the next tick is due.
    due: Instant,
}

/// Plays until the game is left, also beyond its end: it can be played again. Agents then go on with what
/// they know and with their own chance.
pub fn play(
    table: &Table<'_>,
    seats: &mut [Seat],
    (keyboard, people): (&Keyboard, &[usize]),
    title: &str,
    pace: Pace,
    out: &mut Output,
) -> Result<Played> {
    out.flush()?;
    let to: Box<dyn Write> =
        if out.is_json() { Box::new(io::stderr()) } else { Box::new(io::stdout()) };
    let painter = &Painter::new(&table.video.world, out.style.colour);
    let terminal = Terminal::enter(to)?;
    let due = Instant::now() + pace.tick();
    let mut screen = Screen { terminal, table, title, pace, painter, keyboard, people, due };
    // Agents that prepare themselves take a while.
    screen.draw(&table.start(), false)?;
    loop {
        let mut next = Ok(Next::Tick);
        let played = table.play(seats, &mut |state| {
            next = screen.tick(state);
            matches!(next, Ok(Next::Tick))
        });
        if next? != Next::Again {
            return Ok(played);
        }
    }
}

impl Pace {
    fn tick(self) -> Duration {
        match self {
            Pace::Steady(tick) => tick,
            Pace::Turns => Duration::from_millis(100),
        }
    }
}

impl Screen<'_> {
    /// Shows a state and waits for the next tick.
    fn tick(&mut self, state: &State) -> io::Result<Next> {
        let mut paused = false;
        self.draw(state, paused)?;
        // Turns need somebody who takes them.
        let turns = self.pace == Pace::Turns && !self.people.is_empty();
        let over = self.table.is_over(state);
        let mut acted = false;
        loop {
            let waiting = over || paused || (turns && !acted);
            if !waiting && (turns || Instant::now() >= self.due) {
                break;
            }
            let patience = match waiting {
                true => Duration::from_secs(3600),
                false => self.due.saturating_duration_since(Instant::now()),
            };
            if !event::poll(patience)? {
                continue;
            }
            match event::read()? {
                Event::Key(pressed) => match meaning(pressed) {
                    Some(Key::Quit) if over => return Ok(Next::Tick),
                    Some(Key::Quit) => return Ok(Next::Leave),
                    Some(Key::Restart) => {
                        self.due = Instant::now() + self.pace.tick();
                        return Ok(Next::Again);
                    }
                    Some(Key::Pause) if !over => {
                        paused = !paused;
                        self.due = Instant::now() + self.pace.tick();
                        self.draw(state, paused)?;
                    }
                    Some(Key::Act(person, action)) if !over && !paused => {
                        if let Some(&role) = self.people.get(person) {
                            self.keyboard.actions().insert(role, action);
                            acted = true;
                        }
                    }
                    _ => {}
                },
                Event::Resize(..) => self.draw(state, paused)?,
                _ => {}
            }
        }
        // Time lost to a slow terminal is not made up for.
        self.due = (self.due + self.pace.tick()).max(Instant::now());
        Ok(Next::Tick)
    }

    fn draw(&mut self, state: &State, paused: bool) -> io::Result<()> {
        let over = self.table.is_over(state);
        let (world, state) = (&self.table.video.world, sprites(state));
        let (width, height) = terminal::size()?;
        let (width, height) = (usize::from(width), usize::from(height));
        let player = self.people.first().copied().unwrap_or(0);
        let room = Room { width, height: height.saturating_sub(4) };
        let mut lines = vec![cut(&status(world, state, self.title), width)];
        lines.extend(self.painter.draw(world, state, player, room));
        lines.extend(legend(self.painter.legend(world, state, player), width));
        let footer = match (over, paused) {
            (true, _) => format!("{} r again, q quit", told(world, state)),
            (false, true) => "Paused. p goes on, r again, q quit".to_owned(),
            (false, false) => "arrow keys, space, . waits, p pause, r again, q quit".to_owned(),
        };
        // The last line always has room for what the keys do.
        lines.truncate(height.saturating_sub(1));
        lines.push(cut(&footer, width));
        self.terminal.show(&lines)
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

    fn show(&mut self, lines: &[String]) -> io::Result<()> {
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
fn status(world: &World, state: &Sprites, title: &str) -> String {
    let mut parts = vec![title.to_owned(), format!("tick {}", state.tick())];
    let players = world.rules.players;
    for player in 0..players {
        let who = if players > 1 { format!(" {}", player + 1) } else { String::new() };
        parts.push(format!("score{who} {}", state.player(player).score));
        let view = world.view(state, player);
        let Some(avatar) = view.avatar() else { continue };
        if avatar.max_health > 0 {
            parts.push(format!("health{who} {}", avatar.health));
        }
        for (ty, amount) in view.resources() {
            parts.push(format!("{}{who} {amount}", world.rules.types[ty].name));
        }
    }
    printable(&parts.join("  "))
}

/// How a game ended, in words.
pub fn outcome(table: &Table<'_>, played: &Played) -> String {
    match played.record.ending {
        Ending::Fault => format!("Stopped: {}.", overworked()),
        _ => told(&table.video.world, sprites(&played.last)),
    }
}

/// The limit that a video game can hit.
pub fn overworked() -> Fault {
    Fault::Work { limit: MAX_WORK }
}

fn told(world: &World, state: &Sprites) -> String {
    let players = world.rules.players;
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
