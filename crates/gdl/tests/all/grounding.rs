//! Ground rules mean what the rules mean: evaluated in the plainest way they give the same answers
//! as the prover along random games.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use gamegrove_game::{Describe, Game, Move, Rng, Role};
use gamegrove_gdl::{Graph, Grounding, LimitHit, Limits, Pred, Program, Prover, Rulesheet};
use gamegrove_testdata::{files_below, shared};

/// Evaluates ground rules by components, each to its fixpoint.
struct Plain<'a> {
    grounding: &'a Grounding,
    /// Rules in the order of their heads' components.
    order: Vec<usize>,
    components: Vec<u32>,
}

impl<'a> Plain<'a> {
    fn new(grounding: &'a Grounding) -> Self {
        let mut edges = Vec::new();
        for (head, body) in grounding.rules() {
            edges.extend(body.iter().map(|literal| (head.0, literal.atom().0)));
        }
        let components = Graph::new(grounding.atom_count(), &edges).components().of;
        let heads: Vec<u32> = grounding.rules().map(|(head, _)| components[head.index()]).collect();
        let mut order: Vec<usize> = (0..heads.len()).collect();
        order.sort_by_key(|&rule| heads[rule]);
        Plain { grounding, order, components }
    }

    /// All atoms that hold, as text, when the given `true` and `does` atoms do.
    fn model(&self, given: &[String]) -> Vec<String> {
        let grounding = self.grounding;
        let rules: Vec<_> = grounding.rules().collect();
        let mut holds = vec![false; grounding.atom_count()];
        for pred in [Pred::TRUE, Pred::DOES] {
            for &atom in grounding.atoms_of(pred) {
                holds[atom.index()] = given.contains(&grounding.atom_text(atom));
            }
        }
        let mut at = 0;
        while at < self.order.len() {
            let component = |at: usize| self.components[rules[self.order[at]].0.index()];
            let end = (at..self.order.len())
                .find(|&next| component(next) != component(at))
                .unwrap_or(self.order.len());
            loop {
                let mut changed = false;
                for &rule in &self.order[at..end] {
                    let (head, body) = rules[rule];
                    if !holds[head.index()]
                        && body.iter().all(|l| holds[l.atom().index()] != l.negated())
                    {
                        holds[head.index()] = true;
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            at = end;
        }
        let asked = [Pred::LEGAL, Pred::NEXT, Pred::TERMINAL, Pred::GOAL];
        let mut model: Vec<String> = asked
            .iter()
            .flat_map(|&pred| grounding.atoms_of(pred))
            .filter(|atom| holds[atom.index()])
            .map(|&atom| grounding.atom_text(atom))
            .collect();
        model.sort();
        model
    }
}

/// Rules in another form.
type Rewrite = fn(&Program) -> Program;

/// The rules with a demand on every relation that can have one.
fn demanded(program: &Program) -> Program {
    let all = vec![true; program.predicates.len()];
    program.demanded_within(&all, &Limits::none()).expect("there are no limits")
}

/// Compares along a random game; how many states, or `None` if the rules are too many.
fn compare(text: &[u8], steps: usize, rewrite: Rewrite) -> Result<Option<usize>, String> {
    let Ok(sheet) = Rulesheet::load(text) else { return Ok(None) };
    let limits = Limits { time: None, steps: Some(4_000_000), ..Limits::default() };
    let program = Arc::new(rewrite(&sheet.program));
    let Ok(grounding) = Grounding::new(&program, &limits) else { return Ok(None) };
    if grounding.rule_count() > 60_000 {
        return Ok(None);
    }
    let plain = Plain::new(&grounding);
    let mut game = Prover::new(&sheet.program).map_err(|error| error.to_string())?;
    let roles: Vec<Role> = Role::all(game.role_count()).collect();
    let (mut rng, mut moves) = (Rng::new(3), Vec::new());
    let mut state = game.initial_state();
    let mut next = state.clone();
    for step in 0..steps {
        let mut given: Vec<String> =
            game.facts(&state).iter().map(|fact| format!("(true {fact})")).collect();
        let mut expected = Vec::new();
        let mut joint: Vec<Move> = Vec::new();
        for &role in &roles {
            let name = game.role_name(role);
            game.legal_moves(&state, role, &mut moves);
            for &mov in &moves {
                expected.push(format!("(legal {name} {})", game.move_name(role, mov)));
            }
            for goal in game.goal_values(&state, role) {
                expected.push(format!("(goal {name} {goal})"));
            }
            if let Some(mov) = rng.pick(&moves) {
                given.push(format!("(does {name} {})", game.move_name(role, mov)));
                joint.push(mov);
            }
        }
        let terminal = game.is_terminal(&state);
        if terminal {
            expected.push("terminal".to_owned());
        }
        if joint.len() == roles.len() {
            game.apply(&state, &joint, &mut next);
            expected.extend(game.facts(&next).iter().map(|fact| format!("(next {fact})")));
        }
        expected.sort();
        let mut found = plain.model(&given);
        // Some rulesheets give goals and moves to things that are no roles, such as blank cells.
        let others = |atom: &String| {
            let owned = atom.strip_prefix("(goal ").or(atom.strip_prefix("(legal "));
            let player = owned.and_then(|rest| rest.split(' ').next());
            player.is_none_or(|player| roles.iter().any(|&role| game.role_name(role) == player))
        };
        found.retain(others);
        if joint.len() < roles.len() {
            found.retain(|atom| !atom.starts_with("(next"));
        }
        if found != expected {
            let missing: Vec<_> = expected.iter().filter(|atom| !found.contains(atom)).collect();
            let extra: Vec<_> = found.iter().filter(|atom| !expected.contains(atom)).collect();
            return Err(format!("step {step}: missing {missing:?}, too much {extra:?}"));
        }
        if terminal || joint.len() < roles.len() {
            return Ok(Some(step + 1));
        }
        std::mem::swap(&mut state, &mut next);
    }
    Ok(Some(steps))
}

#[test]
fn ground_rules_of_public_rulesheets_mean_the_same() {
    compare_all(12, Program::clone, 230);
}

#[test]
fn condensed_rules_mean_the_same() {
    compare_all(4, Program::condensed, 270);
}

#[test]
fn only_what_is_asked_for_means_the_same() {
    compare_all(4, demanded, 230);
}

#[test]
fn condensed_rules_and_only_what_is_asked_for_mean_the_same() {
    compare_all(4, |program| demanded(&program.condensed()), 270);
}

fn compare_all(steps: usize, rewrite: Rewrite, at_least: usize) {
    let Some(corpus) = shared("corpus/gdl") else { return };
    let files = files_below(&corpus, "kif");
    let (turn, games, wrong) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(path) = files.get(turn.fetch_add(1, Ordering::Relaxed)) {
                    let text = std::fs::read(path).expect("a readable rulesheet");
                    match compare(&text, steps, rewrite) {
                        Ok(states) => {
                            games.fetch_add(usize::from(states.is_some()), Ordering::Relaxed);
                        }
                        Err(what) => {
                            let found = format!("{}: {what:.300}", path.display());
                            wrong.lock().expect("no thread panics").push(found);
                        }
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("no thread panics");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let games = games.into_inner();
    assert!(games >= at_least, "only {games} games ground quickly");
}

#[test]
fn tic_tac_toe_has_its_known_size() {
    let text = include_bytes!("../../../../games/gdl/tic_tac_toe.kif");
    let sheet = Rulesheet::load(text).expect("a sound rulesheet");
    let grounding = Grounding::new(&sheet.program, &Limits::default()).expect("it is small");
    assert_eq!(grounding.atoms_of(Pred::TRUE).len(), 29);
    assert_eq!(grounding.atoms_of(Pred::DOES).len(), 20);
    assert_eq!(grounding.init.len(), 10);
    assert_eq!(grounding.roles.len(), 2);
}

#[test]
fn limits_stop_the_work() {
    // A counter over a relation of a million rows.
    let mut text = String::from(
        "(role r) (legal r a) (<= terminal (true (n 0 0 0 0 0 0))) (goal r 0)
         (<= (init (n ?a ?b ?c ?d ?e ?f)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f))",
    );
    (0..10).for_each(|digit| text += &format!("(d {digit})"));
    let sheet = Rulesheet::load(text.as_bytes()).expect("a sound rulesheet");
    let steps = Limits { steps: Some(100_000), ..Limits::default() };
    let memory = Limits { memory: 1 << 20, ..Limits::default() };
    let time = Limits { time: Some(Duration::from_millis(1)), ..Limits::default() };
    let hit = |limits: &Limits| Grounding::new(&sheet.program, limits).err();
    assert_eq!(hit(&steps), Some(LimitHit::Steps(100_000)));
    assert_eq!(hit(&memory), Some(LimitHit::Memory(1 << 20)));
    assert_eq!(hit(&time), Some(LimitHit::Time(Duration::from_millis(1))));
    let cancel = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let cancelled = Limits { cancel: Some(cancel), ..Limits::default() };
    assert_eq!(hit(&cancelled), Some(LimitHit::Cancelled));
}
