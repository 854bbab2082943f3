//! What several test files need.

#![allow(dead_code, reason = "each test file uses a part of it")]

pub mod plain;

use gamegrove_octagon::{Amount, Cannon, Choice, Config, Listing, Octagon, Rules, Stock, TwoPiece};

/// The game that a one-line description selects from the shipped file.
pub fn game(description: &str) -> Octagon {
    Octagon::new(Config::shipped().rules(description).unwrap()).unwrap()
}

/// Every combination of board, cannon rule, 2-piece, listing and stock, with stocks that run out
/// among them.
pub fn all_rules() -> Vec<Rules> {
    let config = Config::shipped();
    let short = |counts: [u8; 4]| Stock(counts.map(Amount::limited));
    let mut stocks: Vec<(String, Stock)> =
        config.stocks.iter().map(|(name, &stock)| (name.clone(), stock)).collect();
    stocks.push(("short".to_owned(), short([9, 2, 1, 1])));
    stocks.push(("no_ones".to_owned(), short([0, 4, 3, 9])));
    let mut all = Vec::new();
    for board in config.boards.keys() {
        for &(_, cannon) in Cannon::ALL {
            for &(_, two_piece) in TwoPiece::ALL {
                for &(_, moves) in Listing::ALL {
                    for (stock_name, stock) in &stocks {
                        let rules = config.rules(board).unwrap();
                        let stock_name = stock_name.clone();
                        let stock = *stock;
                        all.push(Rules { cannon, two_piece, moves, stock_name, stock, ..rules });
                    }
                }
            }
        }
    }
    all
}
