//! Agents in a match: they are asked for moves and for hints, on threads for searches.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::{Move, Role};
use gamegrove_play::matches::{Answer as Chosen, Wrong};
use gamegrove_play::{State, player_seeds};

use super::tree::{MAX_TREES, Searched};
use super::{Hint, Match, PACE, Play, Seat};
use crate::app::App;
use crate::refusal::Answer;
use crate::thinking::{Insight, Mind, Task, Thought, within_limits};

/// How long hints are thought about.
const HINT: Duration = Duration::from_secs(2);
/// The ticks that a hint in a video game is for.
const HINT_TICKS: usize = 10;

/// A position of a match: the number of steps before it, and of the times that moves were taken back.
pub(super) type Position = (usize, u64);

impl Match {
    /// Lets the agents think that have yet to choose.
    pub(super) fn ask_agents(self: &Arc<Match>, play: &mut Play, app: &Arc<App>) {
        for role in play.course.wanted().collect::<Vec<Role>>() {
            let Seat::Agent(agent) = &self.setting.seats[role.index()] else { continue };
            if std::mem::replace(&mut play.thinking[role.index()], true) {
                continue;
            }
            let task = self.task(app, agent, role, self.setting.clock);
            let asked = self.start_search(play, app, task, move |found, app, result| {
                found.agent_chose(role, result);
                found.settle(app);
            });
            if let Err(refusal) = asked {
                // The queue is full: any move is better than none, and the page says why.
                let problem = (Wrong::Missing, refusal.error);
                play.trouble = Some(problem.1.clone());
                let taken = play.step_began.elapsed();
                play.course.answer(role, Chosen { choice: Err(problem), taken, search: None });
                play.thinking[role.index()] = false;
                self.settle_after(PACE, app);
            }
        }
    }

    /// A question to the agent of a role.
    pub(super) fn task(&self, app: &App, agent: &Agent, role: Role, time: Duration) -> Task {
        Task {
            agent: within_limits(agent, self.room.board.about().chance, &app.limits),
            role,
            time: time.min(app.limits.clock),
            prepare: Duration::ZERO,
            ahead: 1,
        }
    }

    fn is_at(&self, play: &Play, position: Position) -> bool {
        play.position() == position && play.is_open() && !self.closed.load(Ordering::Relaxed)
    }

    /// Lets an agent think about a position, on the thread that calls this; `None` if the match has left it
    /// meanwhile. An agent that does not come back in time is stopped, so that others get to think.
    pub(super) fn think(
        &self,
        app: &App,
        task: &Task,
        at: Position,
        tell: &dyn Fn(&Insight),
    ) -> Option<Result<Thought, String>> {
        let board = &*self.room.board;
        // A player that plans ahead leaves the match, and must not be remembered.
        let remembers = task.ahead == 1 && self.room.remembers;
        let memory = remembers.then(|| Arc::clone(&self.play().memories[task.role.index()]));
        let mut held = memory.as_ref().and_then(|memory| memory.hold());
        let mut mind = held.as_mut().and_then(|held| held.take());
        let (first, missed, state) = {
            let mut play = self.play();
            if !self.is_at(&play, at) {
                return None;
            }
            let first = Mind::first_missed(&mut mind, at.0, self.room.is_video());
            let step = |step| {
                let joint = play.course.joint(step).unwrap_or_default().to_vec();
                (play.course.state_after(step), joint)
            };
            let missed: Vec<(State, Vec<Move>)> = (first..at.0).map(step).collect();
            (first, missed, play.course.shown())
        };
        let mut mind = match mind {
            Some(mind) => mind,
            None => {
                let seed = player_seeds(&self.room.board, self.setting.seed)[task.role.index()];
                match Mind::new(board, task, seed) {
                    Ok(mind) => mind,
                    Err(trouble) => return Some(Err(trouble)),
                }
            }
        };
        let (stop, patience) = (mind.stop(), task.prepare + task.time + app.limits.search_grace);
        let ends = Arc::clone(&stop);
        let timer = app.runtime.spawn(async move {
            tokio::time::sleep(patience).await;
            ends.store(true, Ordering::Relaxed);
        });
        mind.follow(first, &missed);
        let nodes = app.limits.tree_nodes;
        let thought = mind.think(board, &state, task, nodes, &mut |insight| match self
            .is_at(&self.play(), at)
        {
            true => tell(&insight),
            false => stop.store(true, Ordering::Relaxed),
        });
        timer.abort();
        if let (Some(memory), Some(held)) = (&memory, &mut held)
            && !stop.load(Ordering::Relaxed)
        {
            **held = Some(mind);
            app.minds.used(memory);
        }
        self.is_at(&self.play(), at).then_some(Ok(thought))
    }

    /// Starts a search; `done` hears what came out, unless the match has left the position by then.
    fn start_search(
        self: &Arc<Match>,
        play: &Play,
        app: &Arc<App>,
        task: Task,
        done: impl FnOnce(&Arc<Match>, &Arc<App>, Result<Thought, String>) + Send + 'static,
    ) -> Answer<()> {
        let (found, shared, at) = (Arc::clone(self), Arc::clone(app), play.position());
        app.search_in(&self.room).start(move || {
            let tell = |insight: &Insight| found.tell_insight(insight);
            let Some(mut result) = found.think(&shared, &task, at, &tell) else { return };
            if let Ok(thought) = &mut result {
                thought.insight.iter().for_each(tell);
                let nodes = std::mem::take(&mut thought.tree);
                if !nodes.is_empty() {
                    found.play().keep_tree(Searched { ply: at.0, role: task.role, nodes });
                }
            }
            done(&found, &shared, result);
        })
    }

