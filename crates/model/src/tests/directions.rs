//! Sites that point somewhere: what a file says of them, and what it cannot say.

use super::read as read_with;
use crate::{Model, parse};
use jostle_core::docking::Torsion;
use jostle_core::rules::{BondGeometry, Closure};
use jostle_core::space::Vector;

fn text(dimension: usize, sites: &str, rule: &str) -> String {
    format!(
        "[space]\ndimension = {dimension}\nedges = '60 nm'\n[run]\ntimestep = '1 ns'\nsteps = 10\n\
         [[species]]\nname = 'M'\nradius = '2 nm'\ndiffusion = '20 um^2/s'\ncount = 5\nsites = [{sites}]\n\
         [[rule]]\nname = 'chain'\ndo = 'bind'\nmerge = 'bond'\n\
         on = ['M(head)', 'M(tail)']\nat = ['head', 'tail']\n{rule}\n"
    )
}

const HEAD: &str = "{ name = 'head', direction = [0, 0, 3], opening = '60 deg' }";
const TAIL: &str =
    "{ name = 'tail', direction = [1, 0, -1], opening = '90 deg', normal = [1, 1, 0] }";

fn model(rule: &str) -> Model {
    read_with(&text(3, &format!("{HEAD}, {TAIL}"), rule), &[])
}

fn faults(dimension: usize, sites: &str, rule: &str) -> String {
    match parse(&text(dimension, sites, rule), "test", &[]) {
        Ok(_) => String::new(),
        Err(faults) => faults.to_string(),
    }
}

fn near(a: Vector<3>, b: [f64; 3]) -> bool {
    (a - Vector(b)).norm() < 1e-15
}

#[test]
fn directions_are_of_length_1_and_written_out_as_they_are_read() {
    let model = model("probability = 0.1\nsnap = false");
    let sites = &model.species[0].sites;
    let [head, tail] = [0, 1].map(|n| sites.direction(n).unwrap());
    assert!(near(head.axis, [0.0, 0.0, 1.0]) && near(head.normal, [1.0, 0.0, 0.0]));
    let half = 0.5_f64.sqrt();
    assert!(near(tail.axis, [half, 0.0, -half]));
    let sixth = (1.0_f64 / 6.0).sqrt();
    assert!(near(tail.normal, [sixth, 2.0 * sixth, sixth]), "{tail:?}");
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!((&again.species, again.rules()), (&model.species, model.rules()));
    assert_eq!(again.source.resolved, model.source.resolved);
    assert!(!model.rules().contact[0].geometry.snap);
}

#[test]
fn the_geometry_of_a_bond_is_read() {
    let geometry = |rule: &str| {
        let model = model(&format!("probability = 0.1\n{rule}"));
        let again = read_with(&model.source.resolved, &[]);
        assert_eq!(again.rules(), model.rules());
        model.rules().contact[0].geometry
    };
    assert_eq!(geometry(""), BondGeometry::default());
    let pi = std::f64::consts::PI;
    let torsion = |angle, opening| Some(Torsion { angle, opening });
    assert_eq!(geometry("torsion = '90 deg'").torsion, torsion(0.5 * pi, pi));
    let found = geometry("torsion = '-1 rad'\ntorsion_opening = '0.5 rad'").torsion;
    assert_eq!(found, torsion(-1.0, 0.5));
    let found = geometry("close_rate = '1 /us'").closure;
    assert_eq!(found, Some(Closure { rate: 1.0, tolerance: pi / 36.0 }));
    let found = geometry("close_rate = '1 /us'\ntolerance = '0.01 rad'").closure;
    assert_eq!(found, Some(Closure { rate: 1.0, tolerance: 0.01 }));
}

