//! Single positions of the shipped games, for the rules that a person would look up: what may be
//! taken, what comes back, what blocks, who wins when both arrive. Legal moves are listed in full,
//! worked out by hand from the rules in words at the head of each rulesheet.

use std::path::Path;

use gamegrove_game::{Describe, Game, Goal, Move, Role};
use gamegrove_gdl::{Prover, Rulesheet};

/// A position of a game, and play from there.
struct Position {
    game: Prover,
    state: <Prover as Game>::State,
}

/// The first position of the game called `name`.
fn start(name: &str) -> Position {
    open(&shipped(name))
}

/// The game called `name` in the position that holds these facts instead of the first one.
fn position(name: &str, facts: &str) -> Position {
    let text = shipped(name);
    let is_start =
        |sentence: &&str| sentence.starts_with("(init ") || sentence.starts_with("(<= (init ");
    let mut rules: String = sentences(&text).into_iter().filter(|s| !is_start(s)).collect();
    for fact in sentences(facts) {
        rules.push_str(&format!("(init {fact})\n"));
    }
    open(&rules)
}

fn shipped(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../games/gdl/{name}.kif"));
    std::fs::read_to_string(&path).expect("a shipped rulesheet")
}

fn open(rules: &str) -> Position {
    let sheet = Rulesheet::load(rules.as_bytes()).unwrap_or_else(|found| panic!("{found:?}"));
    let mut game = Prover::new(&sheet.program).expect("a playable game");
    let state = game.initial_state();
    Position { game, state }
}

/// The lists and words on the outermost level of a text, without comments.
fn sentences(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut from) = (Vec::new(), 0, 0);
    let mut comment = false;
    for (at, character) in text.char_indices() {
        match character {
            '\n' => comment = false,
            _ if comment => continue,
            ';' => comment = true,
            '(' if depth == 0 => (depth, from) = (1, at),
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    found.push(&text[from..=at]);
                }
            }
            _ if depth == 0 && !character.is_whitespace() => {
                let word = text[at..].split_whitespace().next().expect("a word begins here");
                let inside_a_word = text[..at].ends_with(|c: char| !c.is_whitespace());
                if !inside_a_word {
                    found.push(word);
                }
            }
            _ => {}
        }
    }
    found
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort_unstable();
    names
}

fn listed(text: &str) -> Vec<String> {
    sorted(sentences(text).into_iter().map(str::to_owned).collect())
}

impl Position {
    fn moves(&mut self, role: u8) -> Vec<Move> {
        let mut moves = Vec::new();
        self.game.legal_moves(&self.state, Role(role), &mut moves);
        moves
    }

    /// Checks that these are the legal moves of a role, all of them.
    #[track_caller]
    fn legal(&mut self, role: u8, expected: &str) -> &mut Self {
        let moves = self.moves(role);
        let names = moves.iter().map(|&mov| self.game.move_name(Role(role), mov)).collect();
        assert_eq!(sorted(names), listed(expected));
        self
    }

    /// Makes a joint move, which has to be legal.
    #[track_caller]
    fn play(&mut self, joint: &str) -> &mut Self {
        let names = sentences(joint);
        assert_eq!(names.len(), self.game.role_count(), "{joint}");
        let mut moves = Vec::new();
        for (role, name) in (0u8..).zip(names) {
            let mov = self.game.find_move(Role(role), name).unwrap_or_else(|| panic!("no {name}"));
            assert!(self.moves(role).contains(&mov), "{name} is not legal");
            moves.push(mov);
        }
        let mut next = self.state.clone();
        self.game.apply(&self.state, &moves, &mut next);
        self.state = next;
        self
    }

    /// Checks the facts with this first word, all of them.
    #[track_caller]
    fn facts(&mut self, word: &str, expected: &str) -> &mut Self {
        let head = format!("({word} ");
        let facts = self.game.facts(&self.state).into_iter();
        let found: Vec<String> =
            facts.filter(|fact| fact == word || fact.starts_with(&head)).collect();
        assert_eq!(sorted(found), listed(expected));
        self
    }

    /// Checks that play goes on.
    #[track_caller]
    fn goes_on(&mut self) -> &mut Self {
        assert!(!self.game.is_terminal(&self.state));
        self
    }

