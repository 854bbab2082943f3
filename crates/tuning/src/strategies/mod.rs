//! The allocation strategies, one file each [Sironi 2019, 6.3].

pub mod cma_es;
pub mod de;
pub mod ea;
pub mod either;
pub mod halving;
pub mod he;
pub mod local;
pub mod lsi;
pub mod mab;
pub mod nmc;
pub mod ntbea;