#[test]
fn what_cannot_be_is_refused() {
    let both = format!("{HEAD}, {TAIL}");
    let flat = "{ name = 'head', direction = [1, 0], opening = '60 deg' }, { name = 'tail' }";
    let of_sites = |head: &str| format!("{{ name = 'head', {head} }}, {TAIL}");
    let likely = "probability = 0.1";
    for (dimension, sites, rule, said) in [
        (3, of_sites("direction = [0, 0, 0], opening = '1 rad'"), likely, "of length 0"),
        (3, of_sites("direction = [0, 1], opening = '1 rad'"), likely, "3 in all"),
        (3, of_sites("direction = [0, 0, 1]"), likely, "`opening = \"30 deg\"`"),
        (3, of_sites("direction = [0, 0, 1], opening = '181 deg'"), likely, "found 181 deg"),
        (3, of_sites("direction = [0, 0, 1], opening = 0"), likely, "at most 180 deg"),
        (3, of_sites("opening = '1 rad'"), likely, "belongs to a site with a `direction`"),
        (
            3,
            of_sites("direction = [0, 0, 1], opening = '1 rad', normal = [0, 0, 2]"),
            likely,
            "must not be along `direction`",
        ),
        (
            2,
            "{ name = 'head', direction = [0, 1], opening = '1 rad', normal = [0, 0, 1] }, { name = 'tail' }".into(),
            likely,
            "drop `normal`",
        ),
        (
            1,
            "{ name = 'head', direction = [1], opening = '1 rad' }, { name = 'tail' }".into(),
            likely,
            "in one dimension",
        ),
        (2, flat.into(), "probability = 0.1\ntorsion = '1 rad'", "in three dimensions only"),
        (
            3,
            "{ name = 'head' }, { name = 'tail' }".into(),
            "probability = 0.1\nsnap = false",
            "give them `direction`",
        ),
        (3, both.clone(), "probability = 0.1\ntorsion_opening = '1 rad'", "without `torsion`"),
        (3, both.clone(), "probability = 0.1\ntolerance = '0.1 rad'", "without `close_rate`"),
        (
            3,
            both.clone(),
            "probability = 0.1\nclose_rate = '1 /s'\ntolerance = '40 deg'",
            "found 40 deg, but a tolerance is more than 0 and at most 30 deg",
        ),
        (
            3,
            both.clone(),
            "probability = 0.1\ntorsion = 30",
            "rule.chain.torsion: found 30, which has no unit; an angle is needed, for example \"30 deg\"",
        ),
        (3, of_sites("direction = [0, 0, 1], opening = '2 kT'"), likely, "which is an energy in kT"),
        (3, of_sites("direction = [0, 0, '90 deg'], opening = '1 rad'"), likely, "a plain number is"),
        (3, both.clone(), "rate = '6000 nm^3/us'", "openings of their sites, 12.500 % of their"),
    ] {
        let found = faults(dimension, &sites, rule);
        assert!(found.contains(said), "{sites} {rule}: {found}");
        // One fault does not lead to others.
        assert_eq!(found.lines().count(), 1, "{sites} {rule}: {found}");
    }
    let misspelt = text(3, &both, &format!("{likely}\ntorsion = '1 rad'\nclose_rate = '1 /s'"))
        .replace("at = ['head', 'tail']", "at = ['head', 'tial']");
    let found = parse(&misspelt, "test", &[]).unwrap_err().to_string();
    assert!(found.contains("did you mean") && found.lines().count() == 1, "{found}");
    // The time step that is named does.
    let found = faults(3, &both, "rate = '6000 nm^3/us'");
    let step = found.split("at most ").nth(1).and_then(|rest| rest.split(',').next()).unwrap();
    let text = text(3, &both, "rate = '6000 nm^3/us'").replace("1 ns", step);
    assert!(parse(&text, "test", &[]).is_ok(), "{step}");
}

#[test]
fn where_no_site_points_anywhere_it_does_not_matter_how_particles_turn() {
    let text = text(3, "{ name = 'head' }, { name = 'tail' }", "probability = 0.1")
        .replace("count = 5", "count = 5\nrotational_diffusion = '1 /us'");
    let error = parse(&text, "test", &[]).unwrap_err().to_string();
    assert!(error.contains("only if one of its `sites` has a `direction`"), "{error}");
}

fn warnings(dimension: usize, angle: f64, rule: &str) -> String {
    let (sine, cosine) = angle.to_radians().sin_cos();
    let third = if dimension == 3 { ", 0" } else { "" };
    let site = |name: &str, x: f64, y: f64| {
        format!("{{ name = '{name}', direction = [{x}, {y}{third}], opening = '60 deg' }}")
    };
    let sites = format!("{}, {}", site("head", 1.0, 0.0), site("tail", cosine, sine));
    let rule = format!("probability = 0.1\nclose_rate = '1 /us'\n{rule}");
    read_with(&text(dimension, &sites, &rule), &[]).warnings().join("\n")
}

