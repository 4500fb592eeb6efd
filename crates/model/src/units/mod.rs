//! Quantities with units: text such as `2.5 nm`, `0.05 um^2/s` or `1e7 /M/s`, brought to nm, µs, kg
//! and K.

mod symbols;

use thiserror::Error;

/// Powers of length, time, mass, temperature, angle and thermal energy. Amounts are counted in
/// molecules, so that a concentration is a number per volume. Physics counts angles and multiples of
/// kT as plain numbers; they have powers of their own so that one is not taken for the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// The power of length.
    pub length: i32,
    /// The power of time.
    pub time: i32,
    /// The power of mass.
    pub mass: i32,
    /// The power of temperature.
    pub temperature: i32,
    /// The power of angle.
    pub angle: i32,
    /// The power of kT.
    pub thermal_energy: i32,
}

impl Dimension {
    /// The dimension with these powers of length and time.
    pub const fn new(length: i32, time: i32) -> Self {
        Self { length, time, mass: 0, temperature: 0, angle: 0, thermal_energy: 0 }
    }

    /// The same times these powers of mass and temperature.
    pub const fn with(self, mass: i32, temperature: i32) -> Self {
        Self { mass, temperature, ..self }
    }

    /// The same times an angle.
    const fn with_angle(self) -> Self {
        Self { angle: self.angle + 1, ..self }
    }

    /// The same times a thermal energy.
    const fn with_thermal_energy(self) -> Self {
        Self { thermal_energy: self.thermal_energy + 1, ..self }
    }

    /// This dimension times `other` to the given power.
    const fn times(self, other: Self, power: i32) -> Self {
        Self {
            length: self.length + power * other.length,
            time: self.time + power * other.time,
            mass: self.mass + power * other.mass,
            temperature: self.temperature + power * other.temperature,
            angle: self.angle + power * other.angle,
            thermal_energy: self.thermal_energy + power * other.thermal_energy,
        }
    }

    /// Whether only lengths and times come in.
    const fn is_of_space_and_time(self) -> bool {
        let Self { mass, temperature, angle, thermal_energy, .. } = self;
        matches!((mass, temperature, angle, thermal_energy), (0, 0, 0, 0))
    }

    /// The unit that quantities of this dimension are in inside, in nm, µs, kg, K, rad and kT:
    /// `nm^2/us`.
    /// Empty for plain numbers.
    pub fn internal_unit(self) -> String {
        let parts = [
            ("rad", self.angle),
            ("kT", self.thermal_energy),
            ("kg", self.mass),
            ("nm", self.length),
            ("us", self.time),
            ("K", self.temperature),
        ];
        let power = |(unit, power): &(&str, i32)| match power.abs() {
            1 => (*unit).to_owned(),
            power => format!("{unit}^{power}"),
        };
        let above: Vec<_> = parts.iter().filter(|(_, power)| *power > 0).map(power).collect();
        let below = parts.iter().filter(|(_, power)| *power < 0).map(power);
        above.join(" ") + &below.map(|unit| format!("/{unit}")).collect::<String>()
    }

    /// What a quantity of this dimension is called: `a length`, `an area per time`, ...
    pub fn name(self) -> String {
        if !self.is_of_space_and_time() {
            return self.name_beyond_space_and_time();
        }
        let name = match (self.length, self.time) {
            (0, 0) => "a plain number",
            (1, 0) => "a length",
            (2, 0) => "an area",
            (3, 0) => "a volume",
            (0, 1) => "a time",
            (0, -1) => "a rate per time",
            (1, -1) => "a length per time",
            (1, -2) => "an acceleration",
            (2, -1) => "an area per time",
            (3, -1) => "a volume per time",
            (-3, 0) => "a concentration",
            (-2, 0) => "a number per area",
            (-1, 0) => "a number per length",
            (-3, -1) => "a rate per volume",
            (-2, -1) => "a rate per area",
            (-1, -1) => "a rate per length",
            (length, time) => return format!("a quantity in length^{length} time^{time}"),
        };
        name.to_owned()
    }

    fn name_beyond_space_and_time(self) -> String {
        let Self { length, time, mass, temperature, angle, thermal_energy } = self;
        if angle != 0 || thermal_energy != 0 {
            return match self.internal_unit().as_str() {
                "rad" => "an angle".to_owned(),
                "rad/us" => "an angle per time".to_owned(),
                "kT" => "an energy in kT".to_owned(),
                unit => format!("a quantity in {unit}"),
            };
        }
        let name = match (length, time, mass, temperature) {
            (0, 0, 1, 0) => "a mass",
            (-3, 0, 1, 0) => "a mass per volume",
            (-2, 0, 1, 0) => "a mass per area",
            (0, -2, 1, 0) => "a force per length",
            (-1, -2, 1, 0) => "a pressure",
            (1, -2, 1, 0) => "a force",
            (2, -2, 1, 0) => "an energy",
            (0, 0, 0, 1) => "a temperature",
            (2, -2, 0, -1) => "an energy per mass and temperature",
            _ => {
                return format!(
                    "a quantity in length^{length} time^{time} mass^{mass} temperature^{temperature}"
                );
            }
        };
        name.to_owned()
    }
}

