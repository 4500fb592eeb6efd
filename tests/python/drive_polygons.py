"""Drives the report of a polygon run in Chromium, and says what does not hold.

    drive_polygons.py PAGE.html FILE.h5md WebGL|Canvas2D [alone]

`alone`: the file has one body, a rectangle of 10 mm by 6 mm, whose pixels are looked at. See
drive_report.py, of which this uses what all pages have in common.
"""

import sys

import h5py
import numpy

from drive_report import check, check_controls, check_frames, check_silence
from drive_report import differing, opened


def check_outlines(browser, file):
    """Angles, walls and forces of every frame are those of the file."""
    bodies, walls, forces = file["particles/trajectory"], file["particles/walls"], file["events/forces"]
    shapes = browser.run("return [...jostle.film.outlines.shapeOf]")
    check(shapes == list(bodies["shape"][:]), "the shapes of the bodies")
    for number in range(len(bodies["position/value"])):
        seen = browser.run("""
            await jostle.player.show(given[0]);
            const { outlines, ids } = jostle.film;
            return { angles: [...ids].map((_, slot) => outlines.angle(slot)), walls: outlines.walls,
                     ends: [...outlines.forces.ends], strengths: [...outlines.forces.strengths] };
            """, number)
        off = numpy.array(seen["angles"]) - bodies["orientation/value"][number]
        off = abs(off - 2 * numpy.pi * numpy.round(off / (2 * numpy.pi))).max()
        check(off <= numpy.pi / 65536 * (1 + 1e-6), f"frame {number}: angles are off by {off}")
        there = [wall["there"] for wall in seen["walls"]]
        check(there == list(walls["present/value"][number] != 0), f"frame {number}: walls {there}")
        for k, name in enumerate("xy"):
            places = numpy.array([wall[name] for wall in seen["walls"]])
            check(abs(places - walls["position/value"][number, :, k]).max() < 16, f"frame {number}: walls' {name}")

        first, last = forces["first"][number:number + 2]
        force, normal = forces["force"][first:last].astype(float), forces["normal"][first:last].astype(float)
        pressing = -(force * normal).sum(axis=1)
        strength = numpy.clip(numpy.floor(32 * pressing / pressing.mean() + 0.5), 0, 255)
        drawn = strength > 0
        check(len(seen["strengths"]) == drawn.sum(), f"frame {number}: {len(seen['strengths'])} forces")
        check(abs(numpy.array(seen["strengths"]) - strength[drawn]).max() <= 1, f"frame {number}: strengths")
        ends = numpy.array(seen["ends"]).reshape(-1, 4)
        against = forces["against"][first:last][drawn]
        check((ends[:, 0] == forces["body"][first:last][drawn]).all(), f"frame {number}: bodies that press")
        check((ends[:, 1] == numpy.where(against < 0, -1, against)).all(), f"frame {number}: whom they press")
        radius = bodies["radius"][:][ends[:, 0]][:, None]
        arm = numpy.clip(forces["arm"][first:last][drawn] / radius, -1, 1)
        off = abs(ends[:, 2:] / 127 - arm)[against < 0]
        check((off <= 0.5 / 127 + 1e-3).all(), f"frame {number}: where walls are pressed")


def check_switch(browser):
    """The switch shows forces, and hides them."""
    browser.run("await jostle.player.show(0)")
    before = browser.picture()
    browser.click(".forces")
    check(differing(before, browser.picture()) > 50, "the switch shows no forces")
    browser.click(".forces")
    check(differing(before, browser.picture()) == 0, "the switch does not hide the forces")


def check_pixels(browser, ground_at):
    """A rectangle is where its corners are, and not where the circle around them is."""
    browser.run("await jostle.player.show(0); jostle.stage.camera.reset(); jostle.stage.ask();")
    picture = browser.picture()

    def colour(across, up):
        x, y = browser.run("""
            const { film, stage } = jostle;
            const [s, c] = [Math.sin(film.outlines.angle(0)), Math.cos(film.outlines.angle(0))];
            const [u, v] = given.map((x) => 1e6 * x);
            const place = [film.place(0, 0) + c * u - s * v, film.place(0, 1) + s * u + c * v, 0];
            return stage.camera.project(...place).slice(0, 2);""", across, up)
        return picture[round(y), round(x)].astype(int)

    body = browser.run("return [...jostle.stage.scene.colours.subarray(0, 3)]")
    for across, up in [(0, 0), (4, 2), (-4, 2), (4, -2), (-4, -2)]:
        check(abs(colour(across, up) - body).max() <= 2, f"({across}, {up}) mm is not {body}")
    for across, up in [(0, 4.5), (5.7, 0), (5, 4)]:
        check(abs(colour(across, up) - ground_at(picture)).max() <= 2, f"({across}, {up}) mm is not empty")


def main(page, file, drawer, alone=None):
    with opened(page, drawer) as (browser, address):
        with h5py.File(file) as content:
            check_frames(browser, content)
            check_outlines(browser, content)
            check_controls(browser, len(content["particles/trajectory/position/value"]))
        check_switch(browser)
        if alone:
            check_pixels(browser, lambda picture: picture[2, picture.shape[1] // 2].astype(int))
        figures = browser.run("return [...document.querySelectorAll('figure h3')].map((h) => h.textContent)")
        for heading in ["Force network", "Normal forces", "Contacts", "Stress", "Energy"]:
            check(heading in figures, f"there is no figure {heading}: {figures}")
        check_silence(browser, address)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        sys.exit(f"{sys.argv[1]}, {sys.argv[3]}: {error}")
