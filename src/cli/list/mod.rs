//! `jostle list`.

mod keys;

use std::io::Write;

use super::Failure;
use crate::files::paragraph;
use crate::kinetic::which_kinetic;
use crate::model::schema::for_editors;
use crate::search::which_when;

/// The command line of `jostle list`.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct ListArguments {
    #[command(subcommand)]
    what: Option<ListedThing>,
    /// Print one of the models that come with jostle, as a starting point for your own.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

#[derive(clap::Subcommand)]
enum ListedThing {
    /// List the keys of the model file, with the type, default and meaning of each.
    Keys(keys::KeysArguments),
    /// List the search structures, and which is good for what.
    Structures,
    /// Print a JSON schema of model files, which lets editors complete keys and mark mistakes.
    Schema,
}

/// The models that come along, by subject: name and text.
const MODELS: [(&str, &[(&str, &str)]); 6] = [
    (
        "receptors, binding and reactions",
        &[
            ("egfr_clustering", include_str!("../../../models/egfr_clustering.toml")),
            ("egf_egfr_membrane", include_str!("../../../models/egf_egfr_membrane.toml")),
            ("receptor_patch", include_str!("../../../models/receptor_patch.toml")),
            ("multivalent_receptor", include_str!("../../../models/multivalent_receptor.toml")),
            ("antibody", include_str!("../../../models/antibody.toml")),
            ("two_species_binding", include_str!("../../../models/two_species_binding.toml")),
            ("reversible_binding", include_str!("../../../models/reversible_binding.toml")),
            ("michaelis_menten", include_str!("../../../models/michaelis_menten.toml")),
            ("dual_phosphorylation", include_str!("../../../models/dual_phosphorylation.toml")),
            ("annihilation_2d", include_str!("../../../models/annihilation_2d.toml")),
        ],
    ),
    (
        "cells, membranes and genes",
        &[
            ("yeast_cell", include_str!("../../../models/yeast_cell.toml")),
            ("membrane_binding", include_str!("../../../models/membrane_binding.toml")),
            ("membrane_localization", include_str!("../../../models/membrane_localization.toml")),
            ("membrane_adsorption", include_str!("../../../models/membrane_adsorption.toml")),
            ("membrane_lipids", include_str!("../../../models/membrane_lipids.toml")),
            ("curved_cell", include_str!("../../../models/curved_cell.toml")),
            ("rod_cell", include_str!("../../../models/rod_cell.toml")),
            ("picket_fences", include_str!("../../../models/picket_fences.toml")),
            ("gene_expression", include_str!("../../../models/gene_expression.toml")),
            ("vilar_oscillator", include_str!("../../../models/vilar_oscillator.toml")),
        ],
    ),
    (
        "assembly, condensates and polymers",
        &[
            ("psi_prion", include_str!("../../../models/psi_prion.toml")),
            ("fibril_prion", include_str!("../../../models/fibril_prion.toml")),
            ("ring_hexamer", include_str!("../../../models/ring_hexamer.toml")),
            ("ring_hexamer_2d", include_str!("../../../models/ring_hexamer_2d.toml")),
            ("shell_dodecahedron", include_str!("../../../models/shell_dodecahedron.toml")),
            ("gag_membrane", include_str!("../../../models/gag_membrane.toml")),
            ("condensate", include_str!("../../../models/condensate.toml")),
            ("polymer", include_str!("../../../models/polymer.toml")),
            ("polymer_ring", include_str!("../../../models/polymer_ring.toml")),
            ("scaffold_tether", include_str!("../../../models/scaffold_tether.toml")),
        ],
    ),
    (
        "diffusion, crowds and colloids",
        &[
            ("free_diffusion", include_str!("../../../models/free_diffusion.toml")),
            ("crowded_spheres", include_str!("../../../models/crowded_spheres.toml")),
            ("crowding_benchmark", include_str!("../../../models/crowding_benchmark.toml")),
            ("square_well_droplet", include_str!("../../../models/square_well_droplet.toml")),
            ("yukawa_membrane", include_str!("../../../models/yukawa_membrane.toml")),
        ],
    ),
    (
        "granular media and gases (event-driven)",
        &[
            ("bouncing_ball", include_str!("../../../models/bouncing_ball.toml")),
            ("shaker_monosized", include_str!("../../../models/shaker_monosized.toml")),
            ("shaker_polysized", include_str!("../../../models/shaker_polysized.toml")),
            ("shaker_cylinder_3d", include_str!("../../../models/shaker_cylinder_3d.toml")),
            ("hard_sphere_gas", include_str!("../../../models/hard_sphere_gas.toml")),
            ("disk_gas", include_str!("../../../models/disk_gas.toml")),
        ],
    ),
    (
        "polygons with friction",
        &[
            ("driven_drag", include_str!("../../../models/driven_drag.toml")),
            ("hopper_polygons", include_str!("../../../models/hopper_polygons.toml")),
            ("pile_polygons", include_str!("../../../models/pile_polygons.toml")),
            ("drum_polygons", include_str!("../../../models/drum_polygons.toml")),
            ("shear_cell", include_str!("../../../models/shear_cell.toml")),
            ("biaxial_box", include_str!("../../../models/biaxial_box.toml")),
            ("falling_letters", include_str!("../../../models/falling_letters.toml")),
        ],
    ),
];

