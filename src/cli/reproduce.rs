//! `jostle reproduce`.

use std::path::PathBuf;

use super::Failure;
use super::measured::{print, say_written};
use jostle_lab::reproduce::{
    Document, cells, complexity, guidelines, laguerre, polygons, shaker, strips,
};

/// The command line of `jostle reproduce`.
#[derive(clap::Args)]
pub(super) struct ReproduceArguments {
    #[command(subcommand)]
    what: Study,
}

#[derive(clap::Subcommand)]
enum Study {
    /// The shaker ball mill of Gavrilova et al. 2003: Tables 1 to 5 and Figures 1 to 3 with all
    /// structures, each published number next to ours; the mill itself, also as a cylinder in 3D.
    Shaker(ShakerArguments),
    /// The guidelines of the same paper for choosing a structure: what an event costs with each
    /// structure, for 100 to 1 000 000 balls in 2D and 3D, and which of the advice holds.
    Guidelines(GuidelineArguments),
    /// Table 1 of Gavrilova and Rokne 2002, measured: neighbours, time, events and memory of
    /// each structure as functions of the number of particles; Lemmas 2 and 3.
    Complexity(StudyArguments),
    /// Schinner 1999: Tables 1 to 3, the claims of Figures 5, 6, 10 and 11, two threads against
    /// one, and heaps of polygons against heaps of disks.
    Polygons(StudyArguments),
    /// Johnson and Whalley 2002: the worked examples to the last digit, and the claims of Figure 6
    /// about cells and slices, in counts of work and in times.
    Cells(StudyArguments),
    /// The strips of the disk gas ("Grouping the particles", 2021): comparisons and times of all
    /// pairs, vertical and horizontal strips, each published number next to ours; how
    /// resolving overlaps after the move changes the collision rate.
    Strips(StudyArguments),
    /// Figure 1 of Gavrilova and Rokne 2002: triangulation and power diagram of 1000 disks.
    Laguerre(StudyAnswer),
}

#[derive(clap::Args)]
struct ShakerArguments {
    /// One column of each table and two seeds: takes seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    /// How often each column is run, each time from a different start.
    #[arg(long, value_name = "N", default_value_t = 20, conflicts_with = "quick",
          value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    #[command(flatten)]
    answer: StudyAnswer,
}

#[derive(clap::Args)]
struct GuidelineArguments {
    /// Up to ten thousand balls: takes a minute instead of half an hour.
    #[arg(long)]
    quick: bool,
    /// In the plane (2) or in space (3) only.
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u8).range(2..=3))]
    dimension: Option<u8>,
    /// All sizes and packings at once, each on a core of its own (ten in all): quicker, but they share the memory.
    #[arg(long)]
    at_once: bool,
    #[command(flatten)]
    answer: StudyAnswer,
}

#[derive(clap::Args)]
struct StudyArguments {
    /// Small systems: takes seconds instead of minutes.
    #[arg(long)]
    quick: bool,
    #[command(flatten)]
    answer: StudyAnswer,
}

impl StudyArguments {
    /// What is to be done, on which scale.
    fn plan<P>(&self, quick: fn() -> P, full: fn() -> P) -> P {
        if self.quick { quick() } else { full() }
    }
}

#[derive(clap::Args)]
struct StudyAnswer {
    /// Write tables (CSV), pictures (SVG, PNG) and the text into this folder (created if missing).
    #[arg(short, long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Print all figures as JSON instead of tables.
    #[arg(long)]
    json: bool,
}

pub(super) fn execute(arguments: ReproduceArguments) -> Result<(), Failure> {
    if cfg!(debug_assertions) {
        log::warn!("this is not a release build (cargo build --release): times are longer");
    }
    let mut progress = |what: &str| eprintln!("{what}");
    let (report, answer) = match arguments.what {
        Study::Shaker(ShakerArguments { quick, seeds, answer }) => {
            let plan =
                if quick { shaker::ShakerPlan::quick() } else { shaker::ShakerPlan::full(seeds) };
            (shaker::shaker(&plan, &mut progress)?.report(), answer)
        }
        Study::Guidelines(GuidelineArguments { quick, dimension, at_once, answer }) => {
            let mut plan = guidelines::GuidelinesPlan { at_once, ..Default::default() };
            if quick {
                plan.balls.retain(|&balls| balls <= 10_000);
            }
            if let Some(dimension) = dimension {
                plan.dimensions = vec![dimension.into()];
            }
            (guidelines::guidelines(&plan, &mut progress)?, answer)
        }
        Study::Complexity(study) => {
            use complexity::ComplexityPlan as Plan;
            let plan = study.plan(Plan::quick, Plan::full);
            (complexity::complexity(&plan, &mut progress)?.report(), study.answer)
        }
        Study::Polygons(study) => {
            use polygons::PolygonsPlan as Plan;
            let plan = study.plan(Plan::quick, Plan::full);
            (polygons::polygons(&plan, &mut progress)?, study.answer)
        }
        Study::Cells(study) => {
            use cells::CellsPlan as Plan;
            let plan = study.plan(Plan::quick, Plan::full);
            (cells::cells(&plan, &mut progress)?.report(), study.answer)
        }
        Study::Strips(study) => {
            use strips::StripsPlan as Plan;
            let plan = study.plan(Plan::quick, Plan::full);
            (strips::strips(&plan, &mut progress)?.report(), study.answer)
        }
        Study::Laguerre(answer) => (laguerre::laguerre(), answer),
    };
    let document = Document::new(report);
    print(answer.json, &document.to_json(), &document)?;
    if let Some(folder) = &answer.out {
        say_written(&document.write(folder)?, folder);
    }
    Ok(())
}
