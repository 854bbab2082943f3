//! One simulation: down the tree, out of it, and back [Sironi 2019, 2.3.1].

use gamegrove_game::{Avatar, Game, Move, Role};

use super::grams::element;
use super::model::Look;
use super::rollout::Choice;
use super::select::Arm as Seen;
use super::settings::Compared;
use super::stat::Payoff;
use super::tree::NONE;
use super::value::Trial;
use super::{MOST_NODES, Plan};

/// Memory that simulations use again.
pub(crate) struct Run<S> {
    pub state: S,
    pub spare: S,
    pub look: Look,
    pub path: Vec<(u32, u32)>,
    pub moves: Vec<Move>,
    pub elements: Vec<u64>,
    pub legal: Vec<Move>,
    pub atoms: Vec<u64>,
    directions: Vec<Option<(f64, f64)>>,
    cells: Vec<u32>,
    ahead: Vec<Vec<f64>>,
    pub before: Vec<u64>,
}

/// Which part of a simulation a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Tree,
    PlayOut,
}

impl<S: Clone> Run<S> {
    pub(crate) fn new(state: &S) -> Run<S> {
        Run {
            state: state.clone(),
            spare: state.clone(),
            look: Look::default(),
            path: Vec::new(),
            moves: Vec::new(),
            elements: Vec::new(),
            legal: Vec::new(),
            atoms: Vec::new(),
            directions: Vec::new(),
            cells: Vec::new(),
            ahead: Vec::new(),
            before: Vec::new(),
        }
    }
}

impl<G: Game> Plan<G> {
    /// Makes `state` the root, with what is kept of the tree.
    pub(super) fn set_root(&mut self, state: &G::State) {
        self.model.survey(state);
        let mut look = std::mem::take(&mut self.root);
        self.model.glance(state, &mut look);
        self.model.count_goods(state, &mut look);
        if self.learns {
            self.model.notice(|kind| self.knowledge.means[kind] > 0.0);
            self.model.measure(state, &mut look);
            self.model.feel(state);
            let change = look.score - self.last_score;
            self.knowledge.learn(&self.model.touched, change, Some(change));
            // It was met by the avatar as it was before that changed it.
            if let Some(met) = self.met.get_mut(self.root_kind) {
                self.model.touched.iter().for_each(|&kind| met[kind] += 1);
            }
            self.root_kind = look.kind;
            if self.parts.settings.reached
                && let Some(met) = self.met.get_mut(look.kind)
            {
                let there = |(_, distance): &(&mut u64, &f64)| **distance == 0.0;
                met.iter_mut().zip(&look.distances).filter(there).for_each(|(met, _)| *met += 1);
            }
        }
        self.root = look;
        let scored = self.begun && self.root.score > self.last_score;
        self.last_score = self.root.score;
        if self.begun {
            self.grams.new_step(scored);
        }
        self.parts.rollout.begin_step(&self.knowledge, &mut self.rng);
        self.parts.value.begin_step();
        let mut legal = std::mem::take(&mut self.run.legal);
        self.model.moves(state, &mut legal);
        self.run.state.clone_from(state);
        self.keep_useful(&mut legal);
        if !self.keep_tree(&legal) {
            self.tree.nodes.clear();
            self.add_node(&legal);
        }
        self.run.legal = legal;
        self.begun = true;
    }

    /// Keeps what hangs below the move that was played, if that is wanted and fits.
    fn keep_tree(&mut self, legal: &[Move]) -> bool {
        let settings = &self.parts.settings;
        if !settings.reuse || !self.begun || self.tree.nodes.is_empty() {
            return false;
        }
        let arms = &self.tree.nodes[0].arms;
        let known = arms.iter().find(|arm| Some(arm.mov) == self.played).map(|arm| arm.child);
        let Some(child) = known.filter(|&child| child != NONE) else { return false };
        let same = self.tree.nodes[child as usize].arms.iter().map(|arm| arm.mov);
        if !same.eq(legal.iter().copied()) {
            return false;
        }
        let deterministic = self.is_deterministic();
        self.tree.descend_to(child, if deterministic { 1.0 } else { settings.decay });
        for node in &mut self.tree.nodes {
            for arm in &mut node.arms {
                arm.unsafe_ = false;
                if !deterministic {
                    arm.novel = None;
                }
            }
        }
        true
    }

