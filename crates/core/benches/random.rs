//! Time of one normal in the form in which the engine draws them, by generator.

use jostle_core::random::{Random, normals, philox};
use jostle_core::space::Vector;
use multiversion::multiversion;
use std::hint::black_box;
use std::time::Instant;

const LANES: usize = 16;
const PARTICLES: usize = 4096;

/// Widynski, "Squares: a fast counter-based RNG", 2020: five rounds, 64 bits.
#[inline(always)]
fn squares64(counter: u64, key: u64) -> u64 {
    let y = counter.wrapping_mul(key);
    let z = y.wrapping_add(key);
    let round = |x: u64, add: u64| x.wrapping_mul(x).wrapping_add(add).rotate_left(32);
    let x = round(round(round(y, y), z), y);
    let t = x.wrapping_mul(x).wrapping_add(z);
    let x = t.rotate_left(32);
    t ^ (x.wrapping_mul(x).wrapping_add(y) >> 32)
}

#[inline(always)]
fn squares_block(counter: [u64; 4], key: [u64; 2]) -> [u64; 4] {
    let key = key[0] | key[1] << 32;
    let place = (counter[0] | counter[2] << 32).wrapping_add(counter[1] << 1);
    let (a, b) = (squares64(place, key), squares64(place.wrapping_add(1), key));
    [a >> 32, a & 0xFFFF_FFFF, b >> 32, b & 0xFFFF_FFFF]
}

macro_rules! fill {
    ($name:ident, $block:expr) => {
        #[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq+avx512bw", "x86_64+avx2"))]
        fn $name(key: [u64; 2], step: [u64; 2], id: &[u64], out: &mut [Vector<3>]) {
            for (id, out) in id.chunks_exact(LANES).zip(out.chunks_exact_mut(LANES)) {
                let mut columns = [[0.0; LANES]; 3];
                for i in 0..LANES {
                    let [w0, w1, w2, w3] =
                        $block([id[i] & 0xFFFF_FFFF, id[i] >> 32, step[0], step[1]], key);
                    let ([a, b], [_, c]) = (normals::pair([w0, w1]), normals::pair([w2, w3]));
                    (columns[0][i], columns[1][i], columns[2][i]) = (a, b, c);
                }
                for i in 0..LANES {
                    out[i] = Vector::from_fn(|k| columns[k][i]);
                }
            }
        }
    };
}
fill!(philox_10, philox::block::<10>);
fill!(philox_7, philox::block::<7>);
fill!(squares, squares_block);

/// The smallest time per particle over many short passes, which other work on the machine disturbs
/// least. [ns]
fn per_particle(mut pass: impl FnMut(u64)) -> f64 {
    let mut best = f64::INFINITY;
    for step in 0..2000 {
        let start = Instant::now();
        pass(step);
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / PARTICLES as f64
}

fn main() {
    let ids: Vec<u64> = (0..PARTICLES as u64).collect();
    let mut out = vec![Vector::<3>::ZERO; PARTICLES];
    let mut out2 = vec![Vector::<2>::ZERO; PARTICLES];
    let key = [0x9d3c_8e25, 0xa1f0_4b67];
    let random = Random::new(1);
    let library = per_particle(|step| random.normals(step, &ids, black_box(&mut out)));
    let library2 = per_particle(|step| random.normals(step, &ids, black_box(&mut out2)));
    let one = per_particle(|step| {
        for (id, out) in ids.iter().zip(&mut out) {
            *out = random.normal(step, *id);
        }
        black_box(&mut out);
    });
    let ten = per_particle(|step| philox_10(key, [step, 0], &ids, black_box(&mut out)));
    let seven = per_particle(|step| philox_7(key, [step, 0], &ids, black_box(&mut out)));
    let squares = per_particle(|step| squares(key, [step, 0], &ids, black_box(&mut out)));
    println!("Random::normals::<3>  {library:6.2} ns per particle");
    println!("Random::normals::<2>  {library2:6.2} ns per particle");
    println!("Random::normal::<3>   {one:6.2} ns per particle");
    for (name, time) in [("Philox-10", ten), ("Philox-7", seven), ("Squares64", squares)] {
        println!("{name:20}  {time:6.2} ns per particle, {:.2} of Philox-10", time / ten);
    }
}
