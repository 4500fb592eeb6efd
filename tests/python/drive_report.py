"""Drives a report in Chromium as a reader would, and says what does not hold.

    drive_report.py PAGE.html FILE.h5md WebGL|Canvas2D

Speaks WebDriver (W3C) with chromedriver over HTTP; h5py reads the same file for comparison. All checks
are exact but one: places on the page are whole quanta, and may be off by half of one.
"""

import base64
import json
import re
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zlib
from contextlib import contextmanager

import h5py
import numpy

FLAGS = [
    "--headless=new", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions",
    "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1200,900",
]
DRAWERS = {
    "WebGL": ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    "Canvas2D": ["--disable-gpu", "--disable-3d-apis"],
}
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """Chromium with one page, and its driver."""

    def __init__(self, flags):
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        for line in self.driver.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.root = f"http://127.0.0.1:{found[1]}"
                break
        options = {"args": flags + [f"--user-data-dir={self.profile.name}"]}
        wanted = {"goog:chromeOptions": options,
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        session = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.root += f"/session/{session['sessionId']}"

    def call(self, method, path, particle=None):
        data = None if particle is None else json.dumps(particle).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"},
                                         method=method)
        # Nothing on this machine is reached through a proxy.
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            return json.load(opener.open(request, timeout=120))["value"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.read().decode()[:1000]}") from error

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.profile.cleanup()

    def run(self, script, *arguments):
        """The value of a function particle that may await."""
        wrapped = ("const done = arguments[arguments.length - 1]; const given = [...arguments];"
                   f"(async () => {{ {script} }})().then(done, (e) => done('error: ' + e.stack));")
        value = self.call("POST", "/execute/async", {"script": wrapped, "args": list(arguments)})
        assert not (isinstance(value, str) and value.startswith("error: ")), value
        return value

    def find(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return f"/element/{found[ELEMENT]}"

    def click(self, selector):
        self.call("POST", self.find(selector) + "/click", {})

    def text(self, selector):
        return self.run("return document.querySelector(given[0]).textContent", selector)

    def keys(self, selector, keys):
        self.call("POST", self.find(selector) + "/value", {"text": keys})

    def act(self, kind, actions, parameters=None):
        source = {"type": kind, "id": kind, "actions": actions}
        if parameters:
            source["parameters"] = parameters
        self.call("POST", "/actions", {"actions": [source]})

    def devtools(self, command, parameters):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind):
        return self.call("POST", "/se/log", {"type": kind})

    def picture(self):
        """The screen of the player as the reader sees it. [row][column][red, green, blue]"""
        self.settle()
        clip = self.run("""
            const { x, y, width, height } = document.querySelector("#player canvas").getBoundingClientRect();
            return { x: x + scrollX, y: y + scrollY, width, height, scale: 1 };""")
        # For speed it encodes with the filters that numpy undoes at once.
        shot = {"format": "png", "optimizeForSpeed": True, "clip": clip}
        return pixels(base64.b64decode(self.devtools("Page.captureScreenshot", shot)["data"]))

    def settle(self):
        """Waits until what was asked for has been drawn and is on the screen."""
        self.run("await new Promise((f) => requestAnimationFrame(() => requestAnimationFrame(f)));")


def pixels(png):
    """A PNG of 8 bits without interlace as an array (PNG specification, sections 7 and 9)."""
    at, data = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colours = struct.unpack(">IIBB", png[at + 8:at + 18])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += length + 12
    assert depth == 8 and colours in (2, 6), (depth, colours)
    step = 3 if colours == 2 else 4
    rows = numpy.frombuffer(zlib.decompress(data), numpy.uint8).reshape(height, 1 + width * step)
    image = numpy.zeros((height + 1, width + 1, step), numpy.int32)
    for y, row in enumerate(rows, 1):
        line, above = row[1:].astype(numpy.int32).reshape(width, step), image[y - 1]
        if row[0] == 0:
            image[y, 1:] = line
        elif row[0] == 1:
            image[y, 1:] = numpy.cumsum(line, axis=0) % 256
        elif row[0] == 2:
            image[y, 1:] = (line + above[1:]) % 256
        else:
            for x in range(1, width + 1):
                a, b, c = image[y, x - 1], above[x], above[x - 1]
                if row[0] == 3:
                    guess = (a + b) // 2
                else:
                    pa, pb, pc = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                    guess = numpy.where((pa <= pb) & (pa <= pc), a, numpy.where(pb <= pc, b, c))
                image[y, x] = (line[x - 1] + guess) % 256
    return image[1:, 1:, :3]


def differing(a, b):
    """How many pixels differ by more than the last digits, labels and buttons above and below left out."""
    return int((numpy.abs(a - b)[50:-50].max(axis=2) > 8).sum())


