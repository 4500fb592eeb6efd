"""Receptors that pair up on a membrane: a model built, run and evaluated in Python."""

import jostle
from jostle import Bind, Convert, Species

model = jostle.Model(
    title="Receptors that pair up",
    space=dict(dimension=2, edges="500 nm", boundary="periodic"),
    run=dict(timestep="1 us", until="50 ms", seed=7),
    species=[
        Species(
            "Receptor",
            states=["bare", "phosphorylated"],
            radius="2.5 nm",
            diffusion="0.05 um^2/s",
            count={"bare": 45},
        )
    ],
    rules=[
        Bind("pair_up", on=["Receptor", "Receptor"], merge="bond", rate="0.0056 um^2/s", unbind="0.1 /s"),
        Convert(
            "phosphorylate",
            on="Receptor{bare}",
            products=["Receptor{phosphorylated}"],
            cluster_size="2..",
            rate="0.5 /s",
        ),
    ],
    output=dict(frames=100, log="reactions"),
)  # or jostle.load("receptors.toml", set={"run.seed": 8})
for warning in model.check().warnings:
    print(warning)
model.save("receptors.toml")  # the same text that `jostle run` takes: nothing is Python's alone

run = model.run(out="receptors.h5md", threads=1)  # Ctrl-C keeps file and checkpoint
sizes = run.sizes(start="10 ms")  # as `jostle analyse`, with errors
rates = run.rates()  # a table, for pandas, polars and others
print(rates.to_pandas()[["rule", "k", "k_low", "k_high", "unit"]])
bound = run.contacts(outcome="bound", group_by="time", every="1 ms").to_polars()
last = run.frames[-1]
print(last.time_us, last.positions.shape, last.species[:5])  # numpy


def live(view):  # every 5 ms of model time
    print(f"{view.time_us / 1e3:.0f} ms, largest cluster {view.largest_cluster}")


again = model.replace(run={"seed": 8}).run(out="second.h5md", every=("5 ms", live), overwrite=True)
assert jostle.rerun("receptors.h5md").equal  # to the bit
