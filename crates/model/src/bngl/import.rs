//! From a model of rules and a geometry to a model file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::geometry::Amounts;
use super::geometry::{self, Geometry};
use super::kinds::{self, RuleKind};
use super::laws;
use super::lines::Slip;
use super::model_text::{self, LawText, RuleText};
use super::observed;
use super::orders;
use super::rates::{Rates, number};
use super::reader::{Understood, faults, understand};
use super::room::Limits;
use super::{
    Network, NetworkRule, OneWay, SiteRef, amounts, complexes, layout, several, states, transports,
};
use crate::fault::{Fault, Faults, Place};
use crate::notation::{Molecule, written};
use jostle_core::formula::Formula;

const NO_RELEASE: &str = "a molecule that two become, and that becomes these two again, needs rate constants for both: \
                          how soon the two meet again would change with the rate; write two rules";

/// \[µs\]
const SECOND: f64 = 1e6;
/// How often in a run rates that follow formulas are worked out.
const TIMES: f64 = 1e4;
/// The longest name of a rule that is made of a label. \[characters\]
const LONGEST_NAME: usize = 80;

/// A model file that has been made of a BNGL file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The model file.
    pub text: String,
    /// What has not been taken over, without harm: sentences with the place.
    pub notes: Vec<String>,
}

/// What is wrong with a BNGL file, its geometry file, or both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportFaults(pub Vec<Faults>);

impl fmt::Display for ImportFaults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, faults) in self.0.iter().enumerate() {
            let line_break = if n == 0 { "" } else { "\n" };
            write!(f, "{line_break}{faults}")?;
        }
        Ok(())
    }
}

impl std::error::Error for ImportFaults {}

/// Makes a model file of a BNGL file and a geometry file, each given by its text and its name.
///
/// # Errors
/// Everything that is wrong with either file or cannot be taken over, each with its place.
pub fn import(bngl: [&str; 2], geometry: [&str; 2]) -> Result<Imported, ImportFaults> {
    let [[text, name], [geometry_text, geometry_name]] = [bngl, geometry];
    let given = geometry::parameters(geometry_text);
    let Understood { mut network, mut slips, mut notes, strange, completed } =
        understand(text, given);
    for ((molecule, site), spot) in completed {
        if kinds::binds(&network, &molecule, &site) {
            slips.push(Slip::new(spot, format!(
                "`{molecule}` is written with different sites on the two sides of the rule: write the same sites on both, \
                 `{site}` too, which may be bound"
            )));
        }
    }
    states::drop_single(&mut network, &mut notes);
    several::write_out(&mut network, &mut slips, &mut notes);
    let transports = transports::take(&mut network, &mut slips);
    let mut all = Vec::new();
    let mut geometry = match geometry::read([geometry_text, geometry_name], &network, &strange) {
        Ok(geometry) => Some(geometry),
        Err(faults) => {
            all.push(faults);
            None
        }
    };
    if let Some(geometry) = &mut geometry {
        match layout::lay_out(&network, geometry, &transports) {
            Ok(found) => geometry.layout = found,
            Err(found) => slips.extend(found),
        }
        if let Some(layout) = &geometry.layout {
            notes.push(Slip::new(network.compartments[0].spot, layout.described()));
        }
    }
    amounts::check(&mut network, geometry.as_ref(), &mut slips, &mut notes);
    let mut importer = Importer {
        network: &network,
        geometry: geometry.as_ref(),
        made: bonds_made(&network),
        sources: sources(&network),
        limits: Limits::default(),
        names: BTreeSet::new(),
        notes: &mut notes,
    };
    importer.limit();
    let mut rules = Vec::new();
    for rule in &network.rules {
        match importer.texts(rule) {
            Ok(found) => rules.extend(found),
            Err(slip) => slips.push(slip),
        }
    }
    let Importer { mut names, .. } = importer;
    unite(&mut rules);
    let complexes = geometry
        .as_ref()
        .map_or(Ok(Vec::new()), |geometry| complexes::texts(&network, geometry, &mut names));
    let complexes = complexes.unwrap_or_else(|found| {
        slips.extend(found);
        Vec::new()
    });
    if network.types.is_empty() && slips.is_empty() {
        slips.push(Slip::new(Default::default(), "there are no molecules in this file"));
    }
    let has_compartments =
        network.volume.is_some_and(|size| size != 1.0) || !network.compartments.is_empty();
    if has_compartments
        && geometry.as_ref().is_some_and(|geometry| geometry.rates != Amounts::Molecules)
    {
        all.push(of_file(geometry_name, IN_COMPARTMENT.to_owned()));
    }
    let until = geometry.as_ref().and_then(|geometry| until(&network, geometry));
    if geometry.is_some() && until.is_none() {
        all.push(of_file(geometry_name, NO_END.to_owned()));
    }
    if !slips.is_empty() {
        all.insert(0, faults(name, slips));
    }
    let (Some(geometry), Some(until), true) = (geometry, until, all.is_empty()) else {
        return Err(ImportFaults(all));
    };
    let names = [name, geometry_name];
    let every = rates_every(&network, &geometry);
    if let Some(rule) = rules.iter().find(|rule| rule.law.is_some()) {
        let text = format!(
            "rates that follow formulas are worked out every {every} (`rates_every` in the geometry file)"
        );
        notes.push(Slip::new(rule.spot, text));
    }
    let times = [until.as_str(), every.as_str()];
    let text = model_text::write(names, &network, &geometry, times, (&rules, &complexes));
    read_back(&text, [name, geometry_name], &network, (&rules, &complexes))?;
    notes.sort_by_key(|note| note.spot);
    let note =
        |note: &Slip| format!("{name}:{}:{}: {}", note.spot.line, note.spot.column, note.message);
    Ok(Imported { text, notes: notes.iter().map(note).collect() })
}

