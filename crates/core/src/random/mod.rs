//! Random numbers as pure functions of a key: no generator state is stored anywhere.
//!
//! Every number is a function of the seed, of what it is for ([`Purpose`]) and of what it belongs
//! to (a step, a particle, a pair). It does not depend on the order in which particles are visited,
//! on how many threads there are, or on how many numbers others have drawn; a run can be taken up
//! at any step without a stored state.
//!
//! Displacements and rotations are Philox4x32-10 ([`philox`]) with the seed as the key and the counter
//!
//! | word | content |
//! | --- | --- |
//! | 0 | id of the particle or unit, bits 0..32 |
//! | 1 | id, bits 32..48; purpose << 16 |
//! | 2, 3 | step, low and high half |
//!
//! One block makes two pairs of normals ([`normals`]), each of two words. One and two dimensions
//! use the first pair; three take the third from the second, whose other is not made.
//!
//! Rare draws hash their key to 128 bits: with purpose << 16 | 255 << 24 in word 1 of an otherwise
//! empty counter, Philox makes two sub-keys, A and B, from the seed; the key words are then chained
//! through Philox under A (CBC-MAC of two blocks). Not for cryptography.
//!
//! [`Random::displacements`] takes 5.7 ns per particle in 3D and 4.1 ns in 2D (one core of an Intel
//! Xeon at 3.5 GHz with AVX-512; `cargo bench --bench random`). Two blocks for each particle in 3D,
//! 53 bits for every angle and radius, and polynomials right to the last place took 9.0 ns and made
//! no result more exact. Single precision would take 4.0 ns; but steps of 24 bits are not what we
//! mean by exact.
//!
//! Why Philox with ten rounds: a third of the time goes into it, and with seven rounds a sixth less
//! would be needed, with Squares64 a twelfth. The authors' full safety margin, published test
//! vectors and a counter of 128 bits are worth as much.

pub mod normals;
pub mod philox;

use crate::space::Vector;
use multiversion::multiversion;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

/// The version of the map from keys to numbers: files made with different versions differ in
/// every displacement.
pub const STREAM_VERSION: u32 = 3;

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
    /// Where particles start.
    Placement = 4,
    /// Where products appear.
    Product = 5,
    /// How rigid units turn.
    Rotation = 6,
    /// How large balls are.
    Radius = 7,
    /// How particles move at the start.
    Velocity = 8,
    /// How particles are turned.
    Orientation = 9,
    /// When two that are near each other become tethered.
    Tether = 10,
    /// How much energy a pair climbs before it bounces.
    Climb = 11,
    /// How much energy a particle climbs beside a surface before it bounces.
    Field = 12,
}

/// How many purposes there are.
const PURPOSES: usize = Purpose::Field as usize + 1;

/// A source of random numbers: nothing but the seed, and what follows from it alone.
///
/// ```
/// use jostle_core::random::Random;
/// use jostle_core::space::Vector;
///
/// // What particles 5 and 6 draw in step 3: the same together or alone, in any order, on any thread.
/// let random = Random::new(7);
/// let mut both = [Vector::<2>::ZERO; 2];
/// random.normals(3, &[5, 6], &mut both);
/// assert_eq!(both, [random.normal(3, 5), random.normal(3, 6)]);
/// assert_ne!(random.normal::<2>(4, 5), both[0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Random {
    key: u64,
    /// The sub-keys A and B of rare draws. \[purpose\]
    sub_keys: [[u64; 2]; PURPOSES],
}

/// How many particles are drawn for at once.
const LANES: usize = 64;
/// Particle ids have 48 bits.
const ID_BITS: u32 = 48;

impl Random {
    /// The source that belongs to a seed.
    pub fn new(seed: u64) -> Self {
        let sub_keys = std::array::from_fn(|purpose| {
            let tag = (purpose as u64) << 16 | 255 << 24;
            philox::block64([tag << 32, 0], seed)
        });
        Self { key: seed, sub_keys }
    }

    /// Sets out\[i\] to `D` independent standard normals, a function of (seed, `step`, id\[i\])
    /// alone. At most 48 bits of the ids are used; `id` and `out` have to be of one length.
    pub fn normals<const D: usize>(&self, step: u64, id: &[u64], out: &mut [Vector<D>]) {
        debug_assert_eq!(id.len(), out.len());
        fill_dispatched(self.key, Purpose::Displacement, step, id, None, out);
    }

    /// The same for the rotations of rigid units, independent of those for displacements.
    pub fn rotations<const D: usize>(&self, step: u64, id: &[u64], out: &mut [Vector<D>]) {
        debug_assert_eq!(id.len(), out.len());
        fill_dispatched(self.key, Purpose::Rotation, step, id, None, out);
    }

    /// The same as [`Random::normals`] times `width[i]`: independent normals of that standard deviation.
    pub fn displacements<const D: usize>(
        &self,
        step: u64,
        id: &[u64],
        width: &[f64],
        out: &mut [Vector<D>],
    ) {
        debug_assert_eq!([id.len(), width.len()], [out.len(); 2]);
        fill_dispatched(self.key, Purpose::Displacement, step, id, Some(width), out);
    }

