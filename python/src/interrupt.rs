//! Long work: on a thread of its own, while the caller waits without the interpreter's lock and looks
//! now and then whether somebody pressed Ctrl-C.
//!
//! The first Ctrl-C asks the work to end, which it does soon; if it does not, it is left behind. Python
//! code that is running in it gets a `KeyboardInterrupt` of its own.

use std::cell::RefCell;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use gamegrove_play::StopFlag;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;

/// How often signals are looked for.
const BEAT: Duration = Duration::from_millis(50);
/// How long Python code in the work has to return by itself.
const FIRST: Duration = Duration::from_millis(300);

thread_local! {
    /// The flag of the work that this thread does, so that work within work ends with it.
    static ABOVE: RefCell<Option<StopFlag>> = const { RefCell::new(None) };
}

/// What Python code within some work shares with whoever waits for the work.
#[derive(Default)]
pub struct Trouble {
    /// Ends the work when it is set.
    pub stop: StopFlag,
    /// The first exception.
    raised: Mutex<Option<PyErr>>,
    /// The interpreter's number of the thread that runs Python code now.
    thread: Mutex<Option<u64>>,
}

impl Trouble {
    /// Runs Python code within some work; an exception ends the work and is raised by whoever waits.
    pub fn within<T>(&self, call: impl FnOnce(Python<'_>) -> PyResult<T>) -> Option<T> {
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        Python::attach(|py| {
            let number = thread_number(py);
            *lock(&self.thread) = number;
            let result = call(py);
            *lock(&self.thread) = None;
            result
                .map_err(|error| {
                    lock(&self.raised).get_or_insert(error);
                    self.stop.store(true, Ordering::Relaxed);
                })
                .ok()
        })
    }

    /// The exception, if there was one.
    fn take(&self) -> Option<PyErr> {
        lock(&self.raised).take()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn thread_number(py: Python<'_>) -> Option<u64> {
    thread_local! {
        static NUMBER: RefCell<Option<u64>> = const { RefCell::new(None) };
    }
    NUMBER.with(|known| {
        if known.borrow().is_none() {
            let number = py.import("threading").and_then(|m| m.call_method0("get_ident"));
            *known.borrow_mut() = number.and_then(|number| number.extract()).ok();
        }
        *known.borrow()
    })
}

/// Does some work that runs no Python code.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&StopFlag) -> T + Send + 'static,
) -> PyResult<T> {
    run_with(py, &Arc::default(), Some(Duration::from_secs(2)), work)
}

/// Does some work that may run Python code through `trouble`. Once interrupted, it is left behind after
/// `patience`; without patience only a second Ctrl-C does that.
pub fn run_with<T: Send + 'static>(
    py: Python<'_>,
    trouble: &Arc<Trouble>,
    patience: Option<Duration>,
    work: impl FnOnce(&StopFlag) -> T + Send + 'static,
) -> PyResult<T> {
    let (job, results) = job(Arc::clone(&trouble.stop), work);
    thread().spawn(job)?;
    wait(py, trouble, patience, results)
}

/// Does some work that runs no Python code, that soon ends when it is asked to, and that borrows what it
/// works on: it is never left behind.
pub fn run_here<T: Send>(py: Python<'_>, work: impl FnOnce(&StopFlag) -> T + Send) -> PyResult<T> {
    let trouble = Trouble::default();
    std::thread::scope(|scope| {
        let (job, results) = job(Arc::clone(&trouble.stop), work);
        let thread = thread().spawn_scoped(scope, job)?;
        let result = wait(py, &trouble, None, results);
        // Its fault, if it ended by one, was found by waiting for the result.
        let _ = thread.join();
        result
    })
}

fn thread() -> std::thread::Builder {
    std::thread::Builder::new().name("gamegrove".to_owned())
}

/// Some work as what a thread does, and where its result arrives.
fn job<T>(stop: StopFlag, work: impl FnOnce(&StopFlag) -> T) -> (impl FnOnce(), Receiver<T>) {
    stop.store(false, Ordering::Relaxed);
    let (sender, results) = mpsc::sync_channel(1);
    let job = move || {
        ABOVE.with(|above| *above.borrow_mut() = Some(Arc::clone(&stop)));
        // Nobody listens any more if the work was left behind.
        let _ = sender.send(work(&stop));
    };
    (job, results)
}

/// Waits for the result of a job and listens for Ctrl-C.
fn wait<T: Send>(
    py: Python<'_>,
    trouble: &Trouble,
    patience: Option<Duration>,
    mut results: Receiver<T>,
) -> PyResult<T> {
    let stop = &trouble.stop;
    let above = ABOVE.with(|above| above.borrow().clone());
    let mut interrupted: Option<(PyErr, Instant)> = None;
    loop {
        let waiting = &mut results;
        match py.detach(move || waiting.recv_timeout(BEAT)) {
            Ok(result) => {
                if let Some((error, _)) = interrupted {
                    return Err(error);
                }
                return trouble.take().map_or(Ok(result), Err);
            }
            Err(RecvTimeoutError::Disconnected) => {
                let problem = "the work ended by a fault of its own; please report it";
                return Err(PyRuntimeError::new_err(problem));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if above.as_ref().is_some_and(|above| above.load(Ordering::Relaxed)) {
            stop.store(true, Ordering::Relaxed);
            interrupted.get_or_insert_with(|| (PyKeyboardInterrupt::new_err(()), Instant::now()));
        }
        if let Err(error) = py.check_signals() {
            stop.store(true, Ordering::Relaxed);
            if interrupted.is_some() {
                return Err(error);
            }
            interrupted = Some((error, Instant::now()));
        }
        if let Some((_, since)) = &interrupted {
            if since.elapsed() >= FIRST {
                interrupt_python(py, trouble)?;
            }
            if patience.is_some_and(|patience| since.elapsed() >= patience)
                && let Some((error, _)) = interrupted.take()
            {
                return Err(error);
            }
        }
    }
}

/// Raises `KeyboardInterrupt` in the Python code that the work is running, if it is.
fn interrupt_python(py: Python<'_>, trouble: &Trouble) -> PyResult<()> {
    let Some(thread) = lock(&trouble.thread).take() else { return Ok(()) };
    let ctypes = py.import("ctypes")?;
    let thread = ctypes.getattr("c_ulong")?.call1((thread,))?;
    let error = ctypes.getattr("py_object")?.call1((py.get_type::<PyKeyboardInterrupt>(),))?;
    let python = ctypes.getattr("pythonapi")?;
    python.call_method1("PyThreadState_SetAsyncExc", (thread, error))?;
    Ok(())
}