    pub(super) fn add_node(&mut self, legal: &[Move]) -> u32 {
        self.tree.add(legal, super::stat::Bounds::new(self.parts.settings.scale))
    }

    /// Leaves out the moves that would not move the avatar from where it is in the state of the run, if that
    /// is wanted [van Eeden 2015, 5.1]. What goes nowhere by its nature stays, and so does a move after which
    /// the avatar looks elsewhere or is another. If nothing is left all moves stay.
    fn keep_useful(&mut self, legal: &mut Vec<Move>) {
        if !self.parts.settings.prune_useless || legal.len() < 2 {
            return;
        }
        let (run, model) = (&mut self.run, &mut self.model);
        let seen = |avatar: Option<Avatar>| avatar.map(|a| (a.kind, a.place, a.facing));
        let before = seen(model.senses.avatar(&run.state, model.role));
        let mut useful = Vec::with_capacity(legal.len());
        for &mov in legal.iter() {
            if model.senses.direction(mov).is_some() {
                model.copy(&run.state, &mut run.spare, &mut self.rng);
                model.advance(&mut run.spare, mov, &mut self.rng);
                if seen(model.senses.avatar(&run.spare, model.role)) == before {
                    continue;
                }
            }
            useful.push(mov);
        }
        if !useful.is_empty() {
            legal.clone_from(&useful);
        }
    }

    /// The depth limit of the current simulation.
    pub(super) fn depth(&self) -> u32 {
        self.values.get(Role(0), self.parts.settings.depth) as u32
    }

    /// Plays one step in the state of the run, with what there is to learn from it.
    pub(super) fn step(&mut self, mov: Move, stage: Stage) {
        self.run.elements.push(element(mov, self.run.look.cell));
        self.run.moves.push(mov);
        self.model.advance(&mut self.run.state, mov, &mut self.rng);
        self.perceive(stage);
    }

    fn perceive(&mut self, stage: Stage) {
        let score = self.run.look.score;
        self.model.glance(&self.run.state, &mut self.run.look);
        if self.learns {
            self.model.feel(&self.run.state);
            let change = self.run.look.score - score;
            let worth = match (self.run.look.verdict, stage) {
                (Some(true), _) => Some(change + 1.0),
                (Some(false), Stage::Tree) => Some(change - 1.0),
                // A random play-out loses easily; the things it met are not the cause.
                (Some(false), Stage::PlayOut) => None,
                (None, _) => Some(change),
            };
            self.knowledge.learn(&self.model.touched, change, worth);
        }
    }

    /// One simulation from the root.
    pub(super) fn iterate(&mut self, root: &G::State) {
        if let Some(tuner) = &mut self.tuner {
            tuner.begin(&mut self.combinations, &mut self.values);
        }
        self.begin(root);
        self.walk();
        let in_tree = self.run.moves.len() as u32;
        let limit = self.depth() + if self.parts.settings.from_leaf { in_tree } else { 0 };
        self.play_out(limit);
        let payoff = self.appraise();
        let payoff = self.avoid_loss(root, payoff);
        self.back_up(&payoff, in_tree);
    }

    /// Puts the run back to the root.
    pub(super) fn begin(&mut self, root: &G::State) {
        self.parts.rollout.begin(&self.knowledge, &mut self.rng);
        self.model.copy(root, &mut self.run.state, &mut self.rng);
        self.run.look.clone_from(&self.root);
        self.run.path.clear();
        self.run.moves.clear();
        self.run.elements.clear();
        self.run.before.clone_from(&self.knowledge.counts);
    }

    /// Goes down the tree until it ends, and adds a node there.
    fn walk(&mut self) {
        let mut node = 0u32;
        loop {
            let deep = self.run.moves.len() as u32 >= self.depth();
            if self.run.look.over || (deep && !self.parts.settings.from_leaf) {
                break;
            }
            if self.tree.nodes[node as usize].arms.is_empty() {
                // It was met when play was over; this time it is not.
                let Some(fresh) = self.fresh_arms() else { break };
                self.tree.nodes[node as usize].arms = fresh;
            }
            let arm = self.pick(node);
            let (mov, child) = {
                let arm = &self.tree.nodes[node as usize].arms[arm as usize];
                (arm.mov, arm.child)
            };
            self.run.path.push((node, arm));
            let kept =
                (child != NONE).then(|| self.tree.nodes[child as usize].state.take()).flatten();
            if let Some(state) = kept {
                self.run.elements.push(element(mov, self.run.look.cell));
                self.run.moves.push(mov);
                self.run.state.clone_from(&state);
                self.tree.nodes[child as usize].state = Some(state);
                self.perceive(Stage::Tree);
            } else {
                self.step(mov, Stage::Tree);
            }
            if child == NONE {
                self.grow(node, arm);
                break;
            }
            node = child;
        }
        self.deepest = self.deepest.max(self.run.path.len());
    }

