//! Smooth potentials. A form is one row of [`FORMS`].

use std::f64::consts::PI;

use thiserror::Error;

/// A form of smooth potential: how it is called, what it takes, and the energy that follows.
#[derive(Debug)]
pub struct EnergyForm {
    /// Its name in model files.
    pub name: &'static str,
    /// The names of what it takes, in the order of `EnergyValues`. Which numbers are possible, and what
    /// holds where nothing is given, the model file says.
    pub parameters: &'static [&'static str],
    /// \[kT\] at a distance \[nm\].
    energy: fn(&EnergyValues, f64) -> f64,
    /// Where it ends by itself, if it does. \[nm\]
    end: fn(&EnergyValues) -> Option<f64>,
}

impl PartialEq for EnergyForm {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The parameters of a form in their order, and in the last place the distance of the centres at contact.
type EnergyValues = [f64; 4];

/// The place of the distance at contact.
const CONTACT: usize = 3;

/// In units of the diameter, where the Lennard-Jones potential has its minimum: 2^(1/6).
const LOWEST: f64 = 1.122_462_048_309_373;

/// All forms.
pub static FORMS: [EnergyForm; 8] = [
    EnergyForm {
        name: "yukawa",
        parameters: &["strength", "length"],
        energy: |&[strength, length, _, contact], r| {
            strength * contact / r * libm::exp(-(r - contact) / length)
        },
        end: |_| None,
    },
    EnergyForm {
        name: "debye_hueckel",
        parameters: &["charge_product", "salt", "bjerrum_length"],
        energy: |&[product, salt, bjerrum, contact], r| {
            let length = 1.0 / (8.0 * PI * bjerrum * salt).sqrt();
            // Each ball of half the contact distance keeps the ions out.
            let outside = 1.0 + 0.5 * contact / length;
            product * bjerrum / (outside * outside) / r * libm::exp(-(r - contact) / length)
        },
        end: |_| None,
    },
    EnergyForm {
        name: "lennard_jones",
        parameters: &["depth", "diameter"],
        energy: lennard_jones,
        end: |_| None,
    },
    EnergyForm {
        name: "wca",
        parameters: &["depth", "diameter"],
        energy: |values, r| match r < LOWEST * values[1] {
            true => lennard_jones(values, r) + values[0],
            false => 0.0,
        },
        end: |&[_, diameter, ..]| Some(LOWEST * diameter),
    },
    EnergyForm {
        name: "morse",
        parameters: &["depth", "width", "distance"],
        energy: |&[depth, width, distance, _], r| {
            let rest = -libm::expm1(-(r - distance) / width);
            depth * (rest * rest - 1.0)
        },
        end: |_| None,
    },
    EnergyForm {
        name: "gaussian",
        parameters: &["height", "width", "distance"],
        energy: |&[height, width, distance, _], r| {
            let x = (r - distance) / width;
            height * libm::exp(-0.5 * x * x)
        },
        end: |_| None,
    },
    EnergyForm {
        name: "harmonic",
        parameters: &["width", "distance"],
        energy: |&[width, distance, ..], r| {
            let x = (r - distance) / width;
            0.5 * x * x
        },
        end: |_| None,
    },
    EnergyForm {
        name: "linear",
        parameters: &["length"],
        energy: |&[length, ..], r| r / length,
        end: |_| None,
    },
];

fn lennard_jones(&[depth, diameter, ..]: &EnergyValues, r: f64) -> f64 {
    let sixth = libm::pow(diameter / r, 6.0);
    4.0 * depth * (sixth * sixth - sixth)
}

/// A smooth potential as a model says it.
///
/// ```
/// use jostle_core::potentials::{EnergyShape, FORMS, StepPotential};
///
/// // Screened charges that touch at 5 nm with 2 kT, and a screening length of 1 nm.
/// let yukawa = FORMS.iter().find(|form| form.name == "yukawa").unwrap();
/// let shape = EnergyShape::Form(yukawa, vec![Some(2.0), Some(1.0)]);
/// let potential = shape.from_contact(5.0);
/// assert_eq!(potential.energy(5.0), 2.0);
/// assert!((potential.energy(6.0) - 2.0 * 5.0 / 6.0 * (-1.0_f64).exp()).abs() < 1e-12);
/// // Divided into shells, it has the same second virial coefficient, however few they are.
/// let b2 = |n| StepPotential::of_form(&potential, 5.0, 12.0, n, 3).second_virial(5.0, 3);
/// assert!((b2(4) / b2(40) - 1.0).abs() < 1e-6);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum EnergyShape {
    /// A form with its parameters; what is not given is the distance at contact.
    Form(&'static EnergyForm, Vec<Option<f64>>),
    /// Straight lines between points.
    Table(Tabulated),
}

impl EnergyShape {
    /// Where the energy ends, if the shape says so. \[nm\]
    pub fn end(&self) -> Option<f64> {
        match self {
            Self::Form(form, given) => (form.end)(&values(given, f64::NAN)),
            Self::Table(table) => Some(table.range()[1]),
        }
    }

