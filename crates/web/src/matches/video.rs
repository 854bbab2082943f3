//! Video games: a steady tick, whatever people press and agents find in time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamegrove_vgdl::ontology::Action;

use super::{Match, Play, Seat};
use crate::app::App;
use crate::refusal::{Answer, Refusal};

/// How long an agent thinks about a tick: what the public competition gives.
const THINK: Duration = Duration::from_millis(40);

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
                    let ended = app.quick.run(move || job.tick(steps)).await;
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
        let agents = self.setting.seats.iter().enumerate().filter_map(|(role, seat)| match seat {
            Seat::Agent(agent) => Some((role, agent)),
            Seat::Person | Seat::Recorded(_) => None,
        });
        for (role, agent) in agents {
            let (job, agent, shared) = (Arc::clone(self), agent.clone(), Arc::clone(app));
            let thinker = app.quick.run(move || {
                let play = job.play();
                let busy = play.over.is_some() || play.paused;
                let order = job.order(&play, &shared, &agent, role, THINK);
                (!busy).then(|| (play.line.thinker(), order))
            });
            let Ok(Some((thinker, order))) = thinker.await else { continue };
            let found = Arc::clone(self);
            let ply = self.play().line.plies();
            let thought = app.search.run(move || {
                let thought = thinker.think(&order, &mut |_| {});
                if let Ok(thought) = &thought
                    && let Some(insight) = &thought.insight
                    && ply.is_multiple_of(5)
                {
                    let mut insight = insight.clone();
                    insight.ply = ply;
                    found.tell_insight(&insight);
                }
                thought
            });
            let action = match thought.await {
                Ok(Ok(thought)) => thought.mov.and_then(|name| Action::named(&name)),
                Ok(Err(trouble)) => {
                    self.play().trouble = Some(trouble);
                    None
                }
                Err(_) => None,
            };
            self.play().keys[role] = (Action::Nil, action);
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