def check(holds, what):
    if not holds:
        raise AssertionError(what)


def wait_for(holds, what):
    end = time.monotonic() + 30
    while not holds():
        check(time.monotonic() < end, f"in vain: {what}")
        time.sleep(0.05)


def check_frames(browser, file):
    """Every frame on the page is what is in the file."""
    particles = file["particles/trajectory"]
    head = browser.run("return {...jostle.film.head, radii: '', slotSpecies: ''}")
    axes = head["dimension"]
    edges = particles["box/edges/value"][0][:axes]
    half = numpy.array(head["span"][:axes]) / 2 ** head["bits"] / 2 * (1 + 1e-6)
    check(len(head["frames"]) == len(particles["position/value"]), "frames are missing")
    # There and back, so that frames are also reached by a jump.
    numbers = list(range(len(head["frames"])))
    for number in numbers + numbers[::-3]:
        seen = browser.run("""
            await jostle.player.show(given[0]);
            const { film } = jostle;
            const axes = [...Array(film.head.dimension).keys()];
            const places = [...film.ids].map((_, slot) => axes.map((axis) => film.place(slot, axis)));
            return { places, ids: [...film.ids], clusters: [...film.clusters], bonds: [...film.bonds] };
            """, number)
        ids = particles["id/value"][number]
        there = ids >= 0
        check((numpy.array(seen["ids"]) == ids).all(), f"frame {number}: {seen['ids']} is not {ids}")
        clusters = particles["cluster/value"][number]
        check((numpy.array(seen["clusters"])[there] == clusters[there]).all(), f"frame {number}: clusters")
        off = numpy.array(seen["places"])[there] - particles["position/value"][number][there][:, :axes]
        off -= edges * numpy.round(off / edges)
        check((abs(off) <= half).all(), f"frame {number}: places are off by {abs(off).max()}")
        bonds = file["connectivity/bonds/value"][number]
        bonds = sorted(map(tuple, bonds[bonds[:, 0] >= 0]))
        check(sorted(zip(seen["bonds"][::2], seen["bonds"][1::2])) == bonds, f"frame {number}: bonds")