#[test]
fn rings_that_cannot_close_are_warned_about() {
    for (dimension, angle, rule) in [
        (2, 120.0, ""),
        (2, 90.0, ""),
        (2, 120.5, ""),
        (3, 60.0, "torsion = 0"),
        (3, 108.0, "torsion = 0"),
        // Without a torsion the shape is not known.
        (3, 100.0, ""),
    ] {
        let found = warnings(dimension, angle, rule);
        assert!(!found.contains("closes no ring"), "{dimension} {angle} {rule}: {found}");
    }
    for (dimension, angle, rule, said) in [
        (2, 180.0, "", "each meets itself first"),
        (2, 100.0, "", "comes nearest"),
        (2, 119.0, "", "each meets itself first"),
        (2, 121.0, "", "that of 6 comes nearest, and misses by"),
        (3, 120.0, "torsion = '180 deg'", "each meets itself first"),
        (3, 120.0, "torsion = '90 deg'", "closes no ring"),
    ] {
        let found = warnings(dimension, angle, rule);
        assert!(found.contains("closes no ring"), "{dimension} {angle} {rule}: {found}");
        assert!(found.contains(said), "{dimension} {angle} {rule}: {found}");
    }
}

/// Molecules that live on a plane, and others in space.
fn on_membrane(surface: &str, sites: &str, rule: &str) -> String {
    let boundary = "boundary = ['periodic', 'periodic', 'reflecting']\n[run]";
    let more = format!(
        "[[surface]]\nname = 'm'\n{surface}\n[[species]]\nname = 'L'\nradius = '2 nm'\ndiffusion = '20 um^2/s'\n\
         sites = [{{ name = 'c' }}, {{ name = 'd', direction = [0, 0, 1], opening = '60 deg' }}]\n[[rule]]"
    );
    text(3, sites, rule)
        .replace("[run]", boundary)
        .replacen("count = 5\n", "count = 5\non = 'm'\n", 1)
        .replacen("[[rule]]", &more, 1)
}

const PLANE: &str = "plane = { axis = 'x', at = '20 nm' }";
const FLAT: &str = "{ name = 'head', direction = [1, 0, 0], opening = '60 deg' }, \
                    { name = 'tail', direction = [-0.5, 0.8660254, 0], opening = '60 deg' }, { name = 'l' }, \
                    { name = 'up', direction = [0, 0, 1], opening = '60 deg' }";

#[test]
fn on_a_plane_sites_may_point_along_it() {
    let rate = "rate = '40 nm^2/us'\nunbind = '1e4 /s'";
    let model = read_with(&on_membrane(PLANE, FLAT, rate), &[]);
    let again = read_with(&model.source.resolved, &[]);
    assert_eq!((&again.species, again.rules()), (&model.species, model.rules()));
    // They bind what comes from space, wherever that points, at a site that points nowhere, or away from the plane.
    for (own, other) in [("l", "c"), ("l", "d"), ("up", "c"), ("up", "d")] {
        let catch = format!(
            "{rate}\n[[rule]]\nname = 'catch'\nreaction = 'M({own}) + L({other}) <-> M({own}!1).L({other}!1)'\n\
             rate = '10 nm^3/us'\nunbind = '1e4 /s'"
        );
        let found = parse(&on_membrane(PLANE, FLAT, &catch), "test", &[]);
        assert!(found.is_ok(), "{own} {other}: {}", found.unwrap_err());
    }
    // Where they face each other is a ninth of all orientations: that of two dimensions.
    let found = parse(&on_membrane(PLANE, FLAT, "rate = '4000 nm^2/us'"), "test", &[]);
    let found = found.unwrap_err().to_string();
    assert!(found.contains("openings of their sites, 11.111 % of their"), "{found}");
    let sixfold = on_membrane(PLANE, FLAT, &format!("{rate}\nclose_rate = '1e5 /s'"));
    assert_eq!(read_with(&sixfold, &[]).warnings().join("\n"), "");
    let found = read_with(&sixfold.replace("-0.5, 0.8660254", "-0.2, 0.9797959"), &[]);
    assert!(found.warnings().join("\n").contains("closes no ring"));
}