    /// The same for particles that touch at `contact`. \[nm\]
    pub fn from_contact(&self, contact: f64) -> SmoothPotential {
        SmoothPotential(match self {
            Self::Form(form, given) => Law::Form(form, values(given, contact)),
            Self::Table(table) => Law::Table(table.clone()),
        })
    }
}

fn values(given: &[Option<f64>], contact: f64) -> EnergyValues {
    let mut values = [0.0; CONTACT + 1];
    values[CONTACT] = contact;
    for (value, given) in values.iter_mut().zip(given) {
        *value = given.unwrap_or(contact);
    }
    values
}

/// A smooth potential of two particles of which all is known.
#[derive(Clone, Debug, PartialEq)]
pub struct SmoothPotential(Law);

#[derive(Clone, Debug, PartialEq)]
enum Law {
    Form(&'static EnergyForm, EnergyValues),
    Table(Tabulated),
}

impl SmoothPotential {
    /// The energy at a distance. \[kT\]
    #[inline]
    pub fn energy(&self, r: f64) -> f64 {
        match &self.0 {
            Law::Form(form, values) => (form.energy)(values, r),
            Law::Table(table) => table.energy(r),
        }
    }
}

/// Energies at some distances.
#[derive(Clone, Debug, PartialEq)]
pub struct Tabulated {
    points: Vec<[f64; 2]>,
}

/// Why a table is no potential.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TableError {
    /// Two points make a line.
    #[error("there are {0} rows; at least 2 are needed, each a distance and an energy")]
    TooShort(usize),
    /// Distances increase.
    #[error(
        "row {row} (counted from 1): the distance {distance} does not exceed that of the row before"
    )]
    Order {
        /// Which row.
        row: usize,
        /// \[nm\]
        distance: f64,
    },
    /// Something is not a number.
    #[error("row {0} (counted from 1) has a value that is not a finite number")]
    NotFinite(usize),
}

impl Tabulated {
    /// A potential through these points: distance \[nm\] and energy \[kT\].
    ///
    /// # Errors
    /// Unless there are at least two, of increasing distances.
    pub fn new(points: Vec<[f64; 2]>) -> Result<Self, TableError> {
        if points.len() < 2 {
            return Err(TableError::TooShort(points.len()));
        }
        if let Some(n) = points.iter().position(|point| !point.iter().all(|x| x.is_finite())) {
            return Err(TableError::NotFinite(n + 1));
        }
        match points.windows(2).position(|two| two[0][0] >= two[1][0]) {
            Some(n) => Err(TableError::Order { row: n + 2, distance: points[n + 1][0] }),
            None => Ok(Self { points }),
        }
    }

    /// The first and the last distance. \[nm\]
    pub fn range(&self) -> [f64; 2] {
        [self.points[0][0], self.points[self.points.len() - 1][0]]
    }

