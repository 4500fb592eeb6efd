"""Drives the report of a shaken granular run in Chromium: in every frame the walls are where the balls
let them be, and they move.

    drive_mill.py PAGE.html FILE.h5md WebGL|Canvas2D

See drive_report.py, of which this uses what all pages have in common.
"""

import sys

import h5py
import numpy

from drive_report import check, check_silence, opened


def check_walls(browser, file):
    """The walls move up and down together, and all balls are between them."""
    balls = file["particles/trajectory"]
    dimension = browser.run("return jostle.film.head.dimension")
    places, radii = balls["position/value"][:, :, :dimension], balls["radius"][:]
    up = dimension - 1
    edges = balls["box/edges/value"][0][:dimension]
    heights = []
    for number in range(len(places)):
        seen = browser.run("""
            await jostle.player.show(given[0]);
            return [...jostle.stage.scene.frame];""", number)
        ends = numpy.array(seen).reshape(-1, 4)[:, :dimension]
        low, high = ends.min(axis=0), ends.max(axis=0)
        check(numpy.allclose(high - low, edges, rtol=1e-3), f"frame {number}: walls {low} to {high}")
        heights.append(low[up])
        over = (places[number] + radii[:, None] - high).max(), (low - places[number] + radii[:, None]).max()
        check(max(over) < 1e-5 * edges.max(), f"frame {number}: balls are beyond the walls by {over} nm")
    check(numpy.ptp(heights) > 0.1 * radii.max(), f"the walls do not move: {heights}")


def main(page, path, drawer):
    with opened(page, drawer) as (browser, address):
        with h5py.File(path) as file:
            check_walls(browser, file)
        check_silence(browser, address)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        sys.exit(f"{sys.argv[1]}, {sys.argv[3]}: {error}")