#[test]
fn what_cannot_be_on_a_surface_is_refused() {
    let rate = "rate = '40 nm^2/us'\nunbind = '1e4 /s'";
    let up = FLAT.replace("[1, 0, 0]", "[1, 0, 0.2]");
    let catch = |site: &str, more: &str| {
        format!(
            "{rate}\n[[rule]]\nname = 'catch'\nreaction = 'M({site}) + L({more}) <-> M({site}!1).L({more}!1)'\n\
             rate = '10 nm^3/us'\nunbind = '1e4 /s'"
        )
    };
    let sphere = "sphere = { centre = ['30 nm', '30 nm', '30 nm'], radius = '20 nm' }";
    for (surface, sites, rule, said) in [
        (PLANE, up.as_str(), rate.to_owned(), "the third component of `direction`"),
        (
            PLANE,
            FLAT,
            catch("head", "d"),
            "rule.catch: site head of M is 90 deg off the normal of \"m\" and accepts what is up to 60 deg off its \
             direction, but L touches M within 60 deg of the normal only",
        ),
        (
            PLANE,
            FLAT,
            catch("up", "c").replace("rate = '10 nm^3/us'", "probability = 0.1"),
            "give a rate constant (`rate`) instead of a probability",
        ),
        (
            PLANE,
            FLAT,
            catch("up", "c").replace(
                "rate = '10 nm^3/us'\nunbind = '1e4 /s'",
                "k_on = '10 nm^3/us'\nk_off = '1e4 /s'",
            ),
            "give the intrinsic rate constant, `rate`",
        ),
        (
            PLANE,
            FLAT,
            format!("{rate}\ntorsion = '0 deg'"),
            "rule.chain.torsion: M and M live on one surface",
        ),
        (sphere, FLAT, rate.to_owned(), "possible only on a plane in three dimensions"),
    ] {
        let found =
            parse(&on_membrane(surface, sites, &rule), "test", &[]).unwrap_err().to_string();
        assert!(found.contains(said), "{surface} {rule}: {found}");
        // Bonds on a sphere are refused as such, too.
        let faults = 1 + usize::from(surface == sphere);
        assert_eq!(found.lines().count(), faults, "{surface} {rule}: {found}");
    }
    let seen = on_membrane(PLANE, FLAT, &catch("up", "d"));
    for (from, to, said) in [
        (
            "on = 'm'",
            "on = 'm'\nfaces = 'below'",
            "site up of M points above \"m\", where L never touches M",
        ),
        ("on = 'm'", "on = 'm'\nfaces = 'above'", ""),
        ("name = 'L'", "name = 'L'\nbelow = 'm'", "where L never touches M"),
        ("name = 'L'", "name = 'L'\nabove = 'm'", ""),
        ("'20 nm' }", "'60 nm' }", "where L never touches M"),
        ("diffusion = '20 um^2/s'\nsites", "diffusion = 0\nsites", "has to diffuse, free or bound"),
        (
            "[[surface]]",
            "[clusters]\nmobility = 'immobile'\n[[surface]]",
            "has to diffuse, free or bound",
        ),
    ] {
        let text = seen.replacen(
            "boundary = ['periodic', 'periodic', 'reflecting']",
            "boundary = 'reflecting'",
            1,
        );
        let found = match parse(&text.replacen(from, to, 1), "test", &[]) {
            Ok(_) => String::new(),
            Err(faults) => faults.to_string(),
        };
        assert!(
            found.contains(said) && found.is_empty() == said.is_empty(),
            "{from} {to}: {found}"
        );
    }
    let line =
        text(2, &FLAT.replace(", 0]", "]").replace("[0, 0, 1]", "[0, 1]"), "probability = 0.1")
            .replace("[run]", "boundary = ['periodic', 'reflecting']\n[run]")
            .replacen("count = 5\n", "count = 5\non = 'm'\n", 1)
            .replacen(
                "[[rule]]",
                "[[surface]]\nname = 'm'\nplane = { axis = 'y', at = '0 nm' }\n[[rule]]",
                1,
            );
    let found = parse(&line, "test", &[]).unwrap_err().to_string();
    assert!(found.contains("possible only on a plane in three dimensions"), "{found}");
}
