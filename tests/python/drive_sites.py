"""Drives the report of a run whose particles have sites in Chromium, and says what does not hold.

    drive_sites.py PAGE.html FILE.h5md WebGL|Canvas2D

See drive_report.py, of which this uses what all pages have in common. Orientations may be off by 0.2
degrees, everything else is exact.
"""

import sys

import h5py
import numpy

from drive_report import check, check_controls, check_frames, check_silence, opened


def sites_of(file):
    """The sites of each species, in their order: name, states, direction (or None), and its first bit."""
    table = file["parameters/sites"]
    sites = {}
    for n, species in enumerate(table["species"][:]):
        states = [state for state in table["states"].asstr()[n].split("~") if state]
        points = numpy.isfinite(table["opening"][n])
        sites.setdefault(int(species), []).append({
            "name": table["name"].asstr()[n], "states": states, "bit": int(table["bound_bit"][n]),
            "direction": table["direction"][n] if points else None})
    return sites


def rotated(quaternion, vector):
    """A vector, turned by a quaternion (w, x, y, z)."""
    w, v = quaternion[0], quaternion[1:]
    return vector + 2 * numpy.cross(v, numpy.cross(v, vector) + w * vector)


def state(name, sites, code):
    """What the player calls the state of a site by this name."""
    for site in sites:
        if site["name"] == name:
            if not site["states"]:
                return f"{name} bound" if code >> site["bit"] & 1 else f"{name} free"
            bits = (len(site["states"]) - 1).bit_length()
            return f"{name}~{site['states'][code >> site['bit'] + 1 & (1 << bits) - 1]}"
    return f"without {name}"


def check_sites(browser, file):
    """Where sites point, and their states, are those of the file in every frame."""
    particles, sites = file["particles/trajectory"], sites_of(file)
    species = particles["species"][:]
    if species.ndim > 1:
        species = species[0]
    told = browser.run("return jostle.film.head.sites.states")
    numbers, states_seen = list(range(len(particles["id/value"]))), set()
    for number in numbers + numbers[::-3]:
        seen = browser.run("""
            await jostle.player.show(given[0]);
            const { sites, ids } = jostle.film;
            const slots = [...ids].map((_, slot) => slot);
            return { directions: slots.map((slot) => sites.directions(slot)),
                     classes: slots.map((slot) => sites.head.states.map((_, n) => sites.classOf(slot, n))) };
            """, number)
        ids, codes = particles["id/value"][number], particles["sites/value"][number]
        for slot in numpy.flatnonzero(ids >= 0):
            own = sites.get(int(species[slot]), [])
            for k, site in enumerate(told):
                found = site["classes"][seen["classes"][slot][k]]
                expected = state(site["site"], own, int(codes[slot]))
                check(found == expected, f"frame {number}, slot {slot}: {found} is not {expected}")
                states_seen.add(found)
            turned = particles["orientation/value"][number, slot].astype(float)
            expected = [rotated(turned, site["direction"]) for site in own if site["direction"] is not None]
            directions = numpy.array(seen["directions"][slot]).reshape(-1, 3)
            check(len(directions) == len(expected), f"slot {slot} has {len(directions)} patches")
            for one, other in zip(directions, expected):
                off = numpy.degrees(numpy.linalg.norm(one - other))
                check(off < 0.2, f"frame {number}, slot {slot}: {one} is not {other}, by {off} degrees")
    check(len(states_seen) >= 8, f"only {sorted(states_seen)} occur")


def clear_sites(browser):
    """Particles, one a frame, whose first site is seen from where it points, and whose back is seen from behind."""
    return browser.run("""
        const { film, stage } = jostle;
        const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
        const found = [];
        for (let frame = film.length - 1; frame >= 0 && found.length < 5; frame--) {
            await jostle.player.show(frame);
            for (let slot = 0; slot < film.ids.length; slot++) {
                const [axis] = film.ids[slot] < 0 || film.sizes[slot] > 1 ? [] : film.sites.directions(slot);
                if (!axis) continue;
                const here = stage.scene.place(slot);
                let clear = true;
                stage.scene.forEach((x, y, z, radius, _, other) => {
                    const there = [x, y, z].map((u, k) => u - here[k]);
                    const along = film.head.dimension < 3 ? 0 : dot(there, axis);
                    const apart = Math.sqrt(dot(there, there) - along * along);
                    if (other !== slot && apart < 1.1 * radius + film.radii[slot]) clear = false;
                });
                for (let k = 0; k < film.head.dimension; k++) {
                    if (Math.min(here[k], film.head.span[k] - here[k]) < 2 * film.radii[slot]) clear = false;
                }
                if (!clear) continue;
                found.push({ frame, slot, axis, colour: [...stage.scene.colours.subarray(4 * slot, 4 * slot + 3)] });
                break;
            }
        }
        return found;""")


