//! The sweep file.

use super::*;

const SWEEP: &str = "\
[sweep]
model = \"crowding.toml\"
seed = 20261124
replicas = 32
seeds = \"common\"

[axes]
\"rule.react.rate\" = [\"17 nm^3/us\", \"85 nm^3/us\"]
\"species.C.count\" = { from = 0, to = 4000, points = 9 }

[[together]]
\"run.timestep\" = [\"1 ns\", \"0.5 ns\"]
\"output.frame_every\" = [1000, 2000]

[[measure]]
what = \"rates\"
from = \"2 us\"

[keep]
files = \"first\"

[task]
replicas = 8
";

fn read(text: &str) -> Result<SweepFile, SweepFault> {
    Reader { name: "crowding.sweep.toml", text, folder: Path::new("") }.read()
}

#[test]
fn a_sweep_has_every_combination_of_its_axes() {
    let sweep = read(SWEEP).unwrap();
    assert_eq!((sweep.points.len(), sweep.replicas, sweep.threads), (36, 32, 1));
    assert_eq!((sweep.noise, sweep.keep), (Noise::Common, Keep::First));
    assert_eq!(
        sweep.points[3].as_options(),
        "--set 'rule.react.rate=17 nm^3/us' --set species.C.count=500 --set 'run.timestep=0.5 ns' \
         --set output.frame_every=2000"
    );
    let measure = MeasureTable {
        what: "rates".into(),
        name: None,
        options: vec![("from".into(), Given::Text("2 us".into()))],
        line: 15,
    };
    assert_eq!(sweep.measures, [measure]);
}

#[test]
fn a_sweep_without_axes_has_one_point() {
    let sweep = read("[sweep]\nmodel = \"a.toml\"\nseed = 1\nreplicas = 3\n").unwrap();
    assert_eq!(sweep.points, [Point { values: vec![] }]);
    assert_eq!(sweep.noise, Noise::Independent);
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (from, to, expected) in [
        ("seed = 20261124\n", "", "missing field `seed`"),
        ("replicas = 32", "replicas = 0", ":4: replicas = 0: at least 1"),
        ("\"common\"", "\"commn\"", ":5: unknown variant `commn`"),
        ("[axes]", "[axis]", ":7: unknown field `axis`"),
        ("points = 9", "points = 1", ":9: species.C.count: points = 1"),
        ("[1000, 2000]", "[1000]", ":13: output.frame_every has 1 values"),
        (
            "output.frame_every",
            "species.C.count",
            ":13: species.C.count is already an axis (line 9)",
        ),
        ("run.timestep", "run.seed", ":12: run.seed cannot be an axis"),
        ("what = \"rates\"\n", "", ":15: [[measure]] does not say `what`"),
        ("\"85 nm^3/us\"", "\"17 nm^3/us\"", "points 0 and 18 are the same"),
        ("replicas = 32", "replicas = 3200000", ":4: 36 points with 3200000 replicas each"),
        ("points = 9", "points = 5000", ":9: species.C.count: two values"),
        ("replicas = 8", "threads = 0", ":23: task.threads: at least 1"),
    ] {
        let text = SWEEP.replacen(from, to, 1);
        let fault = read(&text).unwrap_err().to_string();
        assert!(fault.starts_with("crowding.sweep.toml"), "{fault}");
        assert!(fault.contains(expected), "{from} -> {to}: {fault}");
    }
}

#[test]
fn a_precision_names_a_column_and_an_error() {
    let with = |text: &str| read(&format!("{SWEEP}\n[precision]\n{text}"));
    let sweep =
        with("of = \"rates.k\"\nonly = { rule = \"react\" }\nrelative = 0.01\nmost = 512").unwrap();
    let precision = Precision {
        table: "rates".into(),
        column: "k".into(),
        only: vec![("rule".into(), "react".into())],
        error: Tolerance::Relative(0.01),
        most: 512,
        line: 26,
    };
    assert_eq!(sweep.precision, Some(precision));
    for (text, expected) in [
        (
            "of = \"rates\"\nrelative = 0.01\nmost = 512",
            ":26: precision.of = \"rates\": name a table",
        ),
        ("of = \"rates.k\"\nmost = 512", "one of `relative` and `absolute`"),
        ("of = \"rates.k\"\nrelative = 0\nmost = 512", "one of `relative` and `absolute`"),
        ("of = \"rates.k\"\nabsolute = 2\nmost = 32", ":28: precision.most = 32: there are 32"),
    ] {
        let fault = with(text).unwrap_err().to_string();
        assert!(fault.contains(expected), "{text}: {fault}");
    }
}

#[test]
fn options_are_flags_texts_or_lists() {
    let text =
        SWEEP.replace("from = \"2 us\"", "name = \"late\"\nid = [1, 2]\ncount = true\nbins = 3");
    let measure = read(&text).unwrap().measures.remove(0);
    assert_eq!(measure.name.as_deref(), Some("late"));
    let options = [
        ("id", Given::List(vec!["1".into(), "2".into()])),
        ("count", Given::Flag(true)),
        ("bins", Given::Text("3".into())),
    ];
    assert_eq!(measure.options, options.map(|(key, given)| (key.to_owned(), given)));
}

#[test]
fn a_design_is_a_row_for_each_point() {
    let folder = std::env::temp_dir().join(format!("jostle_design_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let of = |design: &str| {
        std::fs::write(folder.join("design.csv"), design).unwrap();
        let text = "[sweep]\nmodel = \"a.toml\"\nseed = 1\nreplicas = 3\n[points]\nfile = \"design.csv\"\n";
        Reader { name: "a.sweep.toml", text, folder: &folder }.read()
    };
    let sweep = of("run.timestep, species.A.count\n1 ns, 10\n2 ns, 20\n").unwrap();
    let told: Vec<String> = sweep.points.iter().map(Point::as_options).collect();
    assert_eq!(
        told,
        [
            "--set 'run.timestep=1 ns' --set species.A.count=10",
            "--set 'run.timestep=2 ns' --set species.A.count=20"
        ]
    );
    for (design, expected) in [
        ("a,b\n1\n", "design.csv:2: "),
        ("a,b\n1,\n", "design.csv:2: b has no value here"),
        ("a,a\n1,2\n", "design.csv:1: two columns are called a"),
        ("a,b\n", "design.csv: there is no row"),
        ("a,run.seed\n1,2\n", "run.seed cannot be an axis"),
        ("a\n1\n1\n", "points 0 and 1 are the same"),
    ] {
        let fault = of(design).unwrap_err().to_string();
        assert!(fault.contains(expected), "{design:?}: {fault}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
