//! Figures of tables that are made up: their series, axes, maps and names.

use jostle_analysis::Cell;
use jostle_sweep::{Keep, Merged, MergedRow, MergedValue, Noise, Physics, Plan, Point, SweepFile};

use super::super::plot::{HeatMap, Plot, Style};
use super::{Drawing, MergedFigure, merged_figures};

/// A plan with these points, each a list of keys and values.
pub(in crate::report) fn plan_of(points: &[&[(&str, &str)]]) -> (tempfile::TempDir, Plan) {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("a.toml");
    std::fs::write(&model, "title = \"<i>crowd</i>\"\n").unwrap();
    let point = |values: &&[(&str, &str)]| Point {
        values: values.iter().map(|&(key, value)| (key.into(), value.into())).collect(),
    };
    let sweep = SweepFile {
        model: model.clone(),
        seed: 7,
        replicas: 3,
        noise: Noise::Independent,
        points: points.iter().map(point).collect(),
        measures: vec![],
        keep: Keep::First,
        members_per_task: Some(1),
        threads: 1,
        precision: None,
        text: String::new(),
    };
    let program = ("0.1.0", Physics { stream: 1, physics: 1 });
    let plan = Plan::freeze(&sweep, &model, &[], program, &folder.path().join("sweep")).unwrap();
    (folder, plan)
}

/// A grid of rates and counts, the counts running fastest.
fn grid(rates: &[&str], counts: &[&str]) -> (tempfile::TempDir, Plan) {
    let pairs: Vec<[(&str, &str); 2]> = rates
        .iter()
        .flat_map(|rate| {
            counts.iter().map(|count| [("rule.r.rate", *rate), ("species.C.count", *count)])
        })
        .collect();
    let points: Vec<&[(&str, &str)]> = pairs.iter().map(|pair| &pair[..]).collect();
    plan_of(&points)
}

fn value(mean: f64, reach: f64) -> Option<MergedValue> {
    Some(MergedValue { mean, error: reach / 3.0, reach })
}

/// A point, what a row is about, and a mean with its reach for each column.
type Row = (usize, Vec<Cell>, Vec<(f64, f64)>);

/// A table with these heads.
fn table(name: &str, [about, measured]: [&[&str]; 2], rows: Vec<Row>) -> Merged {
    let heads = |heads: &[&str]| heads.iter().map(|&head| head.to_owned()).collect::<Vec<_>>();
    let row = |(point, about, values): Row| MergedRow {
        point,
        about,
        replicas: 3,
        values: values.into_iter().map(|(mean, reach)| value(mean, reach)).collect(),
    };
    Merged {
        name: name.into(),
        about: heads(about),
        measured: heads(measured),
        has_error: vec![true; measured.len()],
        rows: rows.into_iter().map(row).collect(),
        against: None,
        failed: 0,
        missing: 0,
    }
}

fn plot(figure: &MergedFigure) -> &Plot {
    let Drawing::Plot(plot) = &figure.drawing else { panic!("{figure:?}") };
    plot
}

fn map(figure: &MergedFigure) -> &HeatMap {
    let Drawing::Map(map) = &figure.drawing else { panic!("{figure:?}") };
    map
}

fn names(plot: &Plot) -> Vec<&str> {
    plot.series.iter().map(|series| series.name.as_str()).collect()
}

/// Counts at two times, of so many points and species.
fn over_time(points: usize, species: &[&str]) -> Merged {
    let rows = (0..points).flat_map(|point| {
        [0.0, 5.0].map(|time| {
            let values = (0..species.len()).map(|k| ((point * 10 + k) as f64 + time, 0.5));
            (point, vec![Cell::from(time)], values.collect())
        })
    });
    table("counts_over_time", [&["time (µs)"], species], rows.collect())
}

