//! The measurements as tables, beside what the paper says.

use super::ComplexityFindings;
use super::lemmas::Ratio;
use super::measure::{Measured, PACKING};
use super::random::{AT_RANDOM, PointsAtRandom};
use crate::reproduce::ReportSection;
use crate::reproduce::report::digits;
use crate::reproduce::sample::exponent;
use crate::reproduce::structures::name_in_the_text;
use jostle_analysis::Table;
use jostle_events::kinetic::KineticKind;

pub(super) fn sections(findings: &ComplexityFindings) -> Vec<ReportSection> {
    let measured = &findings.measured;
    let mut sections =
        vec![figures(measured), exponents(measured), pending(measured), lemmas(&findings.ratios)];
    sections.push(at_random(&findings.random));
    sections
}

fn at_random(found: &[PointsAtRandom]) -> ReportSection {
    let mut table = Table::new(&["points", "neighbours", "theory", "most"]);
    for random in found {
        let [mean, most] = random.neighbours;
        let numbers = [random.points as f64, mean, AT_RANDOM, most];
        table.push_texts(numbers.map(digits).to_vec());
    }
    ReportSection::new("random", "The triangulation of points at random in a periodic cube", table)
        .remarks(vec!["Theory: 2 + 48 π²/35 neighbours on average (Meijering 1953).".to_owned()])
}

fn name(kind: KineticKind) -> String {
    name_in_the_text(kind).unwrap_or(kind.name()).to_owned()
}

fn figures(measured: &[Measured]) -> ReportSection {
    let mut table = Table::new(&[
        "structure",
        "dimension",
        "bodies",
        "A mean",
        "A most",
        "B mean",
        "B most",
        "C (ns)",
        "C planned",
        "D (ns)",
        "D planned",
        "E mean",
        "E most",
        "F (ms)",
        "G (bytes/body)",
        "engine (bytes/body)",
    ]);
    for m in measured {
        let numbers = [
            m.neighbours[0],
            m.neighbours[1],
            m.gained[0],
            m.gained[1],
            m.topological[0],
            m.topological[1],
            m.trajectory[0],
            m.trajectory[1],
            m.between[0],
            m.between[1],
            1e3 * m.build,
            m.bytes / m.particles as f64,
            m.engine_bytes / m.particles as f64,
        ];
        let mut row = vec![name(m.kind), m.dimension.to_string(), m.particles.to_string()];
        // Without topological events there is nothing to say of one.
        let nothing = |k: usize| m.events == 0 && (2..6).contains(&k);
        row.extend(
            (0..).zip(numbers).map(|(k, x)| if nothing(k) { "-".to_owned() } else { digits(x) }),
        );
        table.push_texts(row);
    }
    ReportSection::new("table1", "Table 1, measured in a gas of spheres of one size between walls", table).remarks(vec![
        format!(
            "Packing {PACKING}, elastic, no forces; speeds about a radius per unit of time, trajectory events every \
             half of it."
        ),
        "A neighbours of a particle. B new neighbours by a topological event. C time and events planned per topological \
         event, D per trajectory event, both with the timetable and without collision checks. E topological events \
         between two collisions (of particles or with walls). F time to build. G memory of the structure; last, of the \
         whole engine with its timetable."
            .to_owned(),
    ])
}

/// What Table 1 prints: A, B, C, D, E, F, G; k is the number of cells along an edge.
fn bounds(kind: KineticKind) -> [&'static str; 7] {
    match kind.name() {
        "direct" => ["n-1", "-", "-", "-", "-", "-", "-"],
        "laguerre" => {
            ["n", "1", "log n", "log n (text: n log n)", "n² λs(n)", "n^⌈(d+1)/2⌉", "n^⌈d/2⌉"]
        }
        "cubic" => ["1", "1", "log n", "log n", "n k", "n + k^d", "n + k^d"],
        "tree" => ["1", "1", "log n", "log n", "n k", "n log n", "n"],
        "segments" => ["1", "0 or 1", "log n", "n (text: log n)", "n²", "n log n", "n"],
        _ => ["-"; 7],
    }
}