def check_controls(browser, frames):
    """Buttons, bar and keys lead to the frames that they should."""
    number = lambda: int(browser.text(".number"))
    browser.click(".first")
    wait_for(lambda: number() == 1, "the first frame")
    browser.click(".play")
    wait_for(lambda: number() > 2, "the counter moves while playing")
    browser.click(".play")
    stopped = number()
    time.sleep(0.4)
    check(number() == stopped, "it plays on after a stop")
    browser.click(".last")
    wait_for(lambda: number() == frames, "the last frame")
    last = browser.picture()
    browser.click(".back")
    wait_for(lambda: number() == frames - 1, "one frame back")
    check(differing(last, browser.picture()) > 20, "two frames look the same")
    browser.run("""const bar = document.querySelector(".scrub"); bar.value = given[0];
        bar.dispatchEvent(new Event("input"));""", frames // 2)
    wait_for(lambda: number() == frames // 2 + 1, "the bar leads to a frame")
    check("t = " in browser.text(".time"), "the time of the frame is told")
    browser.keys(".screen", "\ue014")
    wait_for(lambda: number() == frames // 2 + 2, "the arrow leads to the next frame")
    browser.keys(".screen", "\ue010")
    wait_for(lambda: number() == frames, "the key End leads to the last frame")
    browser.keys(".screen", " ")
    wait_for(lambda: number() not in (1, frames), "the space bar plays, from the first frame on")
    browser.keys(".screen", " ")
    browser.keys(".screen", "\ue011")
    wait_for(lambda: number() == 1, "the key Home leads to the first frame")


def lone_body(browser):
    """A particle that no other comes near on the screen: slot, identity, species, place, class and colour."""
    return browser.run("""
        const { stage, film } = jostle;
        const seen = [];
        stage.scene.forEach((x, y, z, radius, colour, slot) => {
            const [across, down] = stage.camera.project(x, y, z);
            seen.push({ across, down, radius: radius * stage.camera.scale, colour: [...colour], slot });
        });
        const [width, height] = stage.camera.size;
        const apart = (a, b) => Math.hypot(a.across - b.across, a.down - b.down) - a.radius - b.radius;
        const inside = (a) => Math.min(a.across, width - a.across, a.down, height - a.down) > 60;
        const lone = (a) => a.radius > 3 && inside(a) && seen.every((b) => a === b || apart(a, b) > 8);
        const particle = seen.find(lone);
        return particle && { ...particle, id: film.ids[particle.slot], number: stage.key.classOf(particle.slot),
                         species: film.head.species[film.species[particle.slot]] };""")


def check_bodies(browser, flat):
    """What is under the pointer is told; the legend hides; colours, camera and size change the picture."""
    browser.run("await jostle.player.show(0); jostle.stage.camera.reset(); jostle.stage.ask();")
    browser.click("input[value='species']")
    particle = lone_body(browser)
    check(particle, "no particle stands by itself")
    whole = browser.picture()
    x, y = round(particle["across"]), round(particle["down"])
    ground = whole[2, whole.shape[1] // 2]
    if flat:
        check(abs(whole[y, x] - particle["colour"]).max() <= 2, f"{whole[y, x]} at a particle of {particle['colour']}")
    check(abs(whole[y, x] - ground).max() > 20, "there is no particle where one should be")

    left, top = browser.run("const r = document.querySelector('.screen').getBoundingClientRect(); return [r.x, r.y]")
    there = {"type": "pointerMove", "duration": 0, "x": round(left + particle["across"]), "y": round(top + particle["down"])}
    press, release = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
    browser.act("pointer", [there])
    wait_for(lambda: not browser.run("return document.querySelector('.tip').hidden"), "the hint at a particle")
    hint = browser.run("return [...document.querySelector('.tip').children].map((line) => line.textContent)")
    check(hint[:2] == [f"particle {particle['id']}", particle["species"]], f"{hint} at particle {particle}")
    browser.act("pointer", [there, press, release])
    wait_for(lambda: f"particle {particle['id']}" in browser.text(".card"), "the particle that was clicked")
    browser.click(".let-go")

    entry = f"[data-class='{particle['number']}']"
    count = int(browser.text(f"{entry} .count"))
    browser.click(entry)
    hidden = browser.picture()
    check(abs(hidden[y, x] - ground).max() <= 2, "the legend does not hide a particle")
    check(count > 0 and differing(whole, hidden) > 10 * count, "the legend hides too little")
    browser.click(entry)
    check(differing(whole, browser.picture()) == 0, "what was hidden does not come back")

    for key in browser.run("return jostle.stage.keys.map((key) => key.name).slice(1)"):
        browser.run("await jostle.player.show(jostle.film.length - 1)")
        browser.click("input[value='species']")
        before = browser.picture()
        browser.click(f"input[value='{key}']")
        check(differing(before, browser.picture()) > 20, f"colours by {key} are those by species")
    browser.run("await jostle.player.show(0)")
    browser.click("input[value='species']")

    scroll = {"type": "scroll", "duration": 0, "x": there["x"], "y": there["y"], "deltaX": 0, "deltaY": -300}
    away = {**there, "x": there["x"] + 60, "y": there["y"] + 25}
    size = "const s = document.querySelector('.size'); s.value = given[0]; s.onchange({ target: s })"
    browser.run("document.activeElement.blur()")
    scale = browser.run("return jostle.stage.camera.scale")
    browser.act("wheel", [scroll])
    check(browser.run("return jostle.stage.camera.scale") == scale, "the wheel zooms for those who only scroll")
    shown = "return getComputedStyle(document.querySelector('.hint')).opacity > 0"
    wait_for(lambda: browser.run(shown), "a hint how the wheel is used")
    wait_for(lambda: not browser.run(shown), "the end of the hint")
    browser.run("scrollTo(0, 0)")
    for what, deed in {
        "the button that zooms in": lambda: browser.click(".closer"),
        "the key that zooms out": lambda: browser.keys(".screen", "-"),
        "the wheel": lambda: browser.act("wheel", [scroll]),
        "a drag": lambda: browser.act("pointer", [there, press, away, release]),
        "two fingers": lambda: pinch(browser, there),
        "larger particles": lambda: browser.run(size, 2),
    }.items():
        browser.run("document.querySelector('.screen').focus()")
        deed()
        check(differing(whole, browser.picture()) > 50, f"{what} changes nothing")
        browser.run(size, 1)
        browser.click(".whole")
        check(differing(whole, browser.picture()) == 0, f"after {what}, the whole box is not as it was")
    turned = browser.run("""const before = jostle.stage.camera.yaw; jostle.stage.camera.rotate(50, 0);
        const after = jostle.stage.camera.yaw; jostle.stage.camera.reset(); return before !== after""")
    check(turned != flat, "a box turns if it has three dimensions, and only then")


def pinch(browser, there):
    finger = lambda name, way: {
        "type": "pointer", "id": name, "parameters": {"pointerType": "touch"},
        "actions": [{**there, "x": there["x"] + 20 * way}, {"type": "pointerDown", "button": 0},
                    {**there, "x": there["x"] + 60 * way, "duration": 50}, {"type": "pointerUp", "button": 0}],
    }
    browser.call("POST", "/actions", {"actions": [finger("one", -1), finger("two", 1)]})


def check_page(browser, file):
    """Title, figures and their numbers, paper, darkness, small screens."""
    title = file["parameters/title"].asstr()[()]
    check(browser.text("h1") == title, f"{browser.text('h1')} is not {title}")
    check(browser.run("return document.title") == " ".join(title.split()), "the title of the window")
    check(browser.run("return window.broken") is None, "text of the file was run as a script")
    figures = browser.run("""return [...document.querySelectorAll("figure")].map((f) => ({
        svg: f.querySelectorAll("svg text").length, caption: f.querySelector("figcaption p").textContent,
        data: atob(f.querySelector("a.data").href.split("base64,")[1]) }))""")
    check(len(figures) >= 4, f"only {len(figures)} figures")
    for figure in figures:
        check(figure["svg"] > 4 and len(figure["caption"]) > 20, f"a figure without text: {figure}")
        check(figure["data"].count("\n") > 1, f"a figure without numbers: {figure['data']}")

    shown = "return getComputedStyle(document.querySelector(given[0])).display !== 'none'"
    check(not browser.run(shown, ".still-frame"), "the picture for print is on the screen")
    browser.devtools("Emulation.setEmulatedMedia", {"media": "print"})
    check(browser.run(shown, ".still-frame") and not browser.run(shown, "#player"), "the player is on paper")
    loaded = "const i = document.querySelector('.still'); await i.decode(); return i.naturalWidth"
    check(browser.run(loaded) > 300, "there is no picture for print")
    light = browser.run("return getComputedStyle(document.body).backgroundColor")
    browser.devtools("Emulation.setEmulatedMedia",
                     {"media": "", "features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    browser.settle()
    dark = browser.run("return getComputedStyle(document.body).backgroundColor")
    check(light != dark and browser.picture()[2, 2].max() < 60, f"darkness: {dark}, {browser.picture()[2, 2]}")
    browser.devtools("Emulation.setEmulatedMedia", {"media": "", "features": []})
    browser.devtools("Emulation.setDeviceMetricsOverride",
                     {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True})
    browser.settle()
    wide = browser.run("return document.documentElement.scrollWidth")
    check(wide <= 360, f"the page is {wide} wide on a screen of 360")


def check_silence(browser, page):
    """Nothing was complained of, nothing was fetched."""
    complaints = [entry for entry in browser.log("browser") if entry["level"] in ("SEVERE", "WARNING")]
    # The driver of the graphics processor speaks of its own speed when pictures are taken.
    complaints = [entry for entry in complaints if "GPU stall due to ReadPixels" not in entry["message"]]
    check(not complaints, f"the console says {complaints}")
    events = [json.loads(entry["message"])["message"] for entry in browser.log("performance")]
    sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    check(any(url == page for url in sent), f"the log of requests does not work: {sent[:5]}")
    fetched = {url for url in sent if url != page and not url.startswith(("data:", "blob:"))}
    check(not fetched, f"the page fetched {sorted(fetched)[:5]}")


@contextmanager
def opened(page, drawer):
    """Chromium with a page whose player is ready, and the address of the page."""
    browser = Browser(FLAGS + DRAWERS[drawer])
    try:
        address = f"file://{page}"
        # What the browser fetches for a new window is not the page's.
        browser.call("POST", "/url", {"url": "about:blank"})
        browser.log("performance")
        browser.call("POST", "/url", {"url": address})
        wait_for(lambda: browser.run("return !!window.jostle"), "the player opens")
        yield browser, address
    finally:
        browser.close()


def main(page, file, drawer):
    with opened(page, drawer) as (browser, address):
        name = browser.run("return jostle.stage.drawer.name")
        check(name.replace(" ", "") == drawer, f"{name} draws, not {drawer}")
        seen, frames = (browser.text(f"#player {place}") for place in (".number", ".counter"))
        check(frames.endswith(f"/ {seen}"), f"the page opens on frame {seen}, not on the last: {frames}")
        first = browser.picture()
        check(len(numpy.unique(first.reshape(-1, 3), axis=0)) > 8, "the canvas is blank")
        with h5py.File(file) as content:
            check_frames(browser, content)
            check_controls(browser, len(content["particles/trajectory/position/value"]))
            check_bodies(browser, content["parameters/dimension"][()] < 3)
            check_page(browser, content)
        check_silence(browser, address)
        if drawer == "WebGL":
            browser.call("POST", "/url", {"url": "about:blank"})
            browser.call("POST", "/url", {"url": f"{address}#canvas2d"})
            wait_for(lambda: browser.run("return !!window.jostle"), "the player opens again")
            check(browser.run("return jostle.stage.drawer.name") == "Canvas 2D", "#canvas2d is not heeded")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except AssertionError as error:
        sys.exit(f"{sys.argv[1]}, {sys.argv[3]}: {error}")