#[test]
fn what_runs_over_time_is_a_line_in_a_band_for_each_point() {
    let (_folder, plan) = grid(&["1 nm^3/us", "10 nm^3/us"], &["0"]);
    let figures = merged_figures(&plan, &over_time(2, &["A", "B"]));
    let told: Vec<_> =
        figures.iter().map(|one| (one.name.as_str(), one.heading.as_str())).collect();
    assert_eq!(told, [("a", "particles of A"), ("b", "particles of B")]);
    let first = plot(&figures[0]);
    assert_eq!((first.x.label.as_str(), first.y.label.as_str()), ("time [µs]", "particles of A"));
    // The count is the same everywhere.
    assert_eq!(names(first), ["rate = 1 nm³/µs", "rate = 10 nm³/µs"]);
    let series = &first.series[1];
    assert_eq!(series.style, Style::Band);
    assert_eq!(series.points, [[0.0, 10.0], [5.0, 15.0]]);
    assert_eq!(series.intervals, [[9.5, 10.5], [14.5, 15.5]]);
    assert_eq!(figures[0].caption, "Means over 3 replicas, within bands of 95 % intervals.");
}

#[test]
fn species_of_an_ensemble_share_a_figure() {
    let (_folder, plan) = plan_of(&[&[]]);
    let figures = merged_figures(&plan, &over_time(1, &["A", "B"]));
    let [one] = &figures[..] else { panic!("{figures:?}") };
    assert_eq!(names(plot(one)), ["A", "B"]);
}

#[test]
fn of_many_points_some_are_shown_and_the_caption_says_so() {
    let rates: Vec<String> = (0..20).map(|n| n.to_string()).collect();
    let rates: Vec<&str> = rates.iter().map(String::as_str).collect();
    let (_folder, plan) = grid(&rates, &["0"]);
    let figures = merged_figures(&plan, &over_time(20, &["A"]));
    let told = names(plot(&figures[0]));
    assert_eq!((told.len(), told[0], told[7]), (8, "rate = 0", "rate = 19"));
    assert!(figures[0].caption.ends_with("8 of 20 series are shown, evenly chosen."));
}

/// Rates of a rule at each point, the means as given.
fn rates(means: &[f64], reach: f64) -> Merged {
    let row = |(point, &mean): (usize, &f64)| {
        (point, vec!["r".into(), "nm^3/us".into()], vec![(7.0 * mean, 1.0), (mean, reach)])
    };
    let rows = means.iter().enumerate().map(row).collect();
    table("rates", [&["rule", "unit"], &["events", "rate constant"]], rows)
}

#[test]
fn what_has_no_time_runs_over_the_axis_with_most_numbers() {
    let (_folder, plan) = grid(&["1 nm^3/us", "10 nm^3/us", "100 nm^3/us"], &["0", "5"]);
    let figures = merged_figures(&plan, &rates(&[1.0, 2.0, 10.0, 20.0, 100.0, 200.0], 0.5));
    let [curves, heat] = &figures[..] else { panic!("{figures:?}") };
    let drawn = plot(curves);
    assert!(drawn.x.log && drawn.y.log);
    let labels = [drawn.x.label.as_str(), drawn.y.label.as_str()];
    assert_eq!(labels, ["rule.r.rate [nm³/µs]", "rate constant [nm³/µs]"]);
    assert_eq!(names(drawn), ["count = 0", "count = 5"]);
    assert_eq!(drawn.series[1].points, [[1.0, 2.0], [10.0, 20.0], [100.0, 200.0]]);
    assert_eq!(drawn.series[1].intervals[0], [1.5, 2.5]);
    let drawn = map(heat);
    assert_eq!(drawn.marks, [vec!["1", "10", "100"], vec!["0", "5"]]);
    assert_eq!(drawn.rows, [[1.0, 10.0, 100.0], [2.0, 20.0, 200.0]]);
    assert_eq!(
        (heat.name.as_str(), drawn.y.label.as_str()),
        ("rate_constant_map", "species.C.count")
    );
    assert!(drawn.value.log && heat.draw().to_svg().contains("rate constant, as a map"));
}