def looked_at(browser, particle, way, radius):
    """The colour where the axis of a particle, or its opposite, comes out; the particle so large [px]."""
    browser.run("""
        const [{ frame, slot, axis }, way, radius] = given;
        const { film, stage } = jostle;
        await jostle.player.show(frame);
        const { camera } = stage;
        const here = stage.scene.place(slot);
        let point = here;
        if (camera.flat) {
            point = here.map((x, k) => x + 0.75 * way * film.radii[slot] * axis[k]);
        } else {
            const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
            camera.towards = axis.map((x) => way * x);
            const aside = cross(camera.towards, Math.abs(axis[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]);
            camera.right = aside.map((x) => x / Math.hypot(...aside));
            camera.up = cross(camera.towards, camera.right);
        }
        // In the middle of the box, so that haze is the same from both sides.
        camera.middle = point;
        camera.pan = [0, 0];
        camera.scale = radius / film.radii[slot];
        stage.ask();""", particle, way, radius)
    picture = browser.picture()
    return picture[picture.shape[0] // 2, picture.shape[1] // 2].astype(int)


def check_patches(browser, flat):
    """There is a patch where a site points, near and far, and none on the other side."""
    browser.click("input[value='species']")
    particles = clear_sites(browser)
    check(len(particles) > 2, "hardly a site is in full sight")
    middle = browser.run("return jostle.stage.camera.middle")
    # Small ones are points for WebGL, large ones squares.
    for particle, radius in [(particle, radius) for particle in particles for radius in (30, 3000)]:
        body = numpy.array(particle["colour"])
        patch = body + 0.6 * (34 - body)
        there, behind = (looked_at(browser, particle, way, radius) for way in (1, -1))
        if flat:
            check(abs(there - patch).max() <= 2, f"{there} is not the patch's {patch} at {radius} px")
            check(abs(behind - body).max() <= 2, f"{behind} is not the particle's {body} at {radius} px")
        check((behind - there).max() > 45, f"{there} at a site and {behind} behind it at {radius} px")
    browser.run("jostle.stage.camera.middle = given[0]; jostle.stage.camera.reset(); jostle.stage.ask();", middle)


def check_colours(browser):
    """Each site has a key of its own, whose classes are its states."""
    for number, site in enumerate(browser.run("return jostle.film.head.sites.states")):
        browser.click(f"input[value='state of {site['site']}']")
        labels = browser.run("""
            const entries = document.querySelectorAll(".classes button span:first-of-type");
            return [...entries].map((entry) => entry.textContent);""")
        check(labels[:len(site["classes"])] == site["classes"], f"the legend has {labels}, not {site['classes']}")
        counts = browser.run("""
            const { film, stage } = jostle;
            const found = stage.key.classes.map(() => 0);
            film.ids.forEach((id, slot) => { if (id >= 0) found[film.sites.classOf(slot, given[0])]++; });
            return [found, stage.counts];""", number)
        check(counts[0] == counts[1], f"{counts} in the states of {site['site']}")
    slot = browser.run("""
        const { ids, sites } = jostle.film;
        return ids.findIndex((id, slot) => id >= 0 && sites.directions(slot).length);""")
    browser.run("jostle.player.choose(given[0])", slot)
    about = browser.text(".card .about")
    check("head free" in about or "head bound" in about, f"the card says {about}")
    browser.click(".let-go")


def main(page, file, drawer):
    with opened(page, drawer) as (browser, address):
        name = browser.run("return jostle.stage.drawer.name")
        check(name.replace(" ", "") == drawer, f"{name} draws, not {drawer}")
        with h5py.File(file) as content:
            check_frames(browser, content)
            check_sites(browser, content)
            check_controls(browser, len(content["particles/trajectory/position/value"]))
            check_patches(browser, content["parameters/dimension"][()] < 3)
        check_colours(browser)
        check_silence(browser, address)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        sys.exit(f"{sys.argv[1]}, {sys.argv[3]}: {error}")