/// A figure and its name.
type Figure = (&'static str, fn(&Measured) -> f64);

fn exponents(measured: &[Measured]) -> ReportSection {
    let mut table =
        Table::new(&["structure", "dimension", "figure", "bound of the paper", "exponent of n"]);
    let mut groups: Vec<(KineticKind, usize)> = Vec::new();
    for m in measured {
        if !groups.contains(&(m.kind, m.dimension)) {
            groups.push((m.kind, m.dimension));
        }
    }
    let figures: [Figure; 7] = [
        ("A neighbours, mean", |m| m.neighbours[0]),
        ("B new neighbours, mean", |m| m.gained[0]),
        ("C time per topological event", |m| m.topological[0]),
        ("D time per trajectory event", |m| m.trajectory[0]),
        ("E topological events between collisions, mean", |m| m.between[0]),
        ("F time to build", |m| m.build),
        ("G memory", |m| m.bytes),
    ];
    for (kind, dimension) in groups {
        for ((what, figure), bound) in figures.iter().zip(bounds(kind)) {
            let same = measured.iter().filter(|m| m.kind == kind && m.dimension == dimension);
            let found = exponent(same.map(|m| [m.particles as f64, figure(m)]));
            if found.is_finite() {
                let found = format!("{found:+.2}");
                table.push_texts(vec![
                    name(kind),
                    dimension.to_string(),
                    (*what).to_owned(),
                    bound.to_owned(),
                    found,
                ]);
            }
        }
    }
    ReportSection::new("exponents", "How the figures grow with the number of particles", table).remarks(vec![
        "Fitted over all sizes on logarithmic scales. The bounds are for the worst case, the exponents for a gas: \
         log n looks like +0.1 to +0.2, to which memory beyond the caches adds."
            .to_owned(),
    ])
}

fn pending(measured: &[Measured]) -> ReportSection {
    let mut table = Table::new(&[
        "structure",
        "dimension",
        "bodies",
        "collisions",
        "void",
        "walls",
        "trajectory",
        "topological",
    ]);
    for m in measured {
        let each = |count: usize| format!("{:.3}", count as f64 / m.particles as f64);
        let p = m.pending;
        let mut row = vec![name(m.kind), m.dimension.to_string(), m.particles.to_string()];
        row.extend([p.collisions, p.void, p.walls, p.trajectory, p.topological].map(each));
        table.push_texts(row);
    }
    ReportSection::new("pending", "What is pending at the end, per particle", table).remarks(vec![
        "Our timetable has one slot for each particle, in which the first of its collisions, walls and trajectory \
         events stands, and one for each facet of the structure: nothing is ever deleted, and the O(n²) collisions \
         that the paper allows for cannot be pending."
            .to_owned(),
    ])
}

fn lemmas(ratios: &[Ratio]) -> ReportSection {
    let mut table = Table::new(&["dimension", "bodies", "size ratio", "most in a cell"]);
    for dimension in [2, 3] {
        for ratio in ratios.iter().filter(|r| r.dimension == dimension) {
            for (kind, _) in &ratio.checks {
                if !table.columns.iter().any(|column| *column == kind.name()) {
                    table.columns.push(kind.name().to_owned());
                }
            }
        }
    }
    let kinds = table.columns[4..].to_vec();
    for r in ratios {
        let mut row = vec![
            r.dimension.to_string(),
            r.particles.to_string(),
            digits(r.ratio),
            digits(r.in_a_cell),
        ];
        row.extend(kinds.iter().map(|name| {
            let of_it = r.checks.iter().find(|(kind, _)| kind.name() == name);
            of_it.map_or("-".to_owned(), |(_, [mean, most])| format!("{} ({most})", digits(*mean)))
        }));
        table.push_texts(row);
    }
    ReportSection::new("lemmas", "Lemmas 2 and 3: one large particle among small ones", table).remarks(vec![
        "Checks per trajectory event: the mean, and the most in brackets. Cells are as wide as the largest particle."
            .to_owned(),
        growth(ratios),
    ])
}

/// How the constants of the lemmas grow with the ratio, and that they do not with the number of
/// particles.
fn growth(ratios: &[Ratio]) -> String {
    let mut said = Vec::new();
    for dimension in [2, 3] {
        let most = ratios
            .iter()
            .filter(|r| r.dimension == dimension)
            .map(|r| r.particles)
            .max()
            .unwrap_or(0);
        let these: Vec<&Ratio> = ratios
            .iter()
            .filter(|r| r.dimension == dimension && 2 * r.particles > most && r.ratio >= 2.0)
            .collect();
        let of = |name: &'static str| {
            exponent(these.iter().map(move |r| {
                let checks = r.checks.iter().find(|(kind, _)| kind.name() == name);
                [r.ratio, checks.map_or(f64::NAN, |(_, [mean, _])| *mean)]
            }))
        };
        let cells = exponent(these.iter().map(|r| [r.ratio, r.in_a_cell]));
        said.push(format!(
            "in {dimension} dimensions the most particles in a cell grow as the ratio to the power {cells:.2}, checks \
             with cells {:.2}, with segments {:.2}",
            of("cubic"),
            of("segments")
        ));
    }
    format!("From a ratio of 2 up, {}.", said.join("; "))
}
