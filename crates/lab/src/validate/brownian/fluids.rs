//! The fluids that are watched: rods, disks and spheres, thin and crowded, alike and mixed, each at
//! two time steps whose widths differ tenfold.

use super::super::{CheckError, Context, Findings, Picture};
use super::fluid::{Component, Fluid};
use super::watch::Sampled;
use jostle_core::search::Kind;
use jostle_core::theory::{contact_value_virial, percus_yevick, rods_on_a_ring};

/// The rms steps along an axis, in diameters, and how many are taken from each start: the structure
/// changes slowly, and many starts tell more than long runs.
const STEPS: [(f64, usize); 2] = [(0.1, 10), (0.01, 60)];

/// A fluid, and how it is to be watched.
struct FluidCase<const D: usize> {
    fluid: Fluid<D>,
    /// By what share the contact value of theory may be off.
    bias: f64,
    steps: [(f64, usize); 2],
}

impl<const D: usize> FluidCase<D> {
    fn equals(phi: f64, search: Kind, bias: f64) -> Self {
        Self { fluid: Fluid::of_equals(phi, search), bias, steps: STEPS }
    }

    fn watch<R>(
        &self,
        context: &Context,
        findings: &mut Findings,
        mut shown: impl FnMut(&Sampled<'_, D>) -> R,
    ) -> Result<(), CheckError> {
        let starts = self
            .fluid
            .equilibrated(context.seed(self.fluid.phi.to_bits()), context.either(50, 300))?;
        for (step, steps) in self.steps {
            let seen =
                Sampled::watch(context, &self.fluid, &starts, step, steps * context.either(1, 2))?;
            seen.judge(self.bias, findings);
            shown(&seen);
        }
        Ok(())
    }
}

/// The pictures of fluids of equal particles.
struct Pictures {
    structure: Picture,
    contacts: Picture,
}

impl Pictures {
    fn new(particles: &str) -> Self {
        Self {
            structure: Picture::new(
                &format!("Pair distribution of {particles}"),
                "r / diameter",
                "g(r)",
            ),
            contacts: Picture::new(
                &format!("Contacts of {particles}"),
                "s / diameter",
                "contacts per particle and step",
            )
            .log(true, true),
        }
    }

    fn watch<const D: usize>(
        &mut self,
        case: &FluidCase<D>,
        context: &Context,
        findings: &mut Findings,
        theory: Option<(&str, &dyn Fn(f64) -> f64)>,
    ) -> Result<(), CheckError> {
        let name = format!("phi = {}", case.fluid.phi);
        let mut points = Vec::new();
        let mut line = Vec::new();
        let mut structure = self.structure.clone();
        case.watch(context, findings, |seen| {
            let [measured, expected] = seen.contacts_per_particle();
            points.push([seen.step, measured]);
            line.push([seen.step, expected]);
            if points.len() == 1 {
                let (points, errors) = seen.pair_distribution();
                let old = std::mem::replace(&mut structure, Picture::new("", "", ""));
                structure = old.measured(&name, points, errors);
            }
        })?;
        if let Some((law, g)) = theory {
            let along = |from: i32, to: i32| {
                (from..to).map(|k| [f64::from(k) * 0.02, g(f64::from(k) * 0.02)]).collect()
            };
            structure = structure
                .theory(&format!("{name}, {law}"), along(50, if D == 3 { 100 } else { 125 }));
        }
        let touch = format!("{name}, contact value of theory");
        let value = contact_value_virial::<D>(case.fluid.phi);
        self.structure = structure.theory(&touch, vec![[0.95, value], [1.0, value]]);
        let contacts = std::mem::replace(&mut self.contacts, Picture::new("", "", ""));
        self.contacts =
            contacts.theory(&format!("{name}, theory"), line).measured(&name, points, Vec::new());
        Ok(())
    }

    fn show(self, findings: &mut Findings) {
        findings.show(self.structure);
        findings.show(self.contacts);
    }
}

/// Equal spheres. Their contact values are known to 0.03 % up to phi = 0.4 and to 0.1 % at 0.45.
pub(super) fn spheres(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut pictures = Pictures::new("hard spheres");
    let mut cases = vec![
        FluidCase::<3>::equals(0.1, Kind::Levels, 0.0),
        FluidCase::equals(0.3, Kind::Cubic, 0.0),
    ];
    cases.extend(context.either(
        vec![],
        vec![
            FluidCase::equals(0.4, Kind::Endpoints, 0.0003),
            FluidCase::equals(0.45, Kind::Verlet, 0.001),
        ],
    ));
    for case in cases {
        let phi = case.fluid.phi;
        pictures.watch(
            &case,
            context,
            &mut findings,
            Some(("Percus-Yevick", &|r| percus_yevick(phi, r))),
        )?;
    }
    pictures.show(&mut findings);
    Ok(findings)
}

/// Equal disks. Their contact values are known to 0.1 % up to phi = 0.4; at 0.6 the one used is 0.4
/// % low.
pub(super) fn disks(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut pictures = Pictures::new("hard disks");
    let mut cases = vec![
        FluidCase::<2>::equals(0.2, Kind::Endpoints, 0.0),
        FluidCase::equals(0.4, Kind::Verlet, 0.0),
    ];
    cases.extend(context.either(vec![], vec![FluidCase::equals(0.6, Kind::Cubic, 0.004)]));
    for case in cases {
        pictures.watch(&case, context, &mut findings, None)?;
    }
    pictures.show(&mut findings);
    Ok(findings)
}

/// Equal rods that fill half of a ring: everything about them is exact.
pub(super) fn rods(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let mut pictures = Pictures::new("hard rods");
    let case = FluidCase::<1>::equals(0.5, Kind::Slices, 0.0);
    let (phi, n) = (case.fluid.phi, case.fluid.particles);
    pictures.watch(
        &case,
        context,
        &mut findings,
        Some(("exact", &|r| rods_on_a_ring(phi, n, r))),
    )?;
    pictures.show(&mut findings);
    Ok(findings)
}

/// Particles of two sizes, and of two diffusion coefficients.
pub(super) fn mixtures(context: &Context) -> Result<Findings, CheckError> {
    let mut findings = Findings::default();
    let component = |radius: f64, diffusion: f64| Component { radius, diffusion };
    // Equal particles have the same structure whatever their diffusion coefficients are.
    let unlike = [component(0.5, 1.0), component(0.5, 0.04)];
    let fluid = Fluid::<3>::new(0.3, &unlike, Kind::Verlet);
    FluidCase { fluid, bias: 0.0, steps: [(0.2, 10), (0.02, 60)] }.watch(
        context,
        &mut findings,
        |_| (),
    )?;
    // The contact values of mixtures are exact to second order in phi; for equal particles what is
    // neglected makes 0.2 % at these.
    let sizes = [component(0.5, 1.0), component(0.3, 5.0 / 3.0)];
    let fluid = Fluid::<3>::new(0.2, &sizes, Kind::Slices);
    FluidCase { fluid, bias: 0.002, steps: STEPS }.watch(context, &mut findings, |_| ())?;
    let fluid = Fluid::<2>::new(0.3, &sizes, Kind::LongStep);
    FluidCase { fluid, bias: 0.002, steps: STEPS }.watch(context, &mut findings, |_| ())?;
    Ok(findings)
}
