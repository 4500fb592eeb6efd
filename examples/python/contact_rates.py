"""How often do two species touch, over time, and how sure is that?

    python contact_rates.py run.h5md [--bins 20] [--plot contact_rates.png]

Prints a table with a row for each pair of species and bin of time: contacts per µs, with a standard error
that allows for bursts. Bounces are in it if they are in the log (log = "all").
"""

import argparse

import h5py
import numpy
import pandas

HEADS = ["species", "partner", "from_us", "to_us", "contacts", "rate_per_us", "std_error_per_us"]
PARTS = 256  # of each bin, counted on their own to see how much counts scatter


def contacts(path):
    """The two species of each contact and its time in µs, and the time of the run's end."""
    with h5py.File(path, swmr=True) as file:
        log, index = file["events/contacts"][:], file["events/contacts_index"][:]
        names = numpy.append(file["parameters/species/name"].asstr()[:], "wall")  # 65535: a face of the box
        step = numpy.repeat(index["step"], numpy.diff(index["first"].astype(int), append=len(log)))
        timestep = file["parameters/timestep"][0] / 1000
        last = max(file["observables/count/step"][-1], file["runs/log"]["step"].max())
        a, b = names[numpy.minimum([log["species_a"], log["species_b"]], len(names) - 1)]
        pair = numpy.where((a > b) & (b != "wall"), [b, a], [a, b])
        table = pandas.DataFrame(pair.T, columns=HEADS[:2])
        return table.assign(time=(step + log["time"]) * timestep), last * timestep


def blocked(samples):
    """The standard error of the mean of a series with a memory: neighbours are averaged until blocks are
    longer than it (Flyvbjerg & Petersen 1989; where to stop: Lee et al. 2011)."""
    blocks, errors = samples, []
    while len(blocks) >= 8:
        errors.append(numpy.std(blocks, ddof=1) / len(blocks) ** 0.5)
        length = len(samples) // len(blocks)
        if length**3 * errors[0] ** 4 > 2 * len(samples) * errors[-1] ** 4:
            return max(errors[0], errors[-1])
        blocks = blocks[: len(blocks) // 2 * 2].reshape(-1, 2).mean(axis=1)
    return max(errors)


def contact_rates(path, bins):
    """Contacts per µs of each pair of species in each bin of time, with standard errors."""
    (log, end), rows = contacts(path), []
    for pair, found in log.groupby(HEADS[:2]):
        counts, edges = numpy.histogram(found["time"], bins * PARTS, (0, end))
        for k, parts in enumerate(counts.reshape(bins, PARTS)):
            ends, part = edges[[k * PARTS, (k + 1) * PARTS]], end / (bins * PARTS)
            rows.append((*pair, *ends, parts.sum(), parts.mean() / part, blocked(parts) / part))
    return pandas.DataFrame(rows, columns=HEADS)


def draw(table, picture):
    import matplotlib.pyplot as plt

    plt.style.use("tableau-colorblind10")
    figure, axes = plt.subplots()
    for pair, rates in table.groupby(HEADS[:2]):
        middle, rate, error = rates[HEADS[2:4]].mean(axis=1), rates[HEADS[5]], rates[HEADS[6]]
        axes.errorbar(middle, rate, error, fmt="o-", label=" and ".join(pair))
    axes.set(xlabel="time (µs)", ylabel="contacts per µs", ylim=(0, None))
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(picture, dpi=150, bbox_inches="tight")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="a file that jostle wrote, or is writing")
    parser.add_argument("--bins", type=int, default=20, help="of time")
    parser.add_argument("--plot", metavar="PICTURE", help="draw it, too")
    options = parser.parse_args()
    table = contact_rates(options.file, options.bins)
    print(table.to_csv(index=False), end="")
    if options.plot:
        draw(table, options.plot)