    /// The same as [`Random::normals`] for one, equal to the last bit.
    pub fn normal<const D: usize>(&self, step: u64, id: u64) -> Vector<D> {
        let counter = counter(Purpose::Displacement, philox::split(step), id);
        let normals = of_counter::<D>(philox::split(self.key), counter);
        Vector::from_fn(|k| normals[k])
    }

    /// A uniform number in [0, 1) of 53 bits, a function of (seed, `purpose`, `key`) alone.
    pub fn uniform(&self, purpose: Purpose, key: [u64; 4]) -> f64 {
        self.uniforms(purpose, key)()
    }

    /// One uniform number in [0, 1) after the other, the first of which is that of [`Random::uniform`].
    pub fn uniforms(&self, purpose: Purpose, key: [u64; 4]) -> impl FnMut() -> f64 {
        let [[_, b], [h0, h1]] = self.hash(purpose, key);
        let mut n = 0;
        move || {
            let bits = if n == 0 { h0 } else { philox::block64([h0 ^ n, h1], b)[0] };
            n += 1;
            (bits >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
        }
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
        let sub = self.sub_keys[purpose as usize];
        let [h0, h1] = philox::block64([key[0], key[1]], sub[0]);
        [sub, philox::block64([h0 ^ key[2], h1 ^ key[3]], sub[0])]
    }
}

/// The normals of one counter: in fewer than three dimensions the last ones are not made.
#[inline(always)]
fn of_counter<const D: usize>(key: [u64; 2], counter: [u64; 4]) -> [f64; 3] {
    const { assert!(D >= 1 && D <= 3) };
    let [w0, w1, w2, w3] = philox::block::<{ philox::ROUNDS }>(counter, key);
    let [a, b] = normals::pair([w0, w1]);
    let c = if D == 3 { normals::pair([w2, w3])[1] } else { 0.0 };
    [a, b, c]
}

/// What the block of a particle or unit is made of.
#[inline(always)]
fn counter(purpose: Purpose, step: [u64; 2], id: u64) -> [u64; 4] {
    let low = id & 0xFFFF_FFFF;
    let high = (id >> 32) & ((1 << (ID_BITS - 32)) - 1);
    [low, high | (purpose as u64) << 16, step[0], step[1]]
}

/// One word each of [`LANES`] particles or units.
type Batch<T> = [T; LANES];

/// The normals of many, [`LANES`] at a time, times their widths if there are any.
///
/// All bits come before all transformations: with short loops, a processor has several rounds of a
/// loop in hand at once, and waits less for the long chain of operations that leads to one number.
#[inline(always)]
fn fill<const D: usize>(
    key: u64,
    purpose: Purpose,
    step: u64,
    id: &[u64],
    width: Option<&[f64]>,
    out: &mut [Vector<D>],
) {
    let (key, step) = (philox::split(key), philox::split(step));
    let (mut some_ids, mut some_widths) = ([0; LANES], [1.0; LANES]);
    let mut words = [[0; LANES]; 4];
    let mut columns = [[0.0; LANES]; 3];
    for (n, (id, out)) in id.chunks(LANES).zip(out.chunks_mut(LANES)).enumerate() {
        let ids = all_or_some(id, &mut some_ids);
        let widths = match width {
            Some(width) => all_or_some(&width[n * LANES..][..id.len()], &mut some_widths),
            None => &some_widths,
        };
        let [x, y, z] = &mut columns;
        draw_bits(key, purpose, step, ids, &mut words);
        for i in 0..LANES {
            [x[i], y[i]] = normals::pair([words[0][i], words[1][i]]);
        }
        if D == 3 {
            for i in 0..LANES {
                [_, z[i]] = normals::pair([words[2][i], words[3][i]]);
            }
        }
        for (i, out) in out.iter_mut().enumerate() {
            *out = Vector::from_fn(|k| columns[k][i] * widths[i]);
        }
    }
}

/// One word for each lane: those given, in `room` if they are too few.
#[inline(always)]
fn all_or_some<'a, T: Copy>(given: &'a [T], room: &'a mut Batch<T>) -> &'a Batch<T> {
    match given.try_into() {
        Ok(all) => all,
        Err(_) => {
            room[..given.len()].copy_from_slice(given);
            room
        }
    }
}

/// The block of each particle.
#[inline(always)]
fn draw_bits(
    key: [u64; 2],
    purpose: Purpose,
    step: [u64; 2],
    ids: &Batch<u64>,
    words: &mut [Batch<u64>; 4],
) {
    for i in 0..LANES {
        let block = philox::block::<{ philox::ROUNDS }>(counter(purpose, step, ids[i]), key);
        [words[0][i], words[1][i], words[2][i], words[3][i]] = block;
    }
}

/// [`fill`] with the widest vector instructions of the machine, found out when it runs.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
fn fill_dispatched<const D: usize>(
    key: u64,
    purpose: Purpose,
    step: u64,
    id: &[u64],
    width: Option<&[f64]>,
    out: &mut [Vector<D>],
) {
    fill(key, purpose, step, id, width, out);
}

#[cfg(test)]
mod tests;