const NO_END: &str = "`until` is missing, for example `until = \"10 s\"`: no simulation in the BNGL file says how long \
                      it is";

const IN_COMPARTMENT: &str = "the BNGL file has a compartment, by whose size its rate constants are divided: they are \
                              per molecule, so leave out `units` and `rates`";

/// A fault of a file as a whole.
fn of_file(name: &str, message: String) -> Faults {
    Faults::new(name, vec![Fault { place: Place::File, key: String::new(), message }])
}

/// How long the run is.
fn until(network: &Network, geometry: &Geometry) -> Option<String> {
    let given = geometry.until.as_ref().map(|until| until.text.clone());
    given.or_else(|| Some(format!("{} {}", number(network.end?), geometry.time_unit.text)))
}

/// How often rates that follow formulas are worked out.
fn rates_every(network: &Network, geometry: &Geometry) -> String {
    if let Some(every) = &geometry.rates_every {
        return every.text.clone();
    }
    let unit = geometry.time_unit.value;
    let given = geometry.until.as_ref().map(|until| until.value);
    let until = given.or(network.end.map(|end| end * unit)).unwrap_or(0.0);
    let every = (until / TIMES).max(geometry.time_step.value);
    format!("{} {}", number(every / unit), geometry.time_unit.text)
}

/// Reads the model as `jostle check` does, so that no file is written that would be refused. What
/// is wrong is told where the BNGL file says it, or of the geometry file.
fn read_back(
    text: &str,
    [name, geometry_name]: [&str; 2],
    network: &Network,
    (rules, all): (&[RuleText], &[complexes::ComplexText]),
) -> Result<(), ImportFaults> {
    let Err(found) = crate::parse(text, name, &[]) else { return Ok(()) };
    let (mut of_rules, mut of_geometry) = (Vec::new(), Vec::new());
    for Fault { place, key, message } in found.list {
        let before = match place {
            Place::Line(line) | Place::Column(line, _) => line,
            _ => 0,
        };
        let count =
            |table: &str| text.lines().take(before).filter(|l| l.starts_with(table)).count();
        let spot = match key.split('.').next() {
            Some("rule") => rules.get(count("[[rule]]").wrapping_sub(1)).map(|rule| rule.spot),
            Some("schedule") => {
                let mut laws = rules.iter().filter(|rule| rule.law.is_some());
                laws.nth(count("[[schedule]]").wrapping_sub(1)).map(|rule| rule.spot)
            }
            Some("molecule") => {
                all.get(count("[[molecule]]").wrapping_sub(1)).map(|complex| complex.spot)
            }
            Some("species") => {
                network.types.get(count("[[species]]").wrapping_sub(1)).map(|known| known.spot)
            }
            _ => None,
        };
        let message = format!("the model that is made of this is refused: {key}: {message}");
        match spot {
            Some(spot) => of_rules.push(Slip::new(spot, message)),
            None => of_geometry.push(Fault { place: Place::File, key: String::new(), message }),
        }
    }
    let mut all = Vec::new();
    if !of_rules.is_empty() {
        all.push(faults(name, of_rules));
    }
    if !of_geometry.is_empty() {
        all.push(Faults::new(geometry_name, of_geometry));
    }
    Err(ImportFaults(all))
}

