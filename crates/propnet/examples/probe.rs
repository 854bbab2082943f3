use std::sync::Arc;
use gamegrove_game::{Game, Player, Rng};
use gamegrove_gdl::{Limits, Rulesheet};
use gamegrove_propnet::*;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path).unwrap();
        let sheet = Rulesheet::load(&text).unwrap();
        let basic = build_from_rules(&sheet.program, 0, &Limits::default()).unwrap();
        let network = Arc::new(Sequence::default().run(&basic));
        let c = Circuit::new(&network).unwrap();
        let fg = c.first_gate() as usize;
        let n = fg + c.gates.len();
        let mut fan = vec![[0usize; 2]; n];
        for g in 0..c.gates.len() {
            for s in c.inputs(g) {
                fan[s.line() as usize][usize::from(g >= c.early)] += 1;
            }
        }
        let mut shown = vec![0usize; n];
        for s in c.legal.iter().flatten().chain(c.goals.iter().flatten()).chain(&c.next) { shown[s.line() as usize] += 1; }
        let game: Propnet<Forward> = Propnet::new(&network).unwrap();
        let mut player = Player::new(game);
        let start = player.game.initial_state();
        let mut rng = Rng::new(1);
        let mut old = vec![false; n];
        let mut stat = [[0usize; 5]; 4]; // kind: base, move, early, late: changed, fan early, fan late, shown
        let mut steps = 0usize; let mut legal=0usize;
        for _ in 0..30 {
            player.random_game_with(&start, 500, &mut rng, |g, state, joint| {
                steps += 1;
                let mut m=Vec::new();
                for r in gamegrove_game::Role::all(joint.len()) { g.legal_moves(state, r, &mut m); legal += m.len(); }
                let mut now = vec![false; n];
                for b in 0..c.bases { now[1 + b] = state.words()[b / 64] >> (b % 64) & 1 == 1; }
                for (r, m) in joint.iter().enumerate() { now[c.move_lines[r] as usize + m.index()] = true; }
                for g in 0..c.gates.len() {
                    let mut i = c.inputs(g).iter().map(|s| now[s.line() as usize] != s.negated());
                    now[fg + g] = match c.gates[g] { Gate::And => i.all(|v| v), Gate::Or => i.any(|v| v) };
                }
                for l in 1..n {
                    if now[l] != old[l] {
                        let k = if l <= c.bases { 0 } else if l < fg { 1 } else if l < fg + c.early { 2 } else { 3 };
                        stat[k][0] += 1;
                        stat[k][1] += fan[l][0];
                        stat[k][2] += fan[l][1];
                        stat[k][3] += shown[l];
                    }
                }
                old = now;
            });
        }
        println!("{path} bases {} moves {} early {} late {} legal/step {:.1}", c.bases, fg - 1 - c.bases, c.early, c.gates.len() - c.early, legal as f64/steps as f64);
        for (k, name) in ["base", "move", "early", "late"].iter().enumerate() {
            let f = |i: usize| stat[k][i] as f64 / steps as f64;
            println!("  {name:6} changed {:.1} -> early {:.1} late {:.1} shown {:.1}", f(0), f(1), f(2), f(3));
        }
    }
}
