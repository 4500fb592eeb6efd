"""How many particles of each species are there over time?

    python populations.py run.h5md [--plot populations.png]

Prints a table with a row for each frame: the time in µs, then a column for each species.
"""

import argparse

import h5py
import pandas


def populations(path):
    """The number of particles of each species (columns) at each time in µs (index)."""
    with h5py.File(path, swmr=True) as file:
        count = file["observables/count"]
        time = pandas.Index(count["time"][:] / 1000, name="time_us")
        return pandas.DataFrame(count["value"][: len(time)], time, count["value"].attrs["species"])


def draw(table, picture):
    import matplotlib.pyplot as plt

    plt.style.use("tableau-colorblind10")
    axes = table.plot(drawstyle="steps-post", xlabel="time (µs)", ylabel="bodies")
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.set_ylim(bottom=0)
    plt.savefig(picture, dpi=150, bbox_inches="tight")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", help="a file that jostle wrote, or is writing")
    parser.add_argument("--plot", metavar="PICTURE", help="draw it, too")
    options = parser.parse_args()
    table = populations(options.file)
    print(table.to_csv(), end="")
    if options.plot:
        draw(table, options.plot)