/// A site of a molecule type: its names.
pub(super) type Named<'n> = (&'n str, &'n str);

/// The two ends of a bond in one order for both ways round.
pub(super) fn sorted(mut ends: [Named<'_>; 2]) -> [Named<'_>; 2] {
    ends.sort_unstable();
    ends
}

/// The bonds that rules make, each with its lower end first.
fn bonds_made(network: &Network) -> BTreeSet<[Named<'_>; 2]> {
    let ways = network.rules.iter().flat_map(|rule| [Some(&rule.forth), rule.back.as_ref()]);
    let active = ways.flatten().filter(|way| way.rate > 0.0);
    active.flat_map(|way| way.changes.bound.iter().map(|ends| named(way, *ends))).collect()
}

/// The ends of a bond by their names.
fn named(way: &OneWay, ends: [SiteRef; 2]) -> [Named<'_>; 2] {
    sorted(ends.map(|end| {
        let molecule = way.reactants.iter().flatten().nth(end.molecule);
        let site = molecule.and_then(|molecule| molecule.sites.get(end.site));
        let name = molecule.map_or("", |molecule| molecule.name.as_str());
        (name, site.map_or("", |site| site.name.as_str()))
    }))
}

/// A direction of a rule that has a rate, and what it does.
#[derive(Clone, Copy)]
struct Active<'r> {
    way: &'r OneWay,
    kind: RuleKind,
}

/// Turns rules into those of the model file.
struct Importer<'n, 'm> {
    network: &'n Network,
    /// None if it has faults.
    geometry: Option<&'n Geometry>,
    made: BTreeSet<[Named<'n>; 2]>,
    sources: BTreeMap<&'n str, usize>,
    limits: Limits,
    /// The names that rules have.
    names: BTreeSet<String>,
    notes: &'m mut Vec<Slip>,
}

impl<'n> Importer<'n, '_> {
    /// The rules of the model file that one rule becomes.
    fn texts(&mut self, rule: &'n NetworkRule) -> Result<Vec<RuleText>, Slip> {
        let slip = |message: String| Slip::new(rule.spot, message);
        let name = free_name(&rule.name, &mut self.names);
        let mut found = Vec::new();
        for way in [Some(&rule.forth), rule.back.as_ref()].into_iter().flatten() {
            let kind = self.kind(rule, way).map_err(slip)?;
            found.extend(kind.map(|kind| Active { way, kind }));
        }
        let Some(geometry) = self.geometry else { return Ok(Vec::new()) };
        let rates = Rates { network: self.network, geometry, limits: &self.limits };
        for Active { way, kind } in &found {
            let remark = rates.remark(way).filter(|_| kind.is_at_contact(way));
            let text = remark.map(|remark| format!("rule `{}`: {remark}", rule.name));
            self.notes.extend(text.map(|text| Slip::new(rule.spot, text)));
        }
        let spot = rule.spot;
        let comment = |way: &OneWay| format!("line {}: {}", spot.line, way.rate_text);
        let varies = found.iter().any(|active| active.way.law.is_some());
        if let [first, second] = found.as_slice()
            && !varies
            && !self.comes_whole(rule)
            && let Some(text) = reversible(&rates, [first, second]).transpose().map_err(slip)?
        {
            let texts = [&rule.forth.rate_text, &second.way.rate_text];
            let comment = format!("line {}: {}, {}", spot.line, texts[0], texts[1]);
            let region = region(geometry, &rule.forth);
            return Ok(vec![RuleText { comment, name, spot, region, ..text }]);
        }
        let mut texts = Vec::new();
        for (n, Active { way, kind }) in found.into_iter().enumerate() {
            let name = match n {
                0 => name.clone(),
                _ => free_name(&format!("{name}_back"), &mut self.names),
            };
            let reverses =
                kind == RuleKind::Plain && [way.reactants.len(), way.products.len()] == [1, 2];
            let (based, law) = rates.based(way);
            let key = match rule.back.as_ref().filter(|_| reverses) {
                Some(_) if varies => Err(NO_RELEASE.to_owned()),
                Some(back) if std::ptr::eq(way, back) => Ok(rates.apart(way, &rule.forth)),
                Some(back) => Ok(rates.apart(way, back)),
                None => rates.forwards(&based, kind),
            };
            let keys = vec![key.map_err(slip)?];
            let takes = kind != RuleKind::Plain
                && kinds::takes_complexes(self.network, way, rule.delete_molecules)
                    .map_err(slip)?;
            let law = match law {
                Some(law) => {
                    let entry = free_name(&format!("{name}_rate"), &mut self.names);
                    Some(law_text(&rates, &law, way, entry).map_err(slip)?)
                }
                None => None,
            };
            let reaction = reaction(way, kind, "->");
            let comment = comment(way);
            let region = region(geometry, way);
            texts.push(RuleText { spot, comment, name, reaction, keys, law, takes, region });
        }
        Ok(texts)
    }

