//! Energies of potentials, as company for keys.

pub(super) const SMOOTH: &[(&str, &str)] =
    &[("potential.attract", "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm' }")];
pub(super) const YUKAWA: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm', yukawa = { strength = '1 kT', length = '1 nm' } }",
);
pub(super) const DEBYE_HUECKEL: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm', debye_hueckel = { charge_product = 5, salt = '0.1 M' } }",
);
pub(super) const WCA: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], wca = { depth = '1 kT', diameter = '6 nm' } }",
);
pub(super) const MORSE: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm', morse = { depth = '1 kT', width = '1 nm' } }",
);
pub(super) const GAUSSIAN: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm', gaussian = { height = '1 kT', width = '1 nm' } }",
);
pub(super) const HARMONIC: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm', harmonic = { width = '3 nm' } }",
);
pub(super) const LINEAR: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm', linear = { length = '3 nm' } }",
);
pub(super) const LENNARD_JONES: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], cutoff = '8 nm', lennard_jones = { depth = '1 kT' } }",
);
pub(super) const SQUARE_WELL: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], square_well = { to = '8 nm', depth = '1 kT' } }",
);
pub(super) const SQUARE_SHOULDER: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], square_shoulder = { to = '8 nm', height = '1 kT' } }",
);
pub(super) const NO_LAW: &[(&str, &str)] =
    &[("potential.attract", "{ name = 'attract', between = ['A', 'B'] }")];
pub(super) const TABLE: (&str, &str) = (
    "potential.attract",
    "{ name = 'attract', between = ['A', 'B'], \
     table = [{ at = '5.2 nm', energy = '1 kT' }, { at = '8 nm', energy = '0 kT' }] }",
);