    /// The points. \[nm\], \[kT\]
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The energy at a distance: that of the nearest point before the first, and 0 after the last.
    fn energy(&self, r: f64) -> f64 {
        let after = self.points.partition_point(|point| point[0] < r);
        if after == 0 {
            return self.points[0][1];
        }
        let Some(&[r_1, u_1]) = self.points.get(after) else { return 0.0 };
        let [r_0, u_0] = self.points[after - 1];
        u_0 + (u_1 - u_0) * (r - r_0) / (r_1 - r_0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(name: &str, given: &[f64]) -> SmoothPotential {
        let form = FORMS.iter().find(|form| form.name == name).unwrap();
        let mut given: Vec<_> = given.iter().copied().map(Some).collect();
        given.resize(form.parameters.len(), None);
        EnergyShape::Form(form, given).from_contact(2.0)
    }

    #[test]
    fn forms_have_their_marks() {
        let yukawa = form("yukawa", &[3.0, 0.7]);
        assert_eq!(yukawa.energy(2.0), 3.0);
        assert!((yukawa.energy(2.7) - 3.0 * 2.0 / 2.7 / 1_f64.exp()).abs() < 1e-12);
        let lowest = 2.0 * 2_f64.powf(1.0 / 6.0);
        let lennard_jones = form("lennard_jones", &[1.5]);
        assert!(lennard_jones.energy(2.0).abs() < 1e-12);
        assert!((lennard_jones.energy(lowest) + 1.5).abs() < 1e-12);
        let wca = form("wca", &[1.5, 2.0]);
        assert!((wca.energy(2.0) - 1.5).abs() < 1e-12 && wca.energy(lowest - 1e-9) < 1e-12);
        assert_eq!(wca.energy(2.25), 0.0);
        let morse = form("morse", &[2.0, 0.5, 3.0]);
        assert_eq!((morse.energy(3.0), morse.energy(300.0)), (-2.0, 0.0));
        assert!((morse.energy(3.5) - 2.0 * ((1.0 - (-1_f64).exp()).powi(2) - 1.0)).abs() < 1e-12);
        let gaussian = form("gaussian", &[-4.0, 2.0, 0.0]);
        assert!((gaussian.energy(4.0) + 4.0 * (-2_f64).exp()).abs() < 1e-12);
        assert!((form("gaussian", &[3.0, 0.5, 2.5]).energy(2.5) - 3.0).abs() < 1e-12);
    }

    /// The Debye length of 100 mM of a salt of single charges in water is 0.96 nm.
    #[test]
    fn charges_are_screened_by_salt() {
        let charges = form("debye_hueckel", &[-10.0, 0.060_221, 0.714]);
        let length = 0.9615;
        let ratio = charges.energy(2.0 + length) / charges.energy(2.0);
        assert!((ratio * (2.0 + length) / 2.0 * 1_f64.exp() - 1.0).abs() < 1e-3, "{ratio}");
        let bare = -10.0 * 0.714 / 2.0;
        assert!((charges.energy(2.0) / bare * (1.0 + 1.0 / length).powi(2) - 1.0).abs() < 1e-3);
    }

    #[test]
    fn tables_are_lines_between_points() {
        let table = Tabulated::new(vec![[2.0, -1.0], [3.0, 1.0], [5.0, 0.0]]).unwrap();
        let energies = [1.5, 2.0, 2.5, 4.0, 5.0, 6.0].map(|r| table.energy(r));
        assert_eq!(energies, [-1.0, -1.0, 0.0, 0.5, 0.0, 0.0]);
        assert_eq!(Tabulated::new(vec![[2.0, -1.0]]), Err(TableError::TooShort(1)));
        let twice = Tabulated::new(vec![[2.0, -1.0], [2.0, 1.0]]);
        assert_eq!(twice, Err(TableError::Order { row: 2, distance: 2.0 }));
        assert_eq!(
            Tabulated::new(vec![[2.0, f64::NAN], [3.0, 1.0]]),
            Err(TableError::NotFinite(1))
        );
    }
}