    /// Checks that play is over, and the goals.
    #[track_caller]
    fn ends(&mut self, expected: &[f32]) {
        assert!(self.game.is_terminal(&self.state));
        let mut goals = vec![Goal::default(); self.game.role_count()];
        self.game.goals(&self.state, &mut goals);
        assert_eq!(goals.iter().map(|goal| goal.0).collect::<Vec<_>>(), expected);
        assert_eq!(self.game.take_fault(), None);
    }
}

#[test]
fn amazons_shoot_over_the_square_they_left() {
    let walls = "(cell 1 2 burnt) (cell 2 2 burnt) (cell 3 2 burnt) (cell 4 2 burnt)
        (cell 5 2 burnt) (cell 5 1 burnt)";
    position("amazons", &format!("{walls} (cell 2 1 white) (cell 9 9 black) (control white)"))
        .legal(
            0,
            "(play 2 1 1 1 2 1) (play 2 1 1 1 3 1) (play 2 1 1 1 4 1) (play 2 1 3 1 4 1)
             (play 2 1 3 1 2 1) (play 2 1 3 1 1 1) (play 2 1 4 1 3 1) (play 2 1 4 1 2 1)
             (play 2 1 4 1 1 1)",
        )
        .legal(1, "noop")
        .play("(play 2 1 1 1 4 1) noop")
        .facts("cell", &format!("{walls} (cell 1 1 white) (cell 4 1 burnt) (cell 9 9 black)"))
        .facts("control", "(control black)")
        .goes_on();
}

#[test]
fn one_amazon_can_shut_in_both_sides() {
    let walls =
        "(cell 1 2 burnt) (cell 2 2 burnt) (cell 3 2 burnt) (cell 4 2 burnt) (cell 4 1 burnt)";
    position("amazons", &format!("{walls} (cell 1 1 white) (cell 3 1 black) (control white)"))
        .legal(0, "(play 1 1 2 1 1 1)")
        .play("(play 1 1 2 1 1 1) noop")
        .ends(&[100.0, 100.0]);
}

#[test]
fn chinook_goes_round_the_cylinder() {
    position(
        "chinook",
        "(cell h 2 white) (cell a 3 black) (cell a 8 black) (cell c 4 white)
         (plays_on white odd) (plays_on black even) (moved 0)",
    )
    .legal(0, "(move h 2 g 3) (jump h 2 b 4) pass")
    .legal(1, "(move a 8 b 7) (move a 8 h 7) pass")
    .play("(jump h 2 b 4) (move a 8 h 7)")
    .facts("cell", "(cell b 4 white) (cell h 7 black) (cell c 4 white)")
    .facts("plays_on", "(plays_on white even) (plays_on black odd)")
    .legal(0, "(move c 4 b 5) (move c 4 d 5) pass")
    .legal(1, "pass");
}

#[test]
fn both_may_arrive_in_chinook() {
    let mut both = position(
        "chinook",
        "(cell a 7 white) (cell b 2 black) (cell c 2 black)
         (plays_on white odd) (plays_on black even) (moved 7)",
    );
    both.legal(1, "(move c 2 b 1) (move c 2 d 1) pass");
    both.play("(move a 7 h 8) (move c 2 d 1)").ends(&[100.0, 100.0]);
    position("chinook", "(cell a 1 white) (plays_on white odd) (plays_on black even) (moved 39)")
        .play("pass pass")
        .ends(&[0.0, 0.0]);
}

#[test]
fn skirmish_takes_kings_and_makes_queens() {
    let facts = "(cell a 7 wp) (cell e 2 wp) (cell d 3 bk) (taken white 2) (taken black 0)
        (control white) (moved 10)";
    let mut game = position("skirmish", facts);
    game.legal(0, "(move a 7 a 8) (move e 2 e 3) (move e 2 e 4) (move e 2 d 3)");
    game.play("(move e 2 d 3) noop").facts("cell", "(cell a 7 wp) (cell d 3 wp)");
    game.facts("taken", "(taken white 3) (taken black 0)").ends(&[18.0, 0.0]);
    position("skirmish", facts)
        .play("(move a 7 a 8) noop")
        .facts("cell", "(cell a 8 wq) (cell e 2 wp) (cell d 3 bk)")
        .legal(
            1,
            "(move d 3 c 2) (move d 3 c 3) (move d 3 c 4) (move d 3 d 2) (move d 3 d 4)
             (move d 3 e 2) (move d 3 e 3) (move d 3 e 4)",
        );
}