    fn fresh_arms(&mut self) -> Option<Vec<super::tree::Arm>> {
        let mut legal = std::mem::take(&mut self.run.legal);
        self.model.moves(&self.run.state, &mut legal);
        self.keep_useful(&mut legal);
        let id = self.add_node(&legal);
        self.run.legal = legal;
        let made = self.tree.nodes.pop();
        debug_assert_eq!(id as usize, self.tree.nodes.len());
        made.map(|node| node.arms).filter(|arms| !arms.is_empty())
    }

    /// Adds the node that the run has come to.
    fn grow(&mut self, node: u32, arm: u32) {
        if self.tree.nodes.len() >= MOST_NODES {
            return;
        }
        let mut legal = std::mem::take(&mut self.run.legal);
        legal.clear();
        if !self.run.look.over {
            self.model.moves(&self.run.state, &mut legal);
            self.keep_useful(&mut legal);
        }
        let child = self.add_node(&legal);
        self.run.legal = legal;
        self.tree.nodes[node as usize].arms[arm as usize].child = child;
        if !self.parts.settings.open_loop {
            self.tree.nodes[child as usize].state = Some(Box::new(self.run.state.clone()));
        }
        if self.parts.settings.novelty {
            self.remember_atoms(node, child);
        }
    }

    /// The place of the arm to follow: one that was never tried, else the best by selection.
    fn pick(&mut self, node: u32) -> u32 {
        let history = self.parts.select.uses_history();
        let mixed = if self.is_deterministic() && self.parts.settings.detect {
            self.parts.settings.mix
        } else {
            0.0
        };
        let noise = self.parts.settings.noise;
        let at = &self.tree.nodes[node as usize];
        let bounds = match self.parts.settings.compared {
            Compared::Node => &at.bounds,
            Compared::Run | Compared::Session => &self.bounds,
        };
        let open = |arm: &super::tree::Arm| !arm.unsafe_;
        let untried = at.arms.iter().filter(|arm| open(arm) && arm.stat.visits <= 0.0).count();
        if untried > 0 {
            let chosen = self.rng.below(untried);
            let mut tried =
                at.arms.iter().enumerate().filter(|(_, arm)| open(arm) && arm.stat.visits <= 0.0);
            return tried.nth(chosen).map_or(0, |(place, _)| place as u32);
        }
        // What brings nothing new is left out while the rest looks good.
        let total: f64 = at.arms.iter().map(|arm| arm.stat.visits).sum();
        let mean = at.arms.iter().map(|arm| arm.stat.visits * bounds.mean(&arm.stat)).sum::<f64>()
            / total.max(1e-9);
        let some_novel = at.arms.iter().any(|arm| open(arm) && arm.novel != Some(false));
        let skip = self.parts.settings.novelty && some_novel && mean >= 0.5;
        let (mut best, mut top) = (0, f64::NEG_INFINITY);
        for (place, arm) in at.arms.iter().enumerate() {
            if !open(arm) || (skip && arm.novel == Some(false)) {
                continue;
            }
            let mut mean = bounds.mean(&arm.stat);
            if mixed > 0.0 {
                mean = (1.0 - mixed) * mean + mixed * arm.stat.best(bounds).unwrap_or(mean);
            }
            let past = if history {
                let found = self.grams.single(element(arm.mov, self.run.look.cell));
                found.map_or(1.0, |stat| self.bounds.mean(&stat))
            } else {
                0.0
            };
            let squares = arm.squares / arm.stat.visits;
            let seen = Seen { mean, visits: arm.stat.visits, history: past, squares };
            let value = self.parts.select.value(&seen, total, &self.values);
            // A little noise breaks ties, also between values of 0.
            let value = (value + noise) * (1.0 + noise * (self.rng.unit() - 0.5));
            if value > top {
                (best, top) = (place, value);
            }
        }
        best as u32
    }

