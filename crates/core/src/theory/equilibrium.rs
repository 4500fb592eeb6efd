//! Hard rods, disks and spheres in equilibrium.

use std::f64::consts::PI;

/// Contact value g of the pair distribution of equal spheres that fill the share `phi`.
///
/// Carnahan and Starling 1969; 0.3 % low at phi = 0.3, 0.4 % at 0.4.
pub fn contact_value_3d(phi: f64) -> f64 {
    let free = 1.0 - phi;
    (1.0 - 0.5 * phi) / (free * free * free)
}

/// Contact value g of equal disks that cover the share `phi`.
///
/// Henderson 1975; exact to 1 % up to phi = 0.4, 1 to 2 % high at 0.6.
pub fn contact_value_2d(phi: f64) -> f64 {
    let free = 1.0 - phi;
    (1.0 - 7.0 / 16.0 * phi) / (free * free)
}

/// Contact value g of equal particles in `D` dimensions: [`contact_value_3d`],
/// [`contact_value_2d`], and in 1D that of Tonks 1936, which is exact.
pub fn contact_value<const D: usize>(phi: f64) -> f64 {
    const { assert!(D >= 1 && D <= 3) };
    match D {
        1 => 1.0 / (1.0 - phi),
        2 => contact_value_2d(phi),
        _ => contact_value_3d(phi),
    }
}

/// Contact value of spheres of kinds `i` and `j` in a mixture of (number density \[1/nm³\],
/// diameter \[nm\]): Boublik 1970; Mansoori, Carnahan, Starling and Leland 1971.
pub fn contact_value_mixture_3d(kinds: &[(f64, f64)], i: usize, j: usize) -> f64 {
    let moment = |power: i32| -> f64 {
        let sum: f64 = kinds.iter().map(|(n, size)| n * size.powi(power)).sum();
        sum * PI / 6.0
    };
    let free = 1.0 - moment(3);
    let (a, b) = (kinds[i].1, kinds[j].1);
    let x = moment(2) * a * b / (a + b);
    1.0 / free + 3.0 * x / (free * free) + 2.0 * x * x / (free * free * free)
}

/// Z = P V/(N kT) of equal particles: 1 + 2^(d-1) phi g.
pub fn pressure_factor<const D: usize>(phi: f64) -> f64 {
    1.0 + f64::from(1_u32 << (D - 1)) * phi * contact_value::<D>(phi)
}

/// Contacts per particle and step of equal particles of diameter `size` \[nm\] at number density
/// `density` \[nm^-d\] with rms step `width` = sqrt(2 D_1 dt) \[nm\] of one particle per axis:
/// exact for every step, with all contacts inside the step counted, as long as g is.
///
/// ```
/// use jostle_core::theory::{contact_value, contacts_per_particle_and_step};
/// use std::f64::consts::PI;
///
/// let (diameter, width, phi) = (5.0_f64, 0.25, 0.2);
/// let density = phi / (PI / 6.0 * diameter.powi(3));
/// let found = contacts_per_particle_and_step::<3>(density, diameter, width);
/// let ideal = 4.0 * PI.sqrt() * density * diameter.powi(2) * width;
/// // A crowd is denser at contact than on average, by g.
/// assert!((found / ideal - contact_value::<3>(phi)).abs() < 1e-12);
/// // Twice the step, twice the contacts: so per time there are the more, the shorter the step.
/// let longer = contacts_per_particle_and_step::<3>(density, diameter, 2.0 * width);
/// assert!((longer / found - 2.0).abs() < 1e-12);
/// ```
pub fn contacts_per_particle_and_step<const D: usize>(density: f64, size: f64, width: f64) -> f64 {
    const { assert!(D >= 1 && D <= 3) };
    let ball = [size, PI / 4.0 * size * size, PI / 6.0 * size * size * size][D - 1];
    let surface = [2.0, 2.0 * PI * size, 4.0 * PI * size * size][D - 1];
    // the mean approach of a pair is sqrt(2) width/sqrt(2 pi)
    density * contact_value::<D>(density * ball) * surface * width / PI.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_values() {
        // phi = 0.3: 2.478 (Carnahan-Starling)
        assert!((contact_value::<3>(0.3) - 2.478).abs() < 1e-3);
        assert!((contact_value::<2>(0.4) - 0.825 / 0.36).abs() < 1e-14);
        assert_eq!(contact_value::<1>(0.5), 2.0);
        // to first order in phi: 1 + 5/2 phi (3D), 1 + 25/16 phi (2D), 1 + phi (1D)
        let phi = 1e-6;
        for (g, slope) in [
            (contact_value::<3>(phi), 2.5),
            (contact_value::<2>(phi), 25.0 / 16.0),
            (contact_value::<1>(phi), 1.0),
        ] {
            assert!(((g - 1.0) / phi - slope).abs() < 1e-4);
        }
    }

    #[test]
    fn mixture_of_equals_is_one_kind() {
        let (n, size): (f64, f64) = (0.5, 0.9);
        let phi = n * PI / 6.0 * size.powi(3);
        let mixed = contact_value_mixture_3d(&[(0.2, size), (0.3, size)], 0, 1);
        assert!((mixed - contact_value_3d(phi)).abs() < 1e-12);
        // point particles see the free volume only
        let kinds = [(n, size), (0.1, 0.0)];
        assert!((contact_value_mixture_3d(&kinds, 1, 0) - 1.0 / (1.0 - phi)).abs() < 1e-12);
    }

    /// Carnahan and Starling's equation of state, Tonks's, and the second virial coefficient.
    #[test]
    fn pressure() {
        let phi: f64 = 0.4;
        let z = (1.0 + phi + phi * phi - phi.powi(3)) / (1.0 - phi).powi(3);
        assert!((pressure_factor::<3>(phi) - z).abs() < 1e-12);
        assert!((pressure_factor::<1>(phi) - 1.0 / (1.0 - phi)).abs() < 1e-12);
        assert!(((pressure_factor::<2>(1e-7) - 1.0) / 1e-7 - 2.0).abs() < 1e-6);
    }

    /// 4 sqrt(pi) n sigma² g s1 in 3D and 2 sqrt(pi) n sigma g s1 in 2D.
    #[test]
    fn contacts() {
        let (n, size, width) = (0.01, 2.0, 0.1);
        let three = 4.0 * PI.sqrt() * n * size * size * width;
        let g = contact_value_3d(n * PI / 6.0 * 8.0);
        let ratio = contacts_per_particle_and_step::<3>(n, size, width) / (three * g);
        assert!((ratio - 1.0).abs() < 1e-12);
        let two = 2.0 * PI.sqrt() * n * size * width * contact_value_2d(n * PI);
        let ratio = contacts_per_particle_and_step::<2>(n, size, width) / two;
        assert!((ratio - 1.0).abs() < 1e-12);
    }
}
