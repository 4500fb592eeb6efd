//! Fluids of hard disks and spheres: equations of state that hold up to freezing, and which
//! particles meet how often.

use std::f64::consts::PI;

use super::{contact_value, contact_value_mixture_3d};

/// Z = P V/(N kT) of equal particles that fill the share `phi`, better than
/// [`super::pressure_factor`].
///
/// 1D: Tonks 1936, exact. 2D: the virial coefficients up to the tenth (Clisby and McCoy 2006), and
/// from there on as they would grow by the same again and again; within 2e-3 up to 0.6. 3D: Kolafa,
/// Labik and Malijevsky 2004, which follows simulations within 1e-4 up to freezing at 0.494.
pub fn fluid_pressure<const D: usize>(phi: f64) -> f64 {
    1.0 + excess_pressure::<D>(phi)
}

/// Contact value g of equal particles, infinitely many, that fill the share `phi`, by
/// [`fluid_pressure`]: better than [`super::contact_value`].
pub fn contact_value_virial<const D: usize>(phi: f64) -> f64 {
    excess_pressure::<D>(phi) / (f64::from(1_u32 << (D - 1)) * phi)
}

/// Z - 1.
fn excess_pressure<const D: usize>(phi: f64) -> f64 {
    const { assert!(D >= 1 && D <= 3) };
    match D {
        1 => phi * contact_value::<1>(phi),
        2 => of_disks(phi),
        _ => of_spheres(phi),
    }
}

fn of_spheres(phi: f64) -> f64 {
    let powers = [
        4.0,
        6.0,
        2.364_768_4,
        -0.869_855_1,
        1.106_280_3,
        -1.095_049,
        0.637_614,
        -0.227_939_7,
        0.109_894_8,
        -0.009_067_97,
    ];
    series(&powers, phi / (1.0 - phi))
}

fn of_disks(phi: f64) -> f64 {
    // B_k/B_2^(k-1), of which the coefficient of phi^(k-1) is that times 2^(k-1).
    let reduced = [
        1.0,
        0.782_004_4,
        0.532_231_8,
        0.333_556_0,
        0.198_842_5,
        0.114_872_8,
        0.064_993_0,
        0.036_219_3,
        0.019_953_7,
    ];
    let mut scale = 1.0;
    let known = reduced.map(|b| {
        scale *= 2.0;
        b * scale
    });
    let (last, growth) = (known[8], known[8] - known[7]);
    let free = 1.0 - phi;
    let tail = (last / free + growth / (free * free)) * libm::pow(phi, 10.0);
    series(&known, phi) + tail
}

/// Collisions per particle and time of particles of diameter `size` and mass 1 at temperature 1
/// with contact value `g` of which there are `density` per volume (Enskog): 4 n s² g sqrt(pi), and
/// 2 n s g sqrt(pi) for disks.
pub fn collision_rate<const D: usize>(density: f64, size: f64, g: f64) -> f64 {
    const { assert!(D == 2 || D == 3) };
    let section = if D == 2 { 2.0 * size } else { 4.0 * size * size };
    density * section * g * PI.sqrt()
}

/// Contact value of particles of kinds `i` and `j` in a mixture of (number density, diameter). 3D:
/// [`contact_value_mixture_3d`]; 2D: Jenkins and Mancini 1987; 1D: exact. Those of 2D and 3D are
/// exact to second order in the density only.
pub fn contact_value_mixture<const D: usize>(kinds: &[(f64, f64)], i: usize, j: usize) -> f64 {
    const { assert!(D >= 1 && D <= 3) };
    let sum = |power: i32| kinds.iter().map(|(n, size)| n * size.powi(power)).sum::<f64>();
    let (a, b) = (kinds[i].1, kinds[j].1);
    match D {
        1 => 1.0 / (1.0 - sum(1)),
        2 => {
            let free = 1.0 - 0.25 * PI * sum(2);
            1.0 / free + 9.0 / 8.0 * a * b / (a + b) * 0.25 * PI * sum(1) / (free * free)
        }
        _ => contact_value_mixture_3d(kinds, i, j),
    }
}

/// How often in a time each particle of kind `i` meets one of kind `j` at temperature 1, in a
/// mixture of (number density, diameter) with these masses (Enskog): n_j g s² sqrt(8 pi/mu), and
/// n_j g s sqrt(2 pi/mu) for disks.
pub fn meeting_rate<const D: usize>(
    kinds: &[(f64, f64)],
    masses: &[f64],
    i: usize,
    j: usize,
) -> f64 {
    const { assert!(D == 2 || D == 3) };
    let s = 0.5 * (kinds[i].1 + kinds[j].1);
    let inverse = 1.0 / masses[i] + 1.0 / masses[j];
    let section = match D {
        2 => s * (2.0 * PI * inverse).sqrt(),
        _ => s * s * (8.0 * PI * inverse).sqrt(),
    };
    kinds[j].0 * contact_value_mixture::<D>(kinds, i, j) * section
}

/// The sum of `coefficients[k] x^(k + 1)`.
fn series(coefficients: &[f64], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| (sum + c) * x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::pressure_factor;

    #[test]
    fn pressures_are_those_of_the_virial_series_and_of_simulations() {
        for (phi, z) in [(0.05, 1.2275), (0.1, 1.5217), (0.3, 3.984), (0.49, 12.17)] {
            assert!((fluid_pressure::<3>(phi) / z - 1.0).abs() < 3e-4, "{phi}");
        }
        for (phi, z) in
            [(0.1, 1.2361), (0.2, 1.5704), (0.3, 2.0633), (0.4, 2.829), (0.5, 4.106), (0.6, 6.457)]
        {
            assert!(
                (fluid_pressure::<2>(phi) / z - 1.0).abs() < 2e-4,
                "{phi}: {}",
                fluid_pressure::<2>(phi)
            );
        }
        assert!((fluid_pressure::<3>(0.1) / pressure_factor::<3>(0.1) - 1.0).abs() < 5e-4);
        assert_eq!(contact_value_virial::<1>(0.5), 2.0);
        assert!((fluid_pressure::<2>(0.1) / pressure_factor::<2>(0.1) - 1.0).abs() < 5e-4);
    }

    #[test]
    fn a_mixture_of_equals_is_one_kind() {
        let (n, size): (f64, f64) = (0.4, 0.9);
        let phi = 0.25 * PI * n * size * size;
        let kinds = [(0.1, size), (0.3, size)];
        let g = contact_value_mixture::<2>(&kinds, 0, 1);
        assert!((g - crate::theory::contact_value_2d(phi)).abs() < 1e-12);
        let both: f64 = (0..2).map(|j| meeting_rate::<2>(&kinds, &[1.0; 2], 0, j)).sum();
        assert!((both / collision_rate::<2>(n, size, g) - 1.0).abs() < 1e-12);
        let g = contact_value_mixture::<3>(&kinds, 0, 1);
        let both: f64 = (0..2).map(|j| meeting_rate::<3>(&kinds, &[1.0; 2], 0, j)).sum();
        assert!((both / collision_rate::<3>(n, size, g) - 1.0).abs() < 1e-12);
    }
}