    /// Finds out how much of the rate constants of two partners can be carried out, if molecules take
    /// no room.
    fn limit(&mut self) {
        let Some(geometry) = self.geometry.filter(|g| !g.has_room && g.dimension() == 3) else {
            return;
        };
        let rates = Rates { network: self.network, geometry, limits: &Limits::default() };
        let ways = self.network.rules.iter().flat_map(|r| [Some(&r.forth), r.back.as_ref()]);
        let is_constant = |way: &&OneWay| way.rate > 0.0 && way.law.is_none();
        let meeting = ways.flatten().filter(|way| way.reactants.len() == 2).filter(is_constant);
        let constants = meeting.map(|way| (way, rates.macroscopic(way)));
        self.limits = Limits::new(self.network, geometry, constants);
    }

    /// Whether two molecules without sites become one that comes from elsewhere, too. Two conversions let it
    /// fall apart whatever it was made of; one that coalesced would hold what it was made of.
    fn comes_whole(&self, rule: &NetworkRule) -> bool {
        let ways = [Some(&rule.forth), rule.back.as_ref()].into_iter().flatten();
        let mut joining = ways.filter(|way| way.reactants.len() == 2 && way.products.len() == 1);
        let molecule = joining.next().and_then(|way| way.products[0].first());
        molecule.is_some_and(|molecule| {
            let sources = self.sources.get(molecule.name.as_str());
            molecule.sites.is_empty() && sources.is_some_and(|count| *count > 1)
        })
    }

    /// What a direction of a rule does; none if it never happens.
    fn kind(&mut self, rule: &NetworkRule, way: &OneWay) -> Result<Option<RuleKind>, String> {
        let mut leave_out = |why: String| {
            let text = format!("rule `{}` is left out where {why}", rule.name);
            self.notes.push(Slip::new(rule.spot, text));
            Ok(None)
        };
        if way.changes.is_empty() {
            return leave_out(
                "nothing changes, or only numbers would that are held fixed".to_owned(),
            );
        }
        if way.rate == 0.0 {
            return leave_out(format!("its rate constant `{}` is 0", way.rate_text));
        }
        let kind = kinds::of(self.network, way)?;
        if kind == RuleKind::Unbind && !self.made.contains(&named(way, way.changes.parted[0].ends))
        {
            return leave_out(
                "it breaks a bond: no rule makes such bonds, so there are none".to_owned(),
            );
        }
        if kind != RuleKind::Plain
            && let Some(message) =
                orders::unclear(self.network, way).or_else(|| orders::symmetric(way))
        {
            return Err(message);
        }
        kinds::takes_complexes(self.network, way, rule.delete_molecules)?;
        let is_plain = kind == RuleKind::Plain;
        match layout::out_of_reach(self.network, way, is_plain) {
            Some(why) => Err(why),
            None => Ok(Some(kind)),
        }
    }
}

/// The volume to which a rule is confined, if its molecules can be elsewhere.
fn region(geometry: &Geometry, way: &OneWay) -> Option<String> {
    let layout = geometry.layout.as_ref()?;
    let volume = match way.reactants.is_empty() {
        true => way.within.filter(|n| !layout.is_membrane(*n)),
        false => way.region,
    };
    let keys = layout.region(volume?);
    (!keys.is_empty()).then(|| format!("{{ {} }}", keys.join(", ")))
}

/// Leaves one of the rules that say the same, which one rule for all volumes has become.
fn unite(rules: &mut Vec<RuleText>) {
    let mut known: Vec<RuleText> = Vec::new();
    for rule in std::mem::take(rules) {
        let factor = |rule: &RuleText| rule.law.as_ref().map(|law| law.factor.clone());
        let is_same = |other: &&RuleText| {
            let same =
                RuleText { name: other.name.clone(), law: other.law.clone(), ..rule.clone() };
            **other == same && factor(other) == factor(&rule)
        };
        let of_line = known.iter().rev().take_while(|other| other.spot == rule.spot);
        if of_line.into_iter().find(is_same).is_none() {
            known.push(rule);
        }
    }
    *rules = known;
}

