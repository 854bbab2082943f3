//! Video games: a steady tick, whatever people press and agents find in time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_vgdl::ontology::Action;

use super::{Match, Play, Seat};
use crate::app::App;
use crate::refusal::{Answer, Refusal};

/// How long an agent thinks about a tick, and before the first: what the public competition gives.
const THINK: Duration = Duration::from_millis(40);
const PREPARE: Duration = Duration::from_secs(1);
/// Of so many ticks one tells what the agent thought.
const TELL: usize = 5;

impl Match {
    /// Lets time pass in a video game until it is over or forgotten.
    pub fn start_ticking(self: &Arc<Match>, app: &Arc<App>) {
        let (found, app) = (Arc::downgrade(self), Arc::clone(app));
        app.clone().runtime.spawn(async move {
            let mut due = tokio::time::Instant::now();
            loop {
                let Some(playing) = found.upgrade() else { return };
                if playing.closed.load(Ordering::Relaxed) {
                    return;
                }
                due += playing.setting.tick;
                // Time that was lost is not made up for.
                due = due.max(tokio::time::Instant::now());
                let watched = playing.news.receiver_count() > 0;
                if watched {
                    playing.think_ahead(&app).await;
                    let job = Arc::clone(&playing);
                    let steps = app.limits.steps;
                    let ended = app.quick_in(&playing.room).run(move || job.tick(steps)).await;
                    if ended.is_ok_and(|ended| ended) {
                        return;
                    }
                }
                drop(playing);
                tokio::time::sleep_until(due).await;
            }
        });
    }

    /// Lets the agents choose for the next tick.
    async fn think_ahead(self: &Arc<Match>, app: &Arc<App>) {
        for (role, seat) in self.setting.seats.iter().enumerate() {
            let Seat::Agent(agent) = seat else { continue };
            let (found, agent, shared) = (Arc::clone(self), agent.clone(), Arc::clone(app));
            // Where too many wait nothing is chosen, and the tick goes on without it.
            let _ = app.realtime.run(move || found.choose_for_tick(&shared, role, &agent)).await;
        }
    }

    /// Lets an agent choose for the next tick.
    fn choose_for_tick(&self, app: &App, role: usize, agent: &Agent) {
        let play = self.play();
        if play.over.is_some() || play.paused {
            return;
        }
        let ply = play.line.plies();
        let mut order = self.order(&play, app, agent, role, THINK);
        if ply == 0 {
            order.prepare = PREPARE;
        }
        let thinker = play.line.thinker(Some(role));
        drop(play);
        let thought = self.think(app, thinker, &order, &mut |_| {});
        let mut play = self.play();
        match thought {
            Ok(thought) => {
                let action = thought.mov.and_then(|name| Action::named(&name));
                play.keys[role] = (Action::Nil, action);
                if let Some(mut insight) = thought.insight.filter(|_| ply.is_multiple_of(TELL)) {
                    insight.ply = ply;
                    self.tell_insight(&insight);
                }
            }
            Err(trouble) => play.trouble = Some(trouble),
        }
    }

    /// Plays one tick; true if there will be no more.
    fn tick(&self, most: usize) -> bool {
        let mut play = self.play();
        if play.over.is_some() {
            self.publish(&mut play);
            return true;
        }
        if play.paused {
            return false;
        }
        let joint: Vec<String> = joint(&mut play);
        if let Err(trouble) = play.line.play(&joint) {
            play.over = Some("fault");
            play.trouble = Some(trouble);
        } else {
            play.hinting = false;
            play.seen = play.line.look(usize::MAX);
            play.over = play.seen.over;
            if play.over.is_none() && play.line.plies() >= most {
                play.over = Some("step-limit");
            }
        }
        self.publish(&mut play);
        play.over.is_some()
    }

    /// A person presses or lets go of a key.
    pub fn key(&self, role: usize, action: &str, down: bool) -> Answer<()> {
        let action = Action::named(action)
            .ok_or_else(|| Refusal::wrong("no such action", "UP, LEFT, DOWN, RIGHT, USE or NIL"))?;
        let mut play = self.play();
        self.check_person(&play, role)?;
        // Who asked for a hint and has read it goes on by playing.
        if down && play.hint.is_some() {
            play.paused = false;
        }
        let keys = &mut play.keys[role];
        match (down, keys.0 == action) {
            (true, _) => *keys = (action, Some(action)),
            (false, true) => keys.0 = Action::Nil,
            (false, false) => {}
        }
        self.touch();
        Ok(())
    }
}

/// What everybody does in the next tick: what was pressed since the last, else what is held down.
fn joint(play: &mut Play) -> Vec<String> {
    let legal = &play.seen.legal;
    let chosen = play.keys.iter_mut().zip(legal).map(|(keys, legal)| {
        let action = keys.1.take().unwrap_or(keys.0);
        let name = action.name();
        let fits = legal.iter().any(|known| known == name);
        if fits { name } else { Action::Nil.name() }.to_owned()
    });
    chosen.collect()
}
