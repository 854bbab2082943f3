//! Python code that plays: agents in matches, and policies for play-outs.

use std::sync::Arc;

use gamegrove_game::{Move, Rng, Role};
use gamegrove_play::{Budget as Plan, Player, PlayoutFn, State as At};
use pyo3::prelude::*;

use crate::game::Game;
use crate::interrupt::Trouble;
use crate::state::{Course, State};

/// What an agent may spend on a move; None where there is no limit.
#[pyclass(frozen, module = "gamegrove")]
pub struct Budget {
    /// Seconds that are left.
    #[pyo3(get)]
    seconds: Option<f64>,
    /// Simulations.
    #[pyo3(get)]
    simulations: Option<u64>,
}

#[pymethods]
impl Budget {
    fn __repr__(&self) -> String {
        let shown = |limit: Option<String>| limit.unwrap_or_else(|| "None".to_owned());
        let seconds = shown(self.seconds.map(|seconds| format!("{seconds:.3}")));
        let simulations = shown(self.simulations.map(|count| count.to_string()));
        format!("Budget(seconds={seconds}, simulations={simulations})")
    }
}

impl From<&Plan> for Budget {
    fn from(plan: &Plan) -> Budget {
        let seconds = plan.time_limit().map(|time| time.as_secs_f64());
        Budget { seconds, simulations: plan.simulation_limit() }
    }
}

/// A Python object as a player: one with a method `choose(state, role, budget)`, or a function
/// `(state, role)`.
pub struct PythonGuest {
    agent: Py<PyAny>,
    game: Py<Game>,
    role: Role,
    trouble: Arc<Trouble>,
    /// The position it was last asked about, and how it was reached.
    at: Option<At>,
    course: Course,
}

impl PythonGuest {
    pub fn new(
        agent: Py<PyAny>,
        game: Py<Game>,
        role: Role,
        trouble: &Arc<Trouble>,
    ) -> PythonGuest {
        let trouble = Arc::clone(trouble);
        PythonGuest { agent, game, role, trouble, at: None, course: Course::default() }
    }

    fn state(&self, py: Python<'_>, at: &At) -> State {
        // In games of chance the agent sees a future that was drawn for it: no seed leads there.
        let seed = (!self.game.get().board.about().chance).then_some(0);
        State::new(self.game.clone_ref(py), at.clone(), self.course.clone(), seed)
    }
}

impl Player for PythonGuest {
    fn prepare(&mut self, at: &At, budget: &Plan) {
        let role = self.role;
        self.trouble.within(|py| {
            let agent = self.agent.bind(py);
            if agent.hasattr("prepare")? {
                let state = self.state(py, at);
                agent.call_method1("prepare", (state, role.0, Budget::from(budget)))?;
            }
            Ok(())
        });
    }

    fn choose(&mut self, at: &At, budget: &Plan) -> Option<Move> {
        let role = self.role;
        self.at = Some(at.clone());
        self.trouble.within(|py| {
            let agent = self.agent.bind(py);
            let state = Bound::new(py, self.state(py, at))?;
            let chosen = if agent.hasattr("choose")? {
                agent.call_method1("choose", (&state, role.0, Budget::from(budget)))?
            } else {
                agent.call1((&state, role.0))?
            };
            let legal = state.get().view()?.legal(role);
            self.game.get().mov(role, &chosen, legal)
        })
    }

    fn played(&mut self, joint: &[Move]) {
        if let Some(before) = self.at.take() {
            self.course = self.course.moved(before, joint);
        }
        self.trouble.within(|py| {
            let agent = self.agent.bind(py);
            if agent.hasattr("played")? {
                let numbers: Vec<u32> = joint.iter().map(|mov| mov.0).collect();
                agent.call_method1("played", (numbers,))?;
            }
            Ok(())
        });
    }
}

/// A Python function `(state, role, legal) -> move` as a policy for play-outs.
pub fn playout(policy: Py<PyAny>, game: Py<Game>, trouble: &Arc<Trouble>) -> PlayoutFn {
    let trouble = Arc::clone(trouble);
    Arc::new(move |at: &At, role: Role, legal: &[Move], _: &mut Rng| {
        let chosen = trouble.within(|py| {
            let state = State::new(game.clone_ref(py), at.clone(), Course::default(), None);
            let numbers: Vec<u32> = legal.iter().map(|mov| mov.0).collect();
            let chosen = policy.bind(py).call1((state, role.0, numbers))?;
            let mov = game.get().mov(role, &chosen, legal)?;
            legal.iter().position(|&known| known == mov).ok_or_else(|| {
                let name = game.get().board.move_name(role, mov);
                crate::error::said(format!("the play-out policy chose {name}, which is not legal"))
            })
        });
        chosen.unwrap_or(0)
    })
}