    /// Takes what an agent chose, or any legal move in its place.
    fn agent_chose(&self, role: Role, result: Result<Thought, String>) {
        let mut play = self.play();
        if !play.course.wanted().any(|wanted| wanted == role) {
            return;
        }
        let thought = result.unwrap_or_else(|trouble| {
            play.trouble = Some(trouble);
            Thought::default()
        });
        let (ply, roles) = (play.course.plies(), play.thinking.len());
        play.insights.resize_with(ply + 1, Vec::new);
        play.insights[ply].resize(roles, None);
        play.insights[ply][role.index()] = thought.insight;
        play.thinking[role.index()] = false;
        let (taken, search) = (thought.taken, thought.search);
        let choice = thought.mov.ok_or_else(|| (Wrong::Missing, "no move".to_owned()));
        if choice.is_err() && play.trouble.is_none() {
            let name = &self.room.roles()[role.index()];
            play.trouble = Some(format!("the agent of {name} ran out of time; any move was made"));
        }
        play.course.answer(role, Chosen { choice, taken, search });
    }

    /// Lets an agent think about what a person could play.
    pub fn hint(self: &Arc<Match>, app: &Arc<App>, role: usize) -> Answer<()> {
        let mut play = self.play();
        let role = self.person(&play, role)?;
        if play.hinting {
            return Ok(());
        }
        let agent = self.room.agent(self.room.default_agent())?;
        let mut task = self.task(app, &agent, role, HINT);
        if self.room.is_video() {
            // One tick's move is of no use to a person: the next few are, and time to read them.
            task.ahead = HINT_TICKS;
            play.paused = true;
        }
        self.start_search(&play, app, task, move |found, _, result| {
            let mut play = found.play();
            let ply = play.course.plies();
            play.hinting = false;
            match result {
                Ok(Thought { mov, after, .. }) => play.hint = Some(Hint { ply, role, mov, after }),
                Err(trouble) => play.trouble = Some(trouble),
            }
            found.publish(&mut play);
        })?;
        play.hinting = true;
        self.publish(&mut play);
        Ok(())
    }
}

impl Play {
    /// The position the match is in.
    pub(super) fn position(&self) -> Position {
        (self.course.plies(), self.epoch)
    }

    fn keep_tree(&mut self, searched: Searched) {
        self.searched.retain(|kept| (kept.ply, kept.role) != (searched.ply, searched.role));
        if self.searched.len() >= MAX_TREES {
            self.searched.remove(0);
        }
        self.searched.push(searched);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Mutex;

    use gamegrove_play::{Budget, Player};

    use super::*;
    use crate::limits::Limits;
    use crate::matches::Setting;
    use crate::room::{Room, Sheet};
    use crate::visitor::Visitor;

    /// A player that notes the states it is shown and always does the same.
    struct Spy(Move, Arc<Mutex<Vec<State>>>);

    impl Player for Spy {
        fn choose(&mut self, state: &State, _: &Budget) -> Option<Move> {
            self.1.lock().expect("no panic").push(state.clone());
            Some(self.0)
        }
    }

    #[tokio::test]
    async fn no_agent_can_foretell_what_chance_will_bring() {
        let limits = Limits::default();
        let app = App::new(limits.clone(), Path::new("/nonexistent")).expect("threads");
        let sheet = Sheet::Shipped("aliens".to_owned());
        let room = Arc::new(Room::open(&sheet, 0, &limits, &Arc::default()).expect("it ships"));
        let agent = Agent::find("random").expect("it ships");
        let setting = Setting {
            seats: vec![Seat::Agent(Box::new(agent.clone()))],
            clock: Duration::ZERO,
            seed: 1,
            tick: Duration::ZERO,
        };
        let visitor = Visitor::Browser(String::new());
        let id = "a test".to_owned();
        let found = Match::after(id, visitor, room, setting, Vec::new(), &limits).expect("a match");
        let shown: Arc<Mutex<Vec<State>>> = Arc::default();
        let waiting = found.room.waiting();
        let spy = Mind::of(Box::new(Spy(waiting, Arc::clone(&shown))));
        *found.play().memories[0].hold().expect("no other thread") = Some(spy);
        let (mut foretold, mut same) = (0, 0);
        const TICKS: usize = 60;
        for tick in 0..TICKS {
            let task = found.task(&app, &agent, Role(0), Duration::from_millis(1));
            let at = (tick, 0);
            let thought = found.think(&app, &task, at, &|_| {}).expect("here").expect("it plays");
            let mut play = found.play();
            let board = Arc::clone(play.course.board());
            let seen = shown.lock().expect("no panic").pop().expect("it was asked");
            same += usize::from(seen == *play.course.state());
            assert_eq!(board.facts(&seen), board.facts(play.course.state()), "all else is shown");
            let joint = [thought.mov.expect("it always moves")];
            let guess = board.next(&seen, &joint).expect("no limit");
            play.course.submit(Role(0), joint[0]).expect("it is legal");
            play.step();
            foretold += usize::from(board.facts(&guess) == board.facts(play.course.state()));
        }
        assert_eq!(same, 0, "the state that is shown has another future");
        assert!(foretold < TICKS, "chance was known in every tick");
    }
}
