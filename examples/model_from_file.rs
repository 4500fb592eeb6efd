//! A model from a file, run into a file, and read back: how clusters of receptors grow.
//!
//! The same as `jostle run` and `jostle analyse`, for programs that want to resume from there.
//!
//! cargo run --example model_from_file

use std::sync::atomic::AtomicBool;

use jostle::analysis;
use jostle::model;
use jostle::run::{Options, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Any key of the model can be set on top of the file: here a smaller patch of membrane, with
    // the same density of receptors, and a shorter time.
    let set = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let overrides = [
        set("space.edges", "500 nm"),
        set("species.EGFR.count", "179"),
        set("run.until", "10 ms"),
        set("output.every", "1 ms"),
    ];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/egfr_clustering.toml");
    let model = model::load(path.as_ref(), &overrides)?;

    let out = std::env::temp_dir().join(format!("jostle_example_{}.h5md", std::process::id()));
    let never = AtomicBool::new(false);
    let options = Options {
        out: Some(&out),
        force: true,
        self_check: false,
        stop: &never,
        progress: &mut |_| (),
        checkpoints: Default::default(),
    };
    let summary = run(&model, options)?;
    println!("{} contacts", summary.account.contacts);
    for (rule, rule_counts) in &summary.rule_counts {
        println!("{rule}: {} times", rule_counts.done);
    }

    let file = analysis::open(&out)?;
    println!("time (ms)  clusters  mean size  largest");
    for frame in analysis::cluster_sizes(&file, &analysis::Scope::default())?.frames {
        let (clusters, mean, largest) = (frame.count(), frame.mean(), frame.largest());
        println!("{:9}  {clusters:8}  {mean:9.2}  {largest:7}", frame.time / 1000.0);
    }
    drop(file);
    std::fs::remove_file(out)?;
    Ok(())
}
