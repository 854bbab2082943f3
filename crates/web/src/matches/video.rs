//! Video games: a steady tick, whatever people press and agents find in time.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use gamegrove_agents::Agent;
use gamegrove_game::Role;

use super::{Match, Seat};
use crate::app::App;
use crate::refusal::{Answer, Refusal};

/// How long an agent thinks about a tick, and before the first: what the public competition gives.
const THINK: Duration = Duration::from_millis(40);
const PREPARE: Duration = Duration::from_secs(1);
/// The findings of the agent are sent once in so many ticks.
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
                    let ended = app.quick_in(&playing.room).run(move || job.tick()).await;
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
        for (role, seat) in Role::all(self.setting.seats.len()).zip(&self.setting.seats) {
            let Seat::Agent(agent) = seat else { continue };
            let (found, agent, shared) = (Arc::clone(self), agent.clone(), Arc::clone(app));
            // Where too many wait nothing is chosen, and the tick goes on without it.
            let _ = app.realtime.run(move || found.choose_for_tick(&shared, role, &agent)).await;
        }
    }

    /// Lets an agent choose for the next tick.
    fn choose_for_tick(&self, app: &App, role: Role, agent: &Agent) {
        let at = {
            let play = self.play();
            if !play.is_open() || play.paused {
                return;
            }
            play.position()
        };
        let mut task = self.task(app, agent, role, THINK);
        task.prepare = PREPARE;
        let thought = self.think(app, &task, at, &|_| {});
        let mut play = self.play();
        match thought {
            Some(Ok(thought)) => {
                play.keys[role.index()] = (None, thought.mov);
                if let Some(insight) = thought.insight.filter(|_| at.0.is_multiple_of(TELL)) {
                    self.tell_insight(&insight);
                }
            }
            Some(Err(trouble)) => play.trouble = Some(trouble),
            None => {}
        }
    }

    /// Plays one tick; true if there will be no more.
    fn tick(&self) -> bool {
        let mut play = self.play();
        if play.is_open() && play.paused {
            return false;
        }
        for role in play.course.wanted().collect::<Vec<Role>>() {
            // What was pressed since the last tick, else what is held down.
            let keys = &mut play.keys[role.index()];
            let pressed = keys.1.take().or(keys.0);
            let legal = play.course.view().legal(role);
            let mov = [pressed, Some(self.room.waiting())];
            let mov = mov.into_iter().flatten().find(|mov| legal.contains(mov));
            let _ = mov.map(|mov| play.course.submit(role, mov));
        }
        if play.is_open() {
            play.step();
        }
        self.publish(&mut play);
        !play.is_open()
    }

    /// A person presses or lets go of a key.
    pub fn key(&self, role: usize, action: &str, down: bool) -> Answer<()> {
        let mut play = self.play();
        let role = self.person(&play, role)?;
        let action =
            play.course.board().find_move(role, action).ok_or_else(|| {
                Refusal::wrong("no such action", "UP, LEFT, DOWN, RIGHT, USE or NIL")
            })?;
        // After a hint the game continues with the person's next key.
        if down && play.hint.is_some() {
            play.paused = false;
        }
        let keys = &mut play.keys[role.index()];
        match (down, keys.0 == Some(action)) {
            (true, _) => *keys = (Some(action), Some(action)),
            (false, true) => keys.0 = None,
            (false, false) => {}
        }
        self.touch();
        Ok(())
    }
}
