// Live events of the server, without taking all the connections that a browser has for one host.
//
// A browser keeps six connections to a server, and every open event stream takes one. Hidden tabs
// therefore have no stream, and visible ones share a few places by the Web Locks API. A tab without a place
// asks for the state once a second instead.

import { get, Refusal } from "./api";

/** Streams of all tabs together; the rest of the six connections is for requests. */
const PLACES = 3;
/** Milliseconds between two questions, and before another try. */
const EVERY = 1000;

export interface Listener<T> {
  /** Where the state is, and where its events are. */
  state: string;
  events: string;
  /** The name of the event with the state. */
  name: string;
  /** Whether the stream tells changes alone, so that the state has to be asked for first. */
  askFirst?: boolean;
  onstate: (state: T) => void;
  /** Other events by name. */
  others?: Record<string, (data: unknown) => void>;
  /** The server cannot be reached, or can be again. */
  onlost: (lost: boolean) => void;
  /** The server answers, and there is no such thing. */
  ongone: (problem: unknown) => void;
}

/** Listens until the returned function is called. */
export function listen<T>(listener: Listener<T>): () => void {
  let stream: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let release: (() => void) | null = null;
  let ended = false;
  let lastText = "";

  function hear(text: string) {
    listener.onlost(false);
    if (text !== lastText) listener.onstate(JSON.parse(text));
    lastText = text;
  }

  /** Asks once, and says whether to go on. */
  async function ask(): Promise<boolean> {
    try {
      const state = await get<T>(listener.state);
      if (!ended) hear(JSON.stringify(state));
      return true;
    } catch (problem) {
      if (ended) return false;
      // What is not there does not come back. Everything else may.
      if (problem instanceof Refusal && problem.status === 404) {
        stop();
        listener.ongone(problem);
        return false;
      }
      listener.onlost(true);
      return true;
    }
  }

  function open() {
    stream = new EventSource(listener.events);
    stream.addEventListener(listener.name, (event) => hear(event.data));
    for (const [name, tell] of Object.entries(listener.others ?? {})) {
      stream.addEventListener(name, (event) => tell(JSON.parse((event as MessageEvent<string>).data)));
    }
    stream.onerror = () => {
      listener.onlost(true);
      stream?.close();
      stream = null;
      lastText = "";
      void ask().then((go) => go && later());
    };
  }
  function later() {
    clearTimeout(timer);
    if (!ended) timer = setTimeout(begin, EVERY);
  }

  /** Opens a stream if there is a place, and asks otherwise. */
  async function begin() {
    clearTimeout(timer);
    if (ended || stream || document.hidden) return;
    if (release || (await place())) {
      if (!ended && !stream && !document.hidden) open();
    } else if (await ask()) later();
  }

  /** Takes one of the places of all tabs, and keeps it until `release` is called. */
  async function place(): Promise<boolean> {
    // Browsers have locks on secure pages only.
    if (!navigator.locks) return true;
    for (let number = 0; number < PLACES; number += 1) {
      const got = await new Promise<boolean>((resolve) => {
        void navigator.locks.request(`grove-events-${number}`, { ifAvailable: true }, (lock) => {
          if (!lock || ended || release) return resolve(release !== null);
          return new Promise<void>((free) => {
            release = free;
            resolve(true);
          });
        });
      });
      if (got) return true;
    }
    return false;
  }

  function close() {
    clearTimeout(timer);
    stream?.close();
    stream = null;
    release?.();
    release = null;
  }
  function turn() {
    if (document.hidden) close();
    else void begin();
  }
  function stop() {
    ended = true;
    close();
    document.removeEventListener("visibilitychange", turn);
  }

  document.addEventListener("visibilitychange", turn);
  if (listener.askFirst) void ask().then((go) => (go ? begin() : undefined));
  else void begin();
  return stop;
}