#[test]
fn a_point_without_a_value_is_white() {
    let (_folder, plan) = grid(&["1", "2"], &["0", "5"]);
    let mut merged = rates(&[1.0, 2.0, 3.0, 4.0], 0.5);
    merged.rows[2].values[1] = None;
    let figures = merged_figures(&plan, &merged);
    let heat = figures.iter().find(|one| one.name == "rate_constant_map").unwrap();
    assert!(map(heat).rows[0][1].is_nan() && heat.caption.ends_with("White: not known."));
    // Of a grid with a hole there is no map.
    merged.rows.remove(2);
    assert!(merged_figures(&plan, &merged).iter().all(|one| one.name != "rate_constant_map"));
}

#[test]
fn what_is_not_known_has_no_band() {
    let (_folder, plan) = grid(&["1", "2", "3"], &["0"]);
    let figures = merged_figures(&plan, &rates(&[10.0, 11.0, 12.0], f64::NAN));
    let [one] = &figures[..] else { panic!("{figures:?}") };
    assert_eq!(plot(one).series[0].intervals[1], [11.0, 11.0]);
    assert!(one.caption.contains("without intervals"), "{}", one.caption);
    let mut merged = over_time(2, &["A"]);
    for value in merged.rows.iter_mut().flat_map(|row| &mut row.values).flatten() {
        value.reach = f64::NAN;
    }
    let figures = merged_figures(&plan, &merged);
    assert!(plot(&figures[0]).series.iter().all(|series| series.style == Style::Line));
}

#[test]
fn points_that_differ_in_words_are_numbered() {
    let (_folder, plan) = plan_of(&[&[("engine", "a")], &[("engine", "b")], &[("engine", "c")]]);
    let figures = merged_figures(&plan, &rates(&[10.0, 11.0, 12.0], 0.5));
    let drawn = plot(&figures[0]);
    assert_eq!(drawn.x.label, "point");
    assert_eq!(drawn.series[0].points, [[0.0, 10.0], [1.0, 11.0], [2.0, 12.0]]);
}

#[test]
fn keys_that_change_together_are_one_axis_and_a_design_is_seen_from_each() {
    let (_folder, together) = plan_of(&[
        &[("run.timestep", "1 ns"), ("output.every", "10")],
        &[("run.timestep", "0.5 ns"), ("output.every", "20")],
        &[("run.timestep", "0.25 ns"), ("output.every", "40")],
    ]);
    let merged = rates(&[10.0, 11.0, 12.0], 0.5);
    let figures = merged_figures(&together, &merged);
    let [one] = &figures[..] else { panic!("{figures:?}") };
    assert_eq!(plot(one).x.label, "run.timestep [ns]");
    assert_eq!(plot(one).series[0].points, [[0.25, 12.0], [0.5, 11.0], [1.0, 10.0]]);
    let (_folder, design) =
        plan_of(&[&[("a", "1"), ("b", "7")], &[("a", "2"), ("b", "5")], &[("a", "3"), ("b", "9")]]);
    let figures = merged_figures(&design, &merged);
    let labels: Vec<&str> = figures.iter().map(|one| plot(one).x.label.as_str()).collect();
    assert_eq!(labels, ["a", "b"]);
    assert_eq!(plot(&figures[1]).series[0].points, [[5.0, 11.0], [7.0, 10.0], [9.0, 12.0]]);
    assert_eq!([&figures[0].name, &figures[1].name], ["rate_constant", "rate_constant_2"]);
    assert!(figures[1].caption.contains("differ from point to point"));
}

#[test]
fn rates_in_different_units_have_figures_of_their_own() {
    let (_folder, plan) = grid(&["1", "2"], &["0"]);
    let row = |point: usize, rule: &str, unit: &str, mean: f64| {
        (point, vec![rule.into(), unit.into()], vec![(mean, 0.5)])
    };
    let rows = vec![
        row(0, "bind", "nm^3/us", 1.0),
        row(0, "leave", "/s", 50.0),
        row(1, "bind", "nm^3/us", 2.0),
        row(1, "leave", "/s", 60.0),
    ];
    let merged = table("rates", [&["rule", "unit"], &["rate constant"]], rows);
    let figures = merged_figures(&plan, &merged);
    let labels: Vec<&str> = figures.iter().map(|one| plot(one).y.label.as_str()).collect();
    assert_eq!(labels, ["rate constant [nm³/µs]", "rate constant [/s]"]);
    assert_eq!(plot(&figures[1]).series[0].points, [[1.0, 50.0], [2.0, 60.0]]);
}