#[test]
fn holes_stop_rooks_and_not_knights() {
    position(
        "skirmish_holes",
        "(cell c 1 wr) (cell d 1 wn) (cell d 2 wp) (cell e 3 bn) (cell g 8 bn)
         (taken white 0) (taken black 0) (control white) (moved 0)",
    )
    .legal(
        0,
        "(move c 1 a 1) (move c 1 b 1) (move c 1 c 2) (move d 1 b 2) (move d 1 f 2)
         (move d 1 e 3) (move d 2 e 3)",
    )
    .play("(move d 2 e 3) noop")
    .facts("taken", "(taken white 1) (taken black 0)")
    // f6 is a hole.
    .legal(1, "(move g 8 e 7) (move g 8 h 6)");
}

const TTCC4: &str = "(cell 1 5 lp) (cell 1 4 lk) (cell 1 3 ln) (cell 7 3 dp) (cell 7 4 dk)
    (control light) (moved 9)";

#[test]
fn ttcc4_pieces_come_back_and_discs_do_not() {
    let facts = format!("{TTCC4} (cell 2 5 dn)");
    position("ttcc4_2p", &facts)
        .legal(
            0,
            "(drop 3) (drop 4) (drop 5) (move king 1 4 2 3) (jump 1 4 3 6) (move knight 1 3 2 5)
             (move knight 1 3 3 2) (move knight 1 3 3 4)",
        )
        .legal(1, "noop")
        .play("(jump 1 4 3 6) noop")
        .facts(
            "cell",
            "(cell 1 5 lp) (cell 3 6 lk) (cell 1 3 ln) (cell 7 3 dp) (cell 7 4 dk) (cell 7 5 dn)",
        );
    position(
        "ttcc4_2p",
        "(cell 4 4 lp) (cell 5 5 dd) (cell 4 5 ld) (cell 3 4 dk) (cell 1 4 lk) (cell 1 3 ln)
         (cell 7 3 dp) (cell 7 5 dn) (control light) (moved 9)",
    )
    .play("(move pawn 4 4 5 5) noop")
    .facts(
        "cell",
        "(cell 5 5 lp) (cell 4 5 ld) (cell 3 4 dk) (cell 1 4 lk) (cell 1 3 ln) (cell 7 3 dp)
         (cell 7 5 dn)",
    );
}

#[test]
fn ttcc4_discs_rest_on_what_is_below() {
    let facts = "(cell 3 4 lk) (cell 4 6 ln) (cell 1 5 lp) (cell 7 3 dp) (cell 7 4 dk)
        (cell 7 5 dn) (control dark) (moved 9)";
    let mut game = position("ttcc4_2p", facts);
    let drops: Vec<String> = {
        let moves = game.moves(1);
        let names = moves.iter().map(|&mov| game.game.move_name(Role(1), mov));
        names.filter(|name| name.starts_with("(drop")).collect()
    };
    assert_eq!(sorted(drops), ["(drop 3)", "(drop 5)"]);
    game.play("noop (drop 3)").play("(move pawn 1 5 2 5) noop").play("noop (drop 5)").facts(
        "cell",
        "(cell 3 4 lk) (cell 3 5 dd) (cell 5 2 dd) (cell 4 6 ln) (cell 2 5 lp) (cell 7 3 dp)
         (cell 7 4 dk) (cell 7 5 dn)",
    );
}

#[test]
fn three_in_the_middle_win_ttcc4() {
    position(
        "ttcc4_3p",
        "(cell 3 3 rd) (cell 4 4 rk) (cell 6 4 rn) (cell 3 1 yp) (cell 4 1 yk) (cell 5 1 yn)
         (cell 7 3 bp) (cell 7 4 bk) (cell 7 5 bn) (cell 1 5 rp) (cell 5 2 yd) (cell 5 3 bd)
         (cell 5 4 bd) (control red) (moved 12)",
    )
    .play("(drop 5) noop noop")
    .ends(&[100.0, 0.0, 0.0]);
    let mut idle = position("ttcc4_3p", "(cell 4 1 yk) (control yellow) (moved 29)");
    idle.legal(1, "(drop 3) (drop 4) (drop 5) (move king 4 1 3 2) (move king 4 1 5 2) noop");
    idle.legal(0, "noop").play("noop noop noop").ends(&[0.0, 0.0, 0.0]);
}