/// What a key of the model needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// Its dimension.
    pub dimension: Dimension,
    /// What it is, with its article.
    pub noun: &'static str,
    /// A value that would do.
    pub example: &'static str,
}

impl Wanted {
    const fn new(length: i32, time: i32, noun: &'static str, example: &'static str) -> Self {
        Self { dimension: Dimension::new(length, time), noun, example }
    }

    /// A length.
    pub const LENGTH: Self = Self::new(1, 0, "a length", "2.5 nm");
    /// A time.
    pub const TIME: Self = Self::new(0, 1, "a time", "1 us");
    /// A velocity.
    pub const VELOCITY: Self = Self::new(1, -1, "a velocity (length per time)", "0.5 um/s");
    /// A diffusion coefficient.
    pub const DIFFUSION: Self =
        Self::new(2, -1, "a diffusion coefficient (area per time)", "0.05 um^2/s");
    /// A rate per time.
    pub const RATE: Self = Self::new(0, -1, "a rate per time", "0.1 /s");
    /// A plain number.
    pub const NUMBER: Self = Self::new(0, 0, "a plain number", "0.1");
    /// An acceleration.
    pub const ACCELERATION: Self =
        Self::new(1, -2, "an acceleration (length per squared time)", "9.81 m/s^2");
    /// A frequency: how often per time.
    pub const FREQUENCY: Self = Self::new(0, -1, "a frequency", "20 Hz");
    /// A mass.
    pub const MASS: Self = Self::new(0, 0, "a mass", "1.2 g").with(1, 0);
    /// A temperature.
    pub const TEMPERATURE: Self = Self::new(0, 0, "a temperature", "300 K").with(0, 1);
    /// A mass per volume.
    pub const DENSITY: Self =
        Self::new(-3, 0, "a density (mass per volume)", "7850 kg/m^3").with(1, 0);
    /// A mass per area, of what lives in a plane.
    pub const AREAL_DENSITY: Self = Self::new(-2, 0, "a mass per area", "5000 kg/m^2").with(1, 0);
    /// A stiffness: force per length.
    pub const STIFFNESS: Self =
        Self::new(0, -2, "a stiffness (force per length)", "1e6 N/m").with(1, 0);
    /// A force.
    pub const FORCE: Self = Self::new(1, -2, "a force", "10 N").with(1, 0);
    /// An angle.
    pub const ANGLE: Self = Self::new(0, 0, "an angle", "30 deg").with_angle();
    /// An angle per time; one turn has 2 pi.
    pub const ANGULAR_VELOCITY: Self =
        Self::new(0, -1, "an angular velocity", "10 rpm\" or \"1 rad/s").with_angle();
    /// An energy in units of kT.
    pub const ENERGY: Self = Self::new(0, 0, "an energy in kT", "1.5 kT").with_thermal_energy();
    /// An energy of things that have a mass.
    pub const KINETIC_ENERGY: Self = Self::new(2, -2, "an energy", "1e-4 J").with(1, 0);
    /// A pressure, as elastic moduli are.
    pub const PRESSURE: Self = Self::new(-1, -2, "a pressure", "206 GPa").with(1, 0);
    /// A heat capacity per mass.
    pub const HEAT_CAPACITY: Self =
        Self::new(2, -2, "a heat capacity (energy per mass and temperature)", "460 J/kg/K")
            .with(0, -1);

    const fn with(self, mass: i32, temperature: i32) -> Self {
        Self { dimension: self.dimension.with(mass, temperature), ..self }
    }

    const fn with_angle(self) -> Self {
        Self { dimension: self.dimension.with_angle(), ..self }
    }

    const fn with_thermal_energy(self) -> Self {
        Self { dimension: self.dimension.with_thermal_energy(), ..self }
    }

