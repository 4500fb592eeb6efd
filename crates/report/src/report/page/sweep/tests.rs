//! Pages about sweeps of which some runs are done, failed or missing.

use jostle_analysis::Table;
use jostle_sweep::{MemberResult, NamedTable, Outcome, Plan, write_members};

use super::super::super::merged::tests::plan_of;
use super::*;

/// Writes what a task of one run came to.
fn finish(plan: &Plan, folder: &Path, task: usize, outcome: Outcome) {
    let member = MemberResult::new(plan.member(task), outcome);
    write_members(&plan.result_path(folder, task), &[member]).unwrap();
}

fn counts(mean: f64) -> Outcome {
    let mut counts = Table::new(&["species", "mean", "std. error"]);
    counts.push(vec!["<u>A</u>".into(), mean.into(), 0.125.into()]);
    let mut series = Table::new(&["time (µs)", "<u>A</u>"]);
    for time in [0.0, 1.0] {
        series.push(vec![time.into(), (mean + time).into()]);
    }
    let tables = [("counts", counts), ("counts_over_time", series)];
    Outcome::Tables(tables.map(|(name, table)| NamedTable::new("", name, &table)).to_vec())
}

#[test]
fn a_page_tells_what_was_planned_what_came_of_it_and_what_failed() {
    let (outer, mut plan) = plan_of(&[
        &[("rule.<s>.rate", "1 nm^3/us")],
        &[("rule.<s>.rate", "10 nm^3/us")],
        &[("rule.<s>.rate", "100 nm^3/us")],
    ]);
    let folder = &outer.path().join("sweep");
    for task in 0..5 {
        finish(&plan, folder, task, counts(10.0 + task as f64));
    }
    finish(&plan, folder, 5, Outcome::Failed("no room for <script>".into()));
    let kept = plan.kept_path(folder, plan.member(0));
    std::fs::create_dir_all(kept.parent().unwrap()).unwrap();
    std::fs::write(&kept, "").unwrap();
    plan.add(&[(2, 1)], folder).unwrap();
    let page = sweep_page(&plan, folder, &outer.path().join("page.html")).unwrap();
    let html = &page.html;
    let has = |text: &str| assert!(html.contains(text), "{text} is not in {html}");
    assert!(page.notes[0].starts_with("4 of 10 runs have not been done"), "{:?}", page.notes);
    assert_eq!(page.notes[1], "1 of 10 runs failed, and are left out.");
    assert!(page.notes[2].starts_with("Replicas were added in 1 round."), "{:?}", page.notes);
    assert_eq!(page.notes.len(), 3);
    has("<td class=\"number\">2</td><td>100 nm^3/us</td>");
    has("<a href=\"sweep/kept/p00000_r0000.h5md\">p00000_r0000.h5md</a>");
    has("<td class=\"number\">11.00 ± 0.58</td>");
    // What runs state of their own errors would stand beside those between them.
    assert!(!html.contains("std. error") && !html.contains("0.125"), "{html}");
    has("no room for &lt;script&gt;");
    has("id=\"figure-counts-mean\"");
    has("id=\"figure-counts_over_time-u_a_per_u\"");
    has("3 of each point at first, 3 to 4 in the end, added in 1 round");
    has("title = &quot;&lt;i&gt;crowd&lt;/i&gt;&quot;");
    has("rate = 10 nm³/µs");
    for tag in ["<script", "<u>", "<i>", "<s>", "src=\"http", "url("] {
        assert!(!html.contains(tag), "{tag}");
    }
}

#[test]
fn a_sweep_of_which_nothing_has_been_done_has_a_page() {
    let (outer, plan) = plan_of(&[&[]]);
    let page = sweep_page(&plan, &outer.path().join("sweep"), Path::new("page.html")).unwrap();
    assert_eq!(
        page.notes,
        ["3 of 3 runs have not been done: the page shows what was there when it was made."]
    );
    assert!(page.html.contains("measures nothing") && page.html.contains("an ensemble of a.toml"));
    assert!(!page.html.contains("id=\"failures\""));
}

#[test]
fn of_single_replicas_no_interval_is_known() {
    let (outer, plan) = plan_of(&[&[("a", "1")], &[("a", "2")]]);
    let folder = &outer.path().join("sweep");
    finish(&plan, folder, 0, counts(1.0));
    finish(&plan, folder, 3, counts(2.0));
    let page = sweep_page(&plan, folder, Path::new("page.html")).unwrap();
    assert!(page.notes[1].contains("there are no intervals"), "{:?}", page.notes);
}
