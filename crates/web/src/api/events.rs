//! Live events: server-sent, one stream a page.
//!
//! A slow reader gets the newest value and misses those before it: a stream holds one value.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_core::Stream;
use tokio::sync::mpsc;

use super::Shared;
use super::experiments::Choice;
use crate::app::App;
use crate::refusal::{Answer, Refusal};
use crate::visitor::Visitor;

type Peer = ConnectInfo<std::net::SocketAddr>;

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

/// One open stream. It is counted for its visitor while it exists.
struct Listener(Arc<App>, Visitor);

impl Listener {
    fn new(app: &Arc<App>, visitor: Visitor) -> Answer<Listener> {
        let (each, all) = app.limits.listeners;
        let mut listeners = app.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        if listeners.values().sum::<usize>() >= all {
            return Err(Refusal::busy("too many are watching already"));
        }
        let own = listeners.entry(visitor.clone()).or_default();
        if *own >= each {
            return Err(Refusal::enough(
                format!("you are watching in {each} places"),
                "close some pages first",
            ));
        }
        *own += 1;
        Ok(Listener(Arc::clone(app), visitor))
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let mut listeners = self.0.listeners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = listeners.get_mut(&self.1) {
            *own -= 1;
            if *own == 0 {
                listeners.remove(&self.1);
            }
        }
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
    ConnectInfo(peer): Peer,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let found = app.matches.find(&id)?;
    let counted = Listener::new(&app, Visitor::of(peer, &headers))?;
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
    ConnectInfo(peer): Peer,
    headers: HeaderMap,
    Path(name): Path<String>,
    Query(choice): Query<Choice>,
) -> Answer<Sse<impl Stream<Item = Result<Event, Infallible>>>> {
    let counted = Listener::new(&app, Visitor::of(peer, &headers))?;
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