    /// The least magnitude, but for zero, and the largest that such a quantity may have, where
    /// lengths go up to `longest` \[nm\]: beyond, what follows from it might not be a number any
    /// more. \[nm, µs, kg, K\]
    pub fn range(&self, longest: f64) -> [f64; 2] {
        let Dimension { length, time, mass, temperature, .. } = self.dimension;
        match (length, time, mass, temperature) {
            (1, 0, 0, 0) => [1e-15, longest],
            // Up to 30 000 years.
            (0, 1, 0, 0) => [1e-15, 1e18],
            // Up to the speed of light.
            (1, -1, 0, 0) => [1e-30, 2.99792458e11],
            (2, -1, 0, 0) => [1e-30, 1e15],
            (0, -1, 0, 0) => [1e-30, 1e15],
            (0, 0, 1, 0) => [1e-36, 1e15],
            (0, 0, 0, 1) => [1e-12, 1e12],
            _ => [1e-60, 1e60],
        }
    }

    /// A magnitude \[nm, µs, kg, K\] in the unit of the example.
    pub fn in_example_unit(&self, value: f64) -> String {
        let example = self.example.split('"').next().unwrap_or_default();
        let unit = example[number_length(example)..].trim();
        let one = Unit::parse(unit).map_or(1.0, |unit| unit.to_internal(1.0));
        let number = format!("{:.3e}", value / one);
        let number: f64 = number.parse().unwrap_or(f64::NAN);
        let number =
            if (1e-3..1e6).contains(&number) { format!("{number}") } else { format!("{number:e}") };
        format!("{number} {unit}").trim_end().to_owned()
    }

    /// The rate constant of a meeting of two particles in `dimension` dimensions.
    pub const fn contact_rate(dimension: usize) -> Self {
        match dimension {
            1 => Self::new(1, -1, "a rate constant in 1D (length per time)", "2 um/s"),
            2 => Self::new(2, -1, "a rate constant in 2D (area per time)", "0.0056 um^2/s"),
            _ => Self::new(
                3,
                -1,
                "a rate constant in 3D (volume per time)",
                "1e7 /M/s\" or \"85 nm^3/us",
            ),
        }
    }

    /// A number of particles, or how many there are per volume, area or length.
    pub const fn amount(dimension: usize) -> Self {
        match dimension {
            1 => Self::new(-1, 0, "a whole number or a number per length", "20 /um"),
            2 => Self::new(-2, 0, "a whole number or a number per area", "180 /um^2"),
            _ => Self::new(-3, 0, "a whole number or a concentration", "100 nM\" or \"60 /um^3"),
        }
    }

    /// How many there are per volume, area or length, as dissociation constants are.
    pub const fn concentration(dimension: usize) -> Self {
        match dimension {
            1 => Self::new(-1, 0, "a number per length", "2 /um"),
            2 => Self::new(-2, 0, "a number per area", "100 /um^2"),
            _ => Self::new(-3, 0, "a concentration", "20 nM\" or \"12 /um^3"),
        }
    }

    /// The rate at which particles come to be in `dimension` dimensions.
    pub const fn creation_rate(dimension: usize) -> Self {
        match dimension {
            1 => Self::new(-1, -1, "a rate of creation in 1D (per length and time)", "2 /um/s"),
            2 => Self::new(-2, -1, "a rate of creation in 2D (per area and time)", "2 /um^2/s"),
            _ => Self::new(
                -3,
                -1,
                "a rate of creation in 3D (per volume and time)",
                "5 nM/s\" or \"3 /um^3/s",
            ),
        }
    }
}

/// A unit: one of it is `factor * 10^decimal` of nm, µs, kg and K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// What it measures.
    pub dimension: Dimension,
    decimal: i32,
    factor: f64,
}

impl Unit {
    /// The unit of plain numbers.
    pub const ONE: Self = Self::new(0, 0, 0, 1.0);

    const fn new(length: i32, time: i32, decimal: i32, factor: f64) -> Self {
        Self { dimension: Dimension::new(length, time), decimal, factor }
    }

    const fn with(self, mass: i32, temperature: i32) -> Self {
        Self { dimension: self.dimension.with(mass, temperature), ..self }
    }

    /// An angle of so many radians.
    const fn angle(radians: f64) -> Self {
        Self { dimension: Dimension::new(0, 0).with_angle(), decimal: 0, factor: radians }
    }

