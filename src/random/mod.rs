//! Random numbers as pure functions of a key: no generator state is stored anywhere.
//!
//! Every number is a function of the seed, of what it is for ([`Purpose`]) and of what it belongs
//! to (a step, a body, a pair). It does not depend on the order in which bodies are visited, on
//! how many threads there are, or on how many numbers others have drawn; a run can be taken up at
//! any step without a stored state.
//!
//! Displacements are Philox4x32-10 ([`philox`]) with the seed as the key and the counter
//!
//! | word | content |
//! | --- | --- |
//! | 0 | body id, bits 0..32 |
//! | 1 | body id, bits 32..48; purpose << 16; block << 24 |
//! | 2, 3 | step, low and high half |
//!
//! One block makes two uniforms of 53 bits and of them two normals ([`normals`]). One and two
//! dimensions use block 0; three use blocks 0 and 1 and leave the fourth normal unused.
//!
//! Rare draws hash their key to 128 bits: with purpose << 16 | 255 << 24 in word 1 of an otherwise
//! empty counter, Philox makes two sub-keys, A and B, from the seed; the key words are then chained
//! through Philox under A (CBC-MAC of two blocks). Not for cryptography.
//!
//! Why Philox with ten rounds: per body and step, three normals cost 9.1 ns with it, 8.3 ns with
//! seven rounds and 9.9 ns with Squares64 (one core of an AMD EPYC with AVX-512; `cargo bench
//! --bench random`). The transformation dominates, so the authors' full safety margin, published
//! test vectors and a counter of 128 bits come at a tenth of the time. [`Random::normals`] itself
//! takes 10 ns per body in 3D and 5 ns in 2D; [`Random::normal`], a body at a time, 52 ns.

pub mod normals;
pub mod philox;

use crate::space::Vector;
use multiversion::multiversion;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The version of the map from keys to numbers: files made with different versions differ in
/// every displacement.
pub const STREAM_VERSION: u32 = 1;

/// What a random number is for. Numbers for different purposes are independent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Purpose {
    /// The Gaussian displacements of a step.
    Displacement = 0,
    /// Whether a contact reacts.
    Fate = 1,
    /// How long a state lasts.
    Waiting = 2,
    /// How the two of a pair part.
    Unbinding = 3,
    /// Where bodies start.
    Placement = 4,
    /// Where products appear.
    Product = 5,
    /// How rigid units turn.
    Rotation = 6,
    /// How large balls are.
    Radius = 7,
    /// How bodies move at the start.
    Velocity = 8,
}

/// A source of random numbers: nothing but the seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    key: u64,
}

/// How many bodies are drawn for at once.
const LANES: usize = 16;
/// Body ids have 48 bits.
const ID_BITS: u32 = 48;

impl Random {
    /// The source that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        Self { key: seed }
    }

    /// Sets out\[i\] to `D` independent standard normals, a function of (seed, `step`, id\[i\])
    /// alone. At most 48 bits of the ids are used; `id` and `out` have to be of one length.
    pub fn normals<const D: usize>(&self, step: u64, id: &[u64], out: &mut [Vector<D>]) {
        debug_assert_eq!(id.len(), out.len());
        fill_dispatched(self.key, step, id, out);
    }

    /// The same for one body, equal to the last bit.
    pub fn normal<const D: usize>(&self, step: u64, id: u64) -> Vector<D> {
        let normals = body::<D>(philox::split(self.key), philox::split(step), id);
        Vector::from_fn(|k| normals[k])
    }

    /// A uniform number in [0, 1) of 53 bits, a function of (seed, `purpose`, `key`) alone.
    pub fn uniform(&self, purpose: Purpose, key: [u64; 4]) -> f64 {
        let [_, [bits, _]] = self.hash(purpose, key);
        (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A generator for a few draws, seeded with 256 bits that are a function of (seed, `purpose`,
    /// `key`) alone. Made for the distributions of `rand_distr`.
    pub fn generator(&self, purpose: Purpose, key: [u64; 4]) -> Xoshiro256PlusPlus {
        let [[_, b], [h0, h1]] = self.hash(purpose, key);
        let first = philox::block64([h0, h1], b);
        let second = philox::block64([h0 ^ 1, h1], b);
        let mut seed = [0; 32];
        for (bytes, word) in seed.chunks_exact_mut(8).zip(first.into_iter().chain(second)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Xoshiro256PlusPlus::from_seed(seed)
    }

    /// The sub-keys A and B of the purpose, and the 128-bit hash of the key.
    fn hash(&self, purpose: Purpose, key: [u64; 4]) -> [[u64; 2]; 2] {
        let tag = (purpose as u64) << 16 | 255 << 24;
        let sub = philox::block64([tag << 32, 0], self.key);
        let [h0, h1] = philox::block64([key[0], key[1]], sub[0]);
        [sub, philox::block64([h0 ^ key[2], h1 ^ key[3]], sub[0])]
    }
}

/// The normals of one body: in fewer than three dimensions the last ones are not made.
#[inline(always)]
fn body<const D: usize>(key: [u64; 2], step: [u64; 2], id: u64) -> [f64; 3] {
    const { assert!(D >= 1 && D <= 3) };
    let [a, b] = pair(key, step, id, 0);
    let c = if D == 3 { pair(key, step, id, 1)[0] } else { 0.0 };
    [a, b, c]
}

/// The two normals of one block of a body.
#[inline(always)]
fn pair(key: [u64; 2], step: [u64; 2], id: u64, block: u64) -> [f64; 2] {
    let low = id & 0xFFFF_FFFF;
    let high = (id >> 32) & ((1 << (ID_BITS - 32)) - 1);
    let tag = (Purpose::Displacement as u64) << 16 | block << 24;
    let counter = [low, high | tag, step[0], step[1]];
    normals::pair(philox::block::<{ philox::ROUNDS }>(counter, key))
}

/// The normals of many bodies, [`LANES`] at a time.
#[inline(always)]
fn fill<const D: usize>(key: u64, step: u64, id: &[u64], out: &mut [Vector<D>]) {
    let (key, step) = (philox::split(key), philox::split(step));
    let mut ids = [0; LANES];
    for (id, out) in id.chunks(LANES).zip(out.chunks_mut(LANES)) {
        ids[..id.len()].copy_from_slice(id);
        let mut columns = [[0.0; LANES]; 3];
        for i in 0..LANES {
            [columns[0][i], columns[1][i], columns[2][i]] = body::<D>(key, step, ids[i]);
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = Vector::from_fn(|k| columns[k][i]);
        }
    }
}

/// [`fill`] with the widest vector instructions of the machine, found out when it runs.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn fill_dispatched<const D: usize>(key: u64, step: u64, id: &[u64], out: &mut [Vector<D>]) {
    fill(key, step, id, out);
}

#[cfg(test)]
mod tests;
