//! Messages of the program, in words of Python.

/// The options that messages may name.
const OPTIONS: &[&str] = &[
    "species",
    "from",
    "to",
    "bins",
    "max",
    "along",
    "distance",
    "place",
    "meets",
    "pattern",
    "inside",
    "outside",
    "above",
    "below",
    "time",
    "id",
    "pair",
    "between",
    "outcome",
    "rule",
    "wall",
    "cluster",
    "count",
    "group-by",
    "every",
    "having",
    "sort",
    "histogram",
    "of",
    "axes",
    "limit",
    "frames",
    "frame",
    "colour",
    "magnify",
    "part",
    "forces",
    "unwrap",
    "length-unit",
    "force",
    "steps",
    "until",
    "set",
    "out",
    "checkpoint",
    "changed",
    "threads",
];

/// A message in which options are called as in Python: `start` instead of `--from <TIME>`.
pub(crate) fn in_python(text: &str) -> String {
    let text = text.replace("--to <FORMAT>", "format").replace("--to FORMAT", "format");
    let mut parts = text.split("--");
    let mut said = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let length = part.find(|c: char| !c.is_ascii_lowercase() && c != '-');
        let (name, mut rest) = part.split_at(length.unwrap_or(part.len()));
        if !OPTIONS.contains(&name) {
            said = said + "--" + part;
            continue;
        }
        while let Some((_, after)) = rest.strip_prefix(" <").and_then(|at| at.split_once('>')) {
            rest = after;
        }
        match name {
            "from" => said += "start",
            "to" => said += "end",
            "force" => said += "overwrite=True",
            "changed" => said += "changed=True",
            name => said += &name.replace('-', "_"),
        }
        // `--steps 500` is `steps=500`.
        let number =
            rest.strip_prefix(' ').filter(|at| at.starts_with(|c: char| c.is_ascii_digit()));
        said += &number.map_or(rest.to_owned(), |number| format!("={number}"));
    }
    said
}