    /// Reads a product of units: `um^2/s`, `µm² s⁻¹`, `/M/s`, `nm s-1`. A slash divides by the one
    /// unit that follows it.
    ///
    /// # Errors
    /// If a unit is not known, or a power is not a small whole number.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let text = symbols::plain_powers(text);
        let mut rest = text.trim_start();
        let mut product = Self::ONE;
        while !rest.is_empty() {
            let sign = if let Some(after) = rest.strip_prefix('/') {
                rest = after.trim_start();
                -1
            } else {
                rest = rest.strip_prefix(['*', '·']).unwrap_or(rest).trim_start();
                1
            };
            let end =
                rest.find(|c: char| c.is_whitespace() || "/*·".contains(c)).unwrap_or(rest.len());
            product = product.times(symbols::factor(&rest[..end])?, sign);
            rest = rest[end..].trim_start();
        }
        Ok(product)
    }

    /// This unit times `other` to the given power.
    pub fn times(self, other: Self, power: i32) -> Self {
        Self {
            dimension: self.dimension.times(other.dimension, power),
            decimal: self.decimal + power * other.decimal,
            factor: self.factor * other.factor.powi(power),
        }
    }

    /// `number` of these in nm, µs, kg and K. Powers of ten are exact: `0.1 /s` is the number
    /// nearest to 1e-7, not a product of two rounded ones.
    pub fn to_internal(self, number: f64) -> f64 {
        let shifted = if self.decimal == 0 || !number.is_finite() {
            number
        } else {
            let text = format!("{number:e}");
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let exponent = exponent.parse::<i32>().unwrap_or(0) + self.decimal;
            format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
        };
        if self.factor == 1.0 { shifted } else { shifted * self.factor }
    }
}

/// Why text is not a quantity.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UnitError {
    /// There is no number at the start.
    #[error("does not begin with a number")]
    NoNumber,
    /// A unit is not known.
    #[error("`{unit}` is not a unit that is known here{hint}")]
    Unknown {
        /// What was found.
        unit: String,
        /// The nearest known unit, as a half sentence, or nothing.
        hint: String,
    },
    /// There is a comma in or behind the number.
    #[error("a decimal point is needed, and no separators of thousands: `{0}`")]
    Comma(String),
    /// A power is not a whole number between -9 and 9.
    #[error("the power in `{0}` is not a small whole number")]
    Power(String),
}

/// A number with a unit, or without one.
///
/// ```
/// use jostle_model::units::Quantity;
///
/// let internal = |text| {
///     let Quantity { number, unit } = Quantity::parse(text).unwrap();
///     unit.unwrap().to_internal(number)
/// };
/// // In nm, µs and molecules: 1 µm²/s is 1 nm²/µs, and 1 /M/s is 1.66e-6 nm³/µs.
/// assert_eq!(internal("0.05 um^2/s"), 0.05);
/// assert!((internal("1e6 /M/s") / (1e24 / 6.02214076e23) - 1.0).abs() < 1e-12);
/// assert!(Quantity::parse("1 furlong").is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// The number as written.
    pub number: f64,
    /// The unit as written; None if there is none.
    pub unit: Option<Unit>,
}

impl Quantity {
    /// Reads a number and the unit behind it.
    ///
    /// # Errors
    /// If there is no number, or the unit is not known.
    pub fn parse(text: &str) -> Result<Self, UnitError> {
        let text = text.trim();
        let (number, unit) = text.split_at(number_length(text));
        if let Some((with, without)) = comma(number, unit) {
            return Err(UnitError::Comma(format!("{with}` or `{without}")));
        }
        let number = number.replace('_', "").parse().map_err(|_| UnitError::NoNumber)?;
        let unit = match unit.trim() {
            "" => None,
            unit => Some(Unit::parse(unit)?),
        };
        Ok(Self { number, unit })
    }
}

/// The units that bare numbers are in: the `[units]` table of a model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bare {
    /// Of length.
    pub length: Unit,
    /// Of time.
    pub time: Unit,
}

impl Default for Bare {
    fn default() -> Self {
        Self { length: Unit::new(1, 0, 0, 1.0), time: Unit::new(0, 1, 0, 1.0) }
    }
}

impl Bare {
    /// The unit of a bare number of the given dimension; None where anything but lengths and times
    /// comes in, for which no unit goes without saying.
    pub fn unit(&self, dimension: Dimension) -> Option<Unit> {
        dimension.is_of_space_and_time().then(|| {
            Unit::ONE.times(self.length, dimension.length).times(self.time, dimension.time)
        })
    }
}

/// A number with a comma in it, as it would be with a point there, and without it.
fn comma(number: &str, unit: &str) -> Option<(String, String)> {
    let rest =
        unit.strip_prefix(',').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
    let (digits, unit) = rest.split_at(number_length(rest));
    Some((format!("{number}.{digits}{unit}"), format!("{number}{digits}{unit}")))
}

/// How many bytes at the start of `text` spell a number.
fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let is_digit = |b: &&u8| b.is_ascii_digit() || **b == b'_';
        from + bytes[from..].iter().take_while(is_digit).count()
    };
    let mut end = digits(usize::from(text.starts_with(['+', '-'])));
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    end
}

#[cfg(test)]
mod tests;