    /// Plays on until so many moves were made in all.
    pub(super) fn play_out(&mut self, limit: u32) {
        while (self.run.moves.len() as u32) < limit && !self.run.look.over {
            let mut legal = std::mem::take(&mut self.run.legal);
            self.model.moves(&self.run.state, &mut legal);
            if legal.is_empty() {
                self.run.legal = legal;
                return;
            }
            if self.sight.distances {
                self.measure_ahead(&legal);
            }
            let run = &self.run;
            let choice = Choice {
                moves: &legal,
                directions: &run.directions,
                look: &run.look,
                ahead: &run.ahead,
                elements: &run.elements,
                grams: &self.grams,
                bounds: &self.bounds,
                values: &self.values,
            };
            let place = self.parts.rollout.choose(&choice, &mut self.rng);
            let mov = legal[place.min(legal.len() - 1)];
            self.run.legal = legal;
            self.step(mov, Stage::PlayOut);
        }
    }

    /// Measures distances from where the avatar is, and from where each move would lead.
    fn measure_ahead(&mut self, legal: &[Move]) {
        let run = &mut self.run;
        run.directions.clear();
        run.directions.extend(legal.iter().map(|&mov| self.model.senses.direction(mov)));
        run.cells.clear();
        if self.sight.ahead {
            for direction in &run.directions {
                let near = &self.model.near;
                run.cells.push(direction.map_or(run.look.cell, |d| near.beside(run.look.cell, d)));
            }
        }
        run.cells.push(run.look.cell);
        run.ahead.resize_with(run.cells.len(), Vec::new);
        self.model.measure_from(&run.state, &run.cells, &mut run.ahead);
        if let Some(own) = run.ahead.pop() {
            run.look.distances.clone_from(&own);
            run.ahead.push(own);
        }
    }

    /// The worth of the state of the run.
    pub(super) fn appraise(&mut self) -> Payoff {
        if self.parts.value.measures() {
            self.model.count_goods(&self.run.state, &mut self.run.look);
            if !self.run.look.over {
                let mut look = std::mem::take(&mut self.run.look);
                self.model.measure(&self.run.state, &mut look);
                self.run.look = look;
            }
            if self.parts.settings.reached {
                self.meet_what_was_reached();
            }
        }
        let trial = Trial {
            root: &self.root,
            end: &self.run.look,
            before: &self.run.before,
            knowledge: &self.knowledge,
            categories: &self.categories,
            met: self.met.get(self.root.kind).map_or(&[], Vec::as_slice),
        };
        self.parts.value.value(&trial)
    }

    /// Takes note of things that the avatar stands on, at the root or now, and that were not met yet: nothing
    /// ever happens there, and they would attract the avatar without end. What it really stands on counts as met in the real
    /// game, too ([`set_root`](Plan::set_root)).
    fn meet_what_was_reached(&mut self) {
        for look in [&self.root, &self.run.look] {
            for (kind, &distance) in look.distances.iter().enumerate() {
                if distance == 0.0 && self.knowledge.counts[kind] == 0 {
                    self.knowledge.learn(&[kind], 0.0, Some(0.0));
                }
            }
        }
    }

    /// Gives the payoff of the simulation to the tree, the policies and the tuner.
    fn back_up(&mut self, payoff: &Payoff, in_tree: u32) {
        debug_assert!(in_tree as usize >= self.run.path.len());
        self.bounds.see(payoff);
        let unit = self.bounds.unit(payoff);
        for &(node, arm) in &self.run.path {
            let node = &mut self.tree.nodes[node as usize];
            node.visits += 1.0;
            node.bounds.see(payoff);
            let arm = &mut node.arms[arm as usize];
            arm.stat.add(payoff, 1.0);
            arm.squares += unit * unit;
        }
        // Whatever length this simulation used: another may use more [Sironi 2019, 6.2.1].
        if self.longest > 0 {
            self.grams.add(&self.run.elements, self.longest, payoff);
        }
        self.parts.rollout.finish(payoff.total());
        if let Some(tuner) = &mut self.tuner {
            tuner.reward(&self.combinations, &[unit], Role(0));
        }
    }
}