/// What a `[[rule]]` can do, in one sentence each.
const RULES: [(&str, &str); 10] = [
    ("bounce", "at contact: an elastic collision with effective masses 1/D"),
    ("pass", "at contact: an entry in the log; the two can overlap"),
    ("ignore", "the two do not interact, and the search skips them"),
    (
        "bind",
        "at contact: merge = \"bond\" joins two particles rigidly, merge = \"coalesce\" turns them into one sphere",
    ),
    ("unbind", "in time: undoes a bind rule, with detailed balance at any time step"),
    ("convert", "at contact (two in `on`) or in time (one): particles turn into any products"),
    ("annihilate", "at contact: both disappear"),
    ("decay", "in time: particles disappear"),
    ("create", "in time: particles are created, anywhere or in a region, as a Poisson process"),
    (
        "fragment",
        "at contact (two in `on`) the first cuts the cluster of the second; in time (one), each bond breaks at a rate",
    ),
];

/// What is known of a structure, a line for each label.
fn describe(out: &mut impl Write, name: &str, lines: &[(&str, &str)]) -> std::io::Result<()> {
    for (n, (label, text)) in lines.iter().enumerate() {
        let name = if n == 0 { name } else { "" };
        write!(out, "{}", paragraph(&format!("  {name:<8} {label:<10} "), text))?;
    }
    Ok(())
}

/// The models that come along, which is what most people look for.
fn list_models(out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "models (jostle list --model NAME prints one)")?;
    for (subject, models) in MODELS {
        writeln!(out, "\n  {subject}")?;
        list_those(models, out)?;
    }
    Ok(())
}

fn list_those(models: &[(&str, &str)], out: &mut impl Write) -> std::io::Result<()> {
    for (name, text) in models {
        let title = text.lines().find_map(|line| line.strip_prefix("title = ")).unwrap_or_default();
        let needs = if text.contains("file = ") { " (needs a file of positions)" } else { "" };
        writeln!(out, "    {name:<21} {}{needs}", title.trim_matches('"'))?;
    }
    Ok(())
}

pub(super) fn execute(arguments: ListArguments) -> Result<(), Failure> {
    let mut out = crate::cli::printed();
    match arguments.what {
        Some(ListedThing::Keys(asked)) => return keys::execute(&asked, &mut out),
        Some(ListedThing::Structures) => return list_structures(&mut out),
        Some(ListedThing::Schema) => return Ok(write!(out, "{}", for_editors())?),
        None => {}
    }
    if let Some(name) = arguments.model {
        let models = || MODELS.iter().flat_map(|(_, models)| *models);
        let Some((_, text)) = models().find(|(known, _)| *known == name) else {
            let known: Vec<_> = models().map(|(name, _)| *name).collect();
            let known = known.join(", ");
            return Err(Failure::Error(
                format!("there is no model \"{name}\" (there are: {known})").into(),
            ));
        };
        write!(out, "{text}")?;
        return Ok(());
    }
    list_models(&mut out)?;
    writeln!(out, "\nrules ([[rule]] do = ...; pairs without a rule bounce)")?;
    for (name, what) in RULES {
        write!(out, "{}", paragraph(&format!("  {name:<10} "), what))?;
    }
    writeln!(
        out,
        "\nor in one line: reaction = \"A + B <-> C\" with k_on and k_off, \"A -> A + M\" or \"A -> 0\" with rate"
    )?;
    writeln!(out, "\nby the clock ([[schedule]]): set, switch_on, switch_off, add, divide")?;
    writeln!(out, "\nsearch structures: jostle list structures")?;
    writeln!(out, "keys of the model file: jostle list keys; for editors: jostle list schema")?;
    Ok(())
}

/// The search structures, and when to use which.
fn list_structures(out: &mut impl Write) -> Result<(), Failure> {
    writeln!(
        out,
        "search structures ([search] kind = ...; results never depend on the choice; n particles, per step)"
    )?;
    for row in which_when() {
        let lines = [
            ("good when", row.good_when),
            ("bad when", row.bad_when),
            ("build", row.build),
            ("query", row.query),
            ("memory", row.memory),
            ("source", row.source),
        ];
        describe(out, row.kind.name(), &lines)?;
    }
    writeln!(
        out,
        "\nsearch structures of granular models ([run] engine = \"granular\"; n balls, per event)"
    )?;
    for row in which_kinetic() {
        let lines = [
            ("good when", row.good_when),
            ("bad when", row.bad_when),
            ("events", row.events),
            ("neighbours", row.neighbours),
            ("memory", row.memory),
            ("source", row.source),
        ];
        describe(out, row.kind.name(), &lines)?;
    }
    writeln!(
        out,
        "\npolygon models ([run] engine = \"polygons\") have one search structure: sweep"
    )?;
    Ok(())
}