#[test]
fn a_number_in_another_unit_and_what_members_state_are_not_drawn_again() {
    let (_folder, plan) = grid(&["1", "2", "3"], &["0"]);
    let row = |(point, mean): (usize, f64)| {
        (point, vec![], vec![(mean, 0.1), (6.0 * mean, 0.6), (0.3, f64::NAN), (mean * mean, 0.1)])
    };
    let rows = [1.0, 2.5, 3.5].into_iter().enumerate().map(row).collect();
    let mut merged = table("x", [&[], &["k (/s)", "k (/M/s)", "std. error", "square"]], rows);
    merged.has_error[2] = false;
    let told: Vec<String> =
        merged_figures(&plan, &merged).into_iter().map(|figure| figure.heading).collect();
    assert_eq!(told, ["k", "square"]);
}

#[test]
fn differences_say_from_what() {
    let (_folder, plan) = grid(&["1", "2", "3"], &["0"]);
    let mut merged = rates(&[0.0, -1.0, 2.0], 0.5);
    merged.against = Some(4);
    merged.rows.remove(0);
    let figures = merged_figures(&plan, &merged);
    let expected = "rate constant, difference from point 4 [nm³/µs]";
    assert_eq!(plot(&figures[0]).y.label, expected);
    assert_eq!(figures[0].name, "rate_constant");
}

#[test]
fn a_table_has_a_handful_of_figures() {
    let (_folder, plan) = grid(&["1", "2"], &["0"]);
    let heads: Vec<String> = (0..9).map(|n| format!("c{n}")).collect();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let values = |point: usize| (0..9).map(|n| ((point + n * n) as f64, 0.1)).collect();
    let rows = [0, 1].map(|point| (point, vec![], values(point))).to_vec();
    let figures = merged_figures(&plan, &table("x", [&[], &heads], rows));
    assert_eq!(figures.len(), 6);
    assert!(figures[5].caption.ends_with("The rest of the table is not drawn."));
    assert!(!figures[4].caption.contains("The rest"));
}

#[test]
fn a_plane_is_a_map_to_scale() {
    let (_folder, plan) = plan_of(&[&[]]);
    let rows = (0..6).map(|n| {
        let [x, y] = [n / 2, n % 2].map(|k| 10.0 * k as f64);
        let about = [x, x + 10.0, y, y + 10.0].map(Cell::from).to_vec();
        (0, about, vec![(n as f64, 0.1)])
    });
    let heads = ["x from (nm)", "x to (nm)", "y from (nm)", "y to (nm)"];
    let figures =
        merged_figures(&plan, &table("contact_places", [&heads, &["share"]], rows.collect()));
    let [one] = &figures[..] else { panic!("{figures:?}") };
    let drawn = map(one);
    assert_eq!(drawn.span, [[0.0, 30.0], [0.0, 20.0]]);
    assert_eq!(drawn.rows, [[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]);
    assert_eq!((drawn.x.label.as_str(), drawn.from_zero), ("x [nm]", true));
}

#[test]
fn an_ensemble_that_differs_in_words_alone_has_no_figure() {
    let (_folder, plan) = plan_of(&[&[]]);
    assert_eq!(merged_figures(&plan, &rates(&[1.0], 0.5)), []);
}

#[test]
fn names_of_species_are_escaped() {
    let (_folder, plan) = plan_of(&[&[]]);
    let figures = merged_figures(&plan, &over_time(1, &["<b>&\"A\"", "B"]));
    let svg = figures[0].draw().to_svg();
    assert!(svg.contains("&lt;b&gt;&amp;") && !svg.contains("<b>"), "{svg}");
}