#[test]
fn zhadu_pieces_go_their_number_of_steps() {
    let rest = "(piece dark 4 c3) (piece dark 1 h) (control light) (moved 20)";
    let targets = |value: u32, fields: &str| -> String {
        fields.split(' ').map(|field| format!("(move {value} {field}) ")).collect()
    };
    for (value, fields) in [
        (1, "a a2 a3"),
        (2, "a a2 a3 c2 c3"),
        (3, "a a2 a3 c c1 c2 c3 d1"),
        (4, "b3 c c1 c2 c3 d d1 d2 d3"),
        (123, "a a2 a3 c c1 c2 c3 d1"),
    ] {
        position("zhadu", &format!("(piece light {value} a1) {rest}"))
            .legal(0, &targets(value, fields))
            .legal(1, "noop");
    }
}

#[test]
fn zhadu_is_won_by_pairs() {
    let facts = "(piece light 2 a1) (piece dark 4 c3) (piece dark 3 a3) (piece dark 1 h)
        (control light) (moved 20)";
    position("zhadu", facts).play("(move 2 c3) noop").ends(&[100.0, 0.0]);
    position("zhadu", &format!("{facts} (first light 1) (latest light 2)"))
        .play("(move 2 a3) noop")
        .facts("first", "(first light 1)")
        .facts("latest", "(latest light 3)")
        .ends(&[100.0, 0.0]);
    position("zhadu", &format!("{facts} (first light 123) (latest light 123)"))
        .play("(move 2 c3) noop")
        .goes_on()
        .facts("latest", "(latest light 4)");
    // A role that cannot move loses: the piece of value 2 finds no empty field to go over.
    position(
        "zhadu",
        "(piece light 2 a) (piece dark 1 a1) (piece dark 2 a2) (piece dark 3 a3) (control light)
         (moved 20)",
    )
    .ends(&[0.0, 100.0]);
}

#[test]
fn jumps_are_free_in_free_checkers() {
    let facts = "(cell c 2 rm) (cell d 3 bm) (cell d 5 bm) (cell d 7 bm) (pieces red 1)
        (pieces black 3) (control red) (moved 30)";
    let jumps = "(jump c 2 e 4) (jump_2 c 2 e 4 c 6) (jump_3 c 2 e 4 c 6 e 8)";
    position("checkers_free", facts).legal(0, &format!("(move c 2 b 3) {jumps}"));
    position("checkers_free", facts)
        .play("(jump_2 c 2 e 4 c 6) noop")
        .facts("cell", "(cell c 6 rm) (cell d 7 bm)")
        .facts("pieces", "(pieces red 1) (pieces black 1)")
        .goes_on();
    position("checkers_free", facts)
        .play("(jump_3 c 2 e 4 c 6 e 8) noop")
        .facts("cell", "(cell e 8 rk)")
        .ends(&[100.0, 0.0]);
    // A king goes back, but not over the same piece.
    position(
        "checkers_free",
        "(cell c 2 rk) (cell d 3 bm) (pieces red 1) (pieces black 1) (control red) (moved 30)",
    )
    .legal(0, "(move c 2 b 1) (move c 2 b 3) (move c 2 d 1) (jump c 2 e 4)");
}

#[test]
fn more_pieces_win_free_checkers() {
    // Red is stuck, and has more pieces.
    position(
        "checkers_free",
        "(cell a 6 rm) (cell b 7 rm) (cell a 8 bm) (cell c 8 bm) (cell g 8 bm)
         (pieces red 4) (pieces black 3) (control red) (moved 30)",
    )
    .ends(&[100.0, 0.0]);
}

#[test]
fn bids_are_paid_to_the_loser() {
    let coins = |x: u32, o: u32| format!("(coins x {x}) (coins o {o})");
    let mut game = start("bidding_tic_tac_toe");
    game.legal(
        0,
        "(bid 0) (bid 1) (bid 2) (bid 3) (bid_with_token 0) (bid_with_token 1)
         (bid_with_token 2) (bid_with_token 3)",
    );
    game.legal(1, "(bid 0) (bid 1) (bid 2) (bid 3)");
    // Equal bids without the token: its holder loses, and keeps it.
    game.play("(bid 1) (bid 1)").facts("coins", &coins(4, 2)).facts("token", "(token x)");
    game.facts("control", "(control o)").legal(0, "noop").play("noop (mark 2 2)");
    // Equal bids with the token: its holder wins, and pays it too.
    game.play("(bid_with_token 2) (bid 2)").facts("coins", &coins(2, 4));
    game.facts("token", "(token o)").facts("control", "(control x)").play("(mark 1 1) noop");
    // The token is worth nothing against more coins, and a loser keeps it.
    game.play("(bid 1) (bid_with_token 0)").facts("coins", &coins(1, 5));
    game.facts("token", "(token o)").play("(mark 1 2) noop");
    game.play("(bid 1) (bid 0)").facts("coins", &coins(0, 6)).play("(mark 1 3) noop");
    game.facts("cell", "(cell 2 2 o) (cell 1 1 x) (cell 1 2 x) (cell 1 3 x)").ends(&[100.0, 0.0]);
}