/// From how many rules and seed species molecules of each type come.
fn sources(network: &Network) -> BTreeMap<&str, usize> {
    fn names(side: &[Vec<Molecule>]) -> impl Iterator<Item = &str> {
        side.iter().flatten().map(|molecule| molecule.name.as_str())
    }
    let mut counts = BTreeMap::new();
    let seeds = network.seeds.iter().filter(|seed| seed.count > 0.0);
    let seeded = seeds.flat_map(|seed| names(std::slice::from_ref(&seed.molecules)));
    let ways = network.rules.iter().flat_map(|rule| [Some(&rule.forth), rule.back.as_ref()]);
    let made = ways.flatten().flat_map(|way| {
        names(&way.products).filter(|name| names(&way.reactants).all(|other| other != *name))
    });
    seeded.chain(made).for_each(|name| *counts.entry(name).or_default() += 1);
    counts
}

/// The entry of the schedule that lets the rate of a rule follow a formula.
fn law_text(
    rates: &Rates<'_>,
    law: &Formula,
    way: &OneWay,
    name: String,
) -> Result<LawText, String> {
    let observables = &rates.network.observables;
    for (n, observable) in observables.iter().enumerate().filter(|(n, _)| law.depends_on(*n as u16))
    {
        if let Some(why) = observed::uncounted(&observables[..n], observable) {
            return Err(format!(
                "the rate `{}` depends on `{}`, which cannot be counted: {why}",
                way.rate_text, observable.name
            ));
        }
    }
    let names: Vec<&str> = observables.iter().map(|known| known.name.as_str()).collect();
    let unit = rates.geometry.time_unit.value / SECOND;
    Ok(LawText { name, factor: laws::written(law, &names, unit) })
}

/// One rule for both directions, if there is one.
fn reversible(rates: &Rates<'_>, both: [&Active<'_>; 2]) -> Option<Result<RuleText, String>> {
    let [first, second] = both;
    let sides = |active: &Active<'_>| (active.way.reactants.len(), active.way.products.len());
    let text = |[forth, back]: [&Active<'_>; 2], key| {
        let keys = vec![rates.forwards(forth.way, forth.kind)?, (key, rates.in_time(back.way))];
        let reaction = reaction(forth.way, forth.kind, "<->");
        Ok(RuleText { reaction, keys, ..RuleText::default() })
    };
    match (first.kind, second.kind, sides(first)) {
        (RuleKind::Bind, RuleKind::Unbind, _) | (RuleKind::Plain, RuleKind::Plain, (2, 1)) => {
            Some(text([first, second], rates.backward_key(first.way)))
        }
        (RuleKind::Unbind, RuleKind::Bind, _) | (RuleKind::Plain, RuleKind::Plain, (1, 2)) => {
            Some(text([second, first], rates.backward_key(second.way)))
        }
        (RuleKind::Plain, RuleKind::Plain, (1, 1)) => Some(text([first, second], "back")),
        _ => None,
    }
}

/// A rule in one line.
fn reaction(way: &OneWay, kind: RuleKind, arrow: &str) -> String {
    let bare = |text: String| match kind {
        RuleKind::Plain => text.replace("()", ""),
        _ => text,
    };
    let sides = [way.reactants.clone(), kinds::right_side(way, kind)];
    let [left, right] = sides.map(|side| {
        let patterns: Vec<_> = side.iter().map(|pattern| bare(written(pattern))).collect();
        if patterns.is_empty() { "0".to_owned() } else { patterns.join(" + ") }
    });
    format!("{left} {arrow} {right}")
}

/// A word for the name of a rule that no other has.
pub(super) fn free_name(label: &str, taken: &mut BTreeSet<String>) -> String {
    let plain: String =
        label.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { ' ' }).collect();
    let joined = plain.split_whitespace().collect::<Vec<_>>().join("_");
    let stem: String = joined.trim_start_matches('-').chars().take(LONGEST_NAME).collect();
    // A bare number is the place in a list.
    let is_number = !stem.contains(|c: char| c.is_alphabetic());
    let stem = if is_number { format!("R{stem}") } else { stem };
    let numbered = (2..).map(|n| format!("{stem}_{n}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    let name = names.find(|name| !taken.contains(name)).unwrap_or(stem);
    taken.insert(name.clone());
    name
}
