//! Live events: server-sent, one stream a page.
//!
//! A slow reader gets the newest value and misses those before it: a stream holds one value.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{Path, Query, State};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_core::Stream;
use tokio::sync::mpsc;

use super::Shared;
use super::experiments::Choice;
use crate::app::App;
use crate::refusal::{Answer, Refusal};

/// A stream of events that ends when its reader is gone.
pub struct Events {
    from: mpsc::Receiver<Event>,
    _counted: Listener,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.from.poll_recv(context).map(|event| event.map(Ok))
    }
}

/// One open stream. It is counted while it exists.
struct Listener(Arc<AtomicUsize>);

impl Listener {
    fn new(app: &App) -> Answer<Listener> {
        let listener = Listener(Arc::clone(&app.listeners));
        match listener.0.fetch_add(1, Ordering::Relaxed) >= app.limits.listeners {
            true => Err(Refusal::busy("too many are watching already")),
            false => Ok(listener),
        }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn stream(
    counted: Listener,
    from: mpsc::Receiver<Event>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let alive = KeepAlive::new().interval(Duration::from_secs(15));
    Sse::new(Events { from, _counted: counted }).keep_alive(alive)
}

/// `GET /api/matches/{id}/events`: `state` whenever something happened, `insight` while agents think.
pub async fn of_match(
    State(app): Shared,
    Path(id): Path<String>,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let found = app.matches.find(&id)?;
    let counted = Listener::new(&app)?;
    let (to, from) = mpsc::channel(1);
    let (mut news, mut insight) = found.listen();
    // What there is now; the news are what comes after it.
    let (first, most) = (Arc::clone(&found), app.limits.listed_moves);
    let pool = app.quick_in(&found.room);
    let state = pool.run(move || serde_json::to_string(&first.state(most))).await?;
    drop(found);
    tokio::spawn(async move {
        if let Ok(state) = state
            && to.send(Event::default().event("state").data(state)).await.is_err()
        {
            return;
        }
        // What was thought last may still be of interest.
        insight.mark_changed();
        loop {
            let event = tokio::select! {
                biased;
                () = to.closed() => return,
                changed = news.changed() => {
                    if changed.is_err() { return }
                    let text = Arc::clone(&news.borrow_and_update().0);
                    ("state", text)
                }
                changed = insight.changed() => {
                    if changed.is_err() { return }
                    let text = Arc::clone(&insight.borrow_and_update().0);
                    ("insight", text)
                }
            };
            let (name, text) = event;
            if !text.is_empty() && to.send(Event::default().event(name).data(&*text)).await.is_err()
            {
                return;
            }
        }
    });
    Ok(stream(counted, from))
}

/// The time between two looks at an experiment.
const LOOK: Duration = Duration::from_secs(2);

/// `GET /api/experiments/{name}/events`: `report` whenever the results have changed.
pub async fn of_experiment(
    State(app): Shared,
    Path(name): Path<String>,
    Query(choice): Query<Choice>,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let counted = Listener::new(&app)?;
    let (to, from) = mpsc::channel(1);
    tokio::spawn(async move {
        let mut last: Arc<str> = "".into();
        loop {
            let (shared, name, profile) = (Arc::clone(&app), name.clone(), choice.profile.clone());
            let job = move || shared.experiments.page(&name, profile.as_deref());
            match app.browsing.run(job).await.and_then(|page| page) {
                Ok(page) if page != last => {
                    let event = Event::default().event("report").data(&*page);
                    last = page;
                    if to.send(event).await.is_err() {
                        return;
                    }
                }
                Ok(_) | Err(_) => {}
            }
            tokio::select! {
                () = to.closed() => return,
                () = tokio::time::sleep(LOOK) => {}
            }
        }
    });
    Ok(stream(counted, from))
}