#[test]
fn pawns_that_clash_stay() {
    let same_square = "(cell 3 3 x) (cell 3 5 o)";
    position("pawn_whopping_simultaneous", &format!("{same_square} (moved 9)"))
        .legal(0, "(move 3 3 3 4)")
        .play("(move 3 3 3 4) (move 3 5 3 4)")
        .facts("cell", same_square)
        .facts("moved", "(moved 10)")
        .goes_on();
    let facing = "(cell 3 4 x) (cell 4 5 o)";
    position("pawn_whopping_simultaneous", &format!("{facing} (moved 9)"))
        .legal(0, "(move 3 4 3 5) (move 3 4 4 5)")
        .legal(1, "(move 4 5 4 4) (move 4 5 3 4)")
        .play("(move 3 4 4 5) (move 4 5 3 4)")
        .facts("cell", facing);
    // A pawn that leaves is not taken.
    position("pawn_whopping_simultaneous", &format!("{facing} (moved 9)"))
        .play("(move 3 4 4 5) (move 4 5 4 4)")
        .facts("cell", "(cell 4 5 x) (cell 4 4 o)")
        .goes_on();
    // A pawn that stays is.
    position("pawn_whopping_simultaneous", &format!("{facing} (cell 8 7 o) (moved 9)"))
        .play("(move 3 4 4 5) (move 8 7 8 5)")
        .facts("cell", "(cell 4 5 x) (cell 8 5 o)");
}

#[test]
fn ends_of_pawn_whopping() {
    let both = "(cell 1 7 x) (cell 8 2 o)";
    position("pawn_whopping_simultaneous", &format!("{both} (moved 9)"))
        .play("(move 1 7 1 8) (move 8 2 8 1)")
        .ends(&[50.0, 50.0]);
    position("pawn_whopping_simultaneous", "(cell 1 7 x) (cell 8 3 o) (moved 9)")
        .play("(move 1 7 1 8) (move 8 3 8 2)")
        .ends(&[100.0, 0.0]);
    position("pawn_whopping_simultaneous", "(cell 3 4 x) (cell 3 5 o) (moved 9)")
        .ends(&[50.0, 50.0]);
    position("pawn_whopping_simultaneous", "(cell 3 3 x) (cell 3 5 o) (moved 49)")
        .play("(move 3 3 3 4) (move 3 5 3 4)")
        .ends(&[50.0, 50.0]);
    // In turns, a player who cannot move passes.
    position("pawn_whopping", "(cell 3 4 x) (cell 3 5 o) (cell 7 2 o) (control x)")
        .legal(0, "noop")
        .play("noop noop")
        .legal(1, "(move 7 2 7 1)")
        .play("noop (move 7 2 7 1)")
        .ends(&[0.0, 100.0]);
}

#[test]
fn a_line_can_complete_two_boxes() {
    let sides = "(drawn across 1 1) (drawn across 1 2) (drawn upward 1 1) (drawn across 2 1)
        (drawn across 2 2) (drawn upward 3 1) (boxes first 3) (boxes second 4)";
    position("dots_and_boxes", &format!("{sides} (control second)"))
        .play("noop (draw upward 2 1)")
        .facts("cell", "(cell 1 1 second) (cell 2 1 second)")
        .facts("boxes", "(boxes first 3) (boxes second 6)")
        .facts("control", "(control second)")
        .play("noop (draw upward 6 5)")
        .facts("control", "(control first)");
}

#[test]
fn mills_take_stones_outside_mills() {
    let mill = "(cell 1 1 black) (cell 4 1 black) (cell 7 1 black)";
    let mut game = position(
        "nine_mens_morris",
        &format!(
            "{mill} (cell 3 3 black) (cell 1 7 white) (cell 4 7 white) (cell 7 4 white)
             (cell 2 2 white) (hand white 0) (hand black 0) (stones white 4) (stones black 4)
             (control white) (moved 30)"
        ),
    );
    game.legal(
        0,
        "(move 1 7 1 4) (move 4 7 7 7) (move 4 7 4 6) (move 7 4 7 7) (move 7 4 6 4)
         (move 2 2 4 2) (move 2 2 2 4)",
    );
    game.play("(move 7 4 7 7) noop").facts("taking", "taking");
    game.legal(0, "(take 3 3)").play("(take 3 3) noop").facts("taking", "");
    game.facts("stones", "(stones white 4) (stones black 3)").facts("control", "(control black)");
    // Three stones fly: each to any of the 17 empty points.
    assert_eq!(game.moves(1).len(), 3 * 17);
    game.play("noop (move 1 1 3 3)").play("(move 7 7 7 4) noop").play("noop (move 4 1 4 2)");
    game.play("(move 7 4 7 7) noop").facts("taking", "taking");
    game.play("(take 7 1) noop").ends(&[100.0, 0.0]);
}

