//! Quantities mean what they say.

use super::*;

fn internal(text: &str) -> (f64, Dimension) {
    let quantity = Quantity::parse(text).unwrap();
    let unit = quantity.unit.unwrap_or(Unit::ONE);
    (unit.to_internal(quantity.number), unit.dimension)
}

#[test]
fn quantities_come_out_in_nanometres_and_microseconds() {
    let cases = [
        ("2.5 nm", 2.5, 1, 0),
        ("2um", 2000.0, 1, 0),
        ("25 Angstrom", 2.5, 1, 0),
        ("0.05 um^2/s", 0.05, 2, -1),
        ("0.0056 µm²/s", 0.0056, 2, -1),
        ("0.0056 μm² s⁻¹", 0.0056, 2, -1),
        ("1e-9 cm^2/s", 0.1, 2, -1),
        ("85 nm^3/us", 85.0, 3, -1),
        ("10 /s", 1e-5, 0, -1),
        ("10 1/s", 1e-5, 0, -1),
        ("0.1 kHz", 1e-4, 0, -1),
        ("1 ms", 1000.0, 0, 1),
        ("2 min", 1.2e8, 0, 1),
        ("5 %", 0.05, 0, 0),
        ("-3e2 nm s-1", -3e-4, 1, -1),
        ("1 fL", 1e9, 3, 0),
        ("1_000 nm", 1000.0, 1, 0),
    ];
    for (text, value, length, time) in cases {
        let want = (value, Dimension::new(length, time));
        assert_eq!(internal(text), want, "{text}");
    }
}

#[test]
fn a_molar_rate_constant_is_a_volume_per_time() {
    // 1 nm³/µs = 0.6022 /µM/s
    for text in ["1e7 /M/s", "1e7 M^-1 s^-1", "10 /uM/s", "1e7 L/mol/s"] {
        let (value, dimension) = internal(text);
        assert!((value - 10.0 / 0.602214076).abs() < 1e-12, "{text}: {value}");
        assert_eq!(dimension, Dimension::new(3, -1));
    }
}

#[test]
fn what_is_no_quantity_is_refused_with_the_nearest_unit() {
    let error = |text| Quantity::parse(text).unwrap_err().to_string();
    assert!(error("2.5 nmm").contains("did you mean `nm`"));
    assert!(error("fast").contains("number"));
    assert!(error("2 nm^x").contains("power"));
    assert!(error("1 furlong").contains("`furlong`"));
    assert!(error("1 /(M s)").contains("not a unit"));
    assert!(error("1 /(M s)").contains("`/M/s`"));
    assert!(error("2,5 nm").ends_with("no separators of thousands: `2.5 nm` or `25 nm`"));
    assert!(error("1,000 nm").ends_with("`1.000 nm` or `1000 nm`"));
    assert!(error("0.1 per s").ends_with("write a slash, not `per`: `/s`"));
    assert!(error("0.5 micron").ends_with("did you mean `um`?"));
}

#[test]
fn bare_numbers_follow_the_declared_units() {
    let bare = Bare { length: Unit::parse("um").unwrap(), time: Unit::parse("s").unwrap() };
    let unit = bare.unit(Wanted::DIFFUSION.dimension).unwrap();
    assert_eq!(unit.to_internal(0.05), 0.05);
    assert_eq!(bare.unit(Wanted::LENGTH.dimension).unwrap().to_internal(2.0), 2000.0);
    for wanted in [Wanted::DENSITY, Wanted::ANGLE, Wanted::ANGULAR_VELOCITY, Wanted::ENERGY] {
        assert_eq!(bare.unit(wanted.dimension), None, "{}", wanted.noun);
    }
}

#[test]
fn shares_angles_and_thermal_energies_are_not_interchangeable() {
    let cases = [
        ("5 %", 0.05, Wanted::NUMBER, "a plain number", ""),
        ("180 deg", std::f64::consts::PI, Wanted::ANGLE, "an angle", "rad"),
        ("180°", std::f64::consts::PI, Wanted::ANGLE, "an angle", "rad"),
        ("-1.5 kT", -1.5, Wanted::ENERGY, "an energy in kT", "kT"),
        ("2 rad/us", 2.0, Wanted::ANGULAR_VELOCITY, "an angle per time", "rad/us"),
    ];
    for (text, value, wanted, name, unit) in cases {
        let (number, dimension) = internal(text);
        assert!((number - value).abs() <= 1e-15 * value.abs(), "{text}: {number}");
        assert_eq!(dimension, wanted.dimension, "{text}");
        assert_eq!((dimension.name().as_str(), dimension.internal_unit().as_str()), (name, unit));
    }
    assert_eq!(internal("1 kT/nm").1.name(), "a quantity in kT/nm");
}

#[test]
fn masses_stresses_and_heat_come_out_in_kilograms_and_kelvins_too() {
    let cases = [
        ("9.81 m/s^2", 9.81e-3, Wanted::ACCELERATION),
        ("200 mm", 2e8, Wanted::LENGTH),
        ("1 m/s", 1000.0, Wanted::VELOCITY),
        ("1.2 g", 1.2e-3, Wanted::MASS),
        ("3 mg", 3e-6, Wanted::MASS),
        ("7850 kg/m^3", 7.85e-24, Wanted::DENSITY),
        ("7.85 g/cm^3", 7.85e-24, Wanted::DENSITY),
        ("206 GPa", 2.06e-10, Wanted::PRESSURE),
        ("2000 MPa", 2e-12, Wanted::PRESSURE),
        ("5 N/m^2", 5e-21, Wanted::PRESSURE),
        ("460 J/kg/K", 4.6e8, Wanted::HEAT_CAPACITY),
        ("20 Hz", 2e-5, Wanted::FREQUENCY),
    ];
    for (text, value, wanted) in cases {
        assert_eq!(internal(text), (value, wanted.dimension), "{text}");
    }
    // A large prefix is for stresses; there is no megametre.
    assert!(Quantity::parse("1 Mm").is_err());
    assert_eq!(Wanted::PRESSURE.dimension.name(), "a pressure");
    assert_eq!(
        Dimension::new(0, -1).with(1, 0).name(),
        "a quantity in length^0 time^-1 mass^1 temperature^0"
    );
}
