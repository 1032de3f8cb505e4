"""A Rust text with a bit of everything that mutants are put into; it compiles in each edition, and so does each mutant."""

from verify_lsp.mutation.languages import engine_for

ENGINE = engine_for("src/lib.rs")
assert ENGINE is not None

SAMPLE = """\
//! Sums, limits and the like.
use std::fmt;

/// Größe, in Stücken — with characters of several bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Store { items: Vec<i64>, limit: usize, name: String }

pub const fn doubled(n: usize) -> usize { if n > 10 { n + n } else { n * 2 } }

const WIDTHS: [usize; 2 + 1] = [1, 2, 3];

impl Store {
    pub fn new(limit: usize, name: &str) -> Store {
        Store { items: Vec::new(), limit: limit + 0, name: name.to_string() + "!" }
    }
    pub fn put(&mut self, item: i64) -> Result<usize, String> {
        if self.items.len() >= self.limit && self.limit != 0 || item == -128 {
            return Err(format!("{} is full: {}", self.name, self.limit));
        }
        self.items.push(item);
        self.check()?;
        self.check_all(
            1, // first
            2,
        );
        Ok(self.items.len())
    }
    fn check(&self) -> Result<(), String> {
        match self.items.last() { Some(last) if last.is_negative() => Err("ü".to_string()), _ => Ok(()) }
    }
    fn check_all(&self, _a: u8, _b: u8) {}
    pub fn first(&self) -> Option<&i64> { self.items.first() }
    pub fn is_empty(&self) -> bool { self.items.is_empty() }
    pub fn title(&self) -> &str { if self.is_empty() { "none" } else { &self.name } }
    pub fn total(&self) -> i64 {
        let mut sum = 0;
        for item in &self.items {
            if *item == 7 { continue; }
            if !(*item < 100) { break; }
            sum += item * 2 - 1;
            sum = -sum;
            sum ^= 3;
        }
        sum
    }
    pub fn bits(&self, a: u32, b: u32, c: u32) -> u32 {
        (a & b ^ c | a << 3) >> 1
    }
    pub fn any(&self, f: &dyn Fn(i64) -> bool, on: bool, off: bool, x: bool) -> bool {
        let mut n = 0;
        while n < self.items.len() {
            if f(self.items[n]) { return true; }
            n += 1;
        }
        on && off || x && !on
    }
    pub fn deepest(&self) -> f64 {
        let half = |x: f64| { x / 2.0 };
        half(self.items.iter().map(|x| *x as f64 + 1.5).fold(0.0, |a, b| if a > b { a } else { b }))
    }
}

pub mod inner {
    pub mod deeper {
        pub fn both(a: bool, b: bool) -> bool { fn low(a: bool) -> bool { a == true } low(a) && b }
    }
    pub fn sizes() -> Vec<usize> { vec![super::WIDTHS[1], super::doubled(3)] }
    impl super::fmt::Display for super::Store {
        fn fmt(&self, f: &mut super::fmt::Formatter) -> super::fmt::Result { write!(f, "{}", 1 + 2) }
    }
}

pub fn chosen(a: u32, p: &[u32]) -> bool {
    if unsafe { *p.get_unchecked(0) } < a { return match a { 1 => 2, _ => 3 } == a; }
    if (if a > 1 { 2 } else { 3 }) + 1 == a { return false; }
    let c = { let b = a; b } >= 2;
    c
}

pub trait Near { fn near(&self, a: i32) -> bool { let b = a.abs(); b <= 3 } }
impl Near for i32 {}
// the last line has no end"""