#[test]
fn the_next_player_pays_in_connect_four_for_three() {
    position(
        "connect_four_3p",
        "(cell 1 1 blue) (cell 2 1 blue) (cell 3 1 blue) (cell 1 2 red) (control blue)",
    )
    .legal(0, "noop")
    .play("noop noop (drop 4)")
    .ends(&[0.0, 50.0, 100.0]);
}

#[test]
fn nine_lamps_solve_lights_out() {
    let mut game = start("lights_out");
    for (column, row) in [(4, 1), (5, 1), (2, 2), (3, 2), (1, 3), (3, 3), (5, 3), (2, 4), (4, 4)] {
        game.goes_on().play(&format!("(press {column} {row})"));
    }
    game.facts("cell", "").ends(&[100.0]);
}

#[test]
fn the_tower_moves_in_31_moves() {
    /// The moves that bring the discs 1 to `disc` from peg to peg.
    fn carry(disc: u32, pegs: [&str; 3], moves: &mut Vec<String>) {
        let [from, over, to] = pegs;
        if disc > 0 {
            carry(disc - 1, [from, to, over], moves);
            moves.push(format!("(move {disc} {to})"));
            carry(disc - 1, [over, from, to], moves);
        }
    }
    let mut moves = Vec::new();
    carry(5, ["left", "middle", "right"], &mut moves);
    let mut game = start("hanoi");
    for mov in &moves[..30] {
        game.play(mov).goes_on();
    }
    game.play(&moves[30]).ends(&[100.0]);
}

#[test]
fn one_peg_stays_in_the_middle() {
    // Column and row of the peg, and where it jumps.
    const JUMPS: &str =
        "2444 3234 1333 1513 3432 3133 3515 3735 4323 1333 4143 4323 4525 1535 4745 4525
        6343 5153 5333 2343 4345 5535 2545 5755 5456 7555 4565 7375 7555 5654 6444";
    let mut game = start("peg_solitaire");
    for jump in JUMPS.split_whitespace() {
        let numbers: Vec<String> = jump.chars().map(String::from).collect();
        game.goes_on().play(&format!("(jump {})", numbers.join(" ")));
    }
    game.facts("cell", "(cell 4 4 peg)").ends(&[100.0]);
}

#[test]
fn knights_visit_every_square() {
    const TOUR: &str =
        "b3 a5 b7 d8 f7 h8 g6 f8 h7 g5 h3 g1 e2 c1 a2 b4 a6 b8 c6 a7 c8 e7 g8 h6 g4 h2 f1 d2
        b1 a3 c2 e1 f3 h4 g2 e3 d1 b2 a4 c3 b5 d4 f5 d6 c4 e5 d3 f2 h1 g3 e4 c5 d7 b6 a8 c7 d5 f4 e6
        g7 e8 f6 h5";
    const SMALL_TOUR: &str =
        "23 15 34 55 63 51 32 13 21 42 61 53 65 44 25 33 12 24 45 64 52 31 43 22 14
        35 54 62 41 22";
    let ride = |square: &str| format!("(ride {} {})", &square[..1], &square[1..]);
    let mut game = start("knights_tour");
    for square in TOUR.split_whitespace() {
        game.goes_on().play(&ride(square));
    }
    game.ends(&[100.0]);
    // On breaking ground the jump into a hole is the thirtieth move.
    let mut game = start("knights_tour_6x5");
    for square in SMALL_TOUR.split_whitespace() {
        game.goes_on().play(&ride(square));
    }
    game.ends(&[100.0]);
    position("knights_tour_6x5", "(cell 1 1 knight) (cell 2 3 hole) (moved 3)")
        .legal(0, "(ride 2 3) (ride 3 2)")
        .play("(ride 2 3)")
        .ends(&[12.0]);
}
