// What is to be seen in a frame, and the screen it is seen on.

/** Paper, ink and pale lines, in light and in dark. */
const LIGHT = { ground: [255, 255, 255], ink: [34, 34, 34], faint: [150, 150, 150] };
const DARK = { ground: [20, 23, 27], ink: [214, 218, 224], faint: [92, 98, 106] };

/** A frame as those who draw it want it. */
class Scene {
  constructor(film, camera) {
    const { low, span, bits, dimension, slots } = film.head;
    const used = (values) => values.map((x, axis) => (axis < dimension ? x : 0));
    this.film = film;
    this.low = used(low);
    this.quantum = used(span.map((length) => length / 2 ** bits));
    this.radii = film.radii;
    this.largest = film.radii.reduce((a, b) => Math.max(a, b), 0);
    /** How many times larger than to scale particles are drawn. */
    this.magnify = 1;
    this.places = film.places;
    this.colours = new Uint8Array(4 * slots);
    /** The lines of the box, or of another container, at its mean place; and where they are now. */
    this.walls = film.walls ?? flattened(camera.edges().map(([a, b]) => [...a, 0, ...b, 0]));
    this.frame = this.walls;
    this.room = new Float32Array(0);
    this.bonds = this.room;
    /** Particles with outlines are triangles, and forces lines. */
    this.mesh = film.outlines && new Mesh();
    this.showForces = false;
    /** Particles with sites that point somewhere have patches. */
    this.sites = film.sites?.directed ? film.sites : null;
    this.surfaces = film.surfaces;
    if (dimension === 1) this.surfaces.forEach((surface) => surface.stretch(camera.low[1], camera.span[1]));
    this.spokes = this.chains = this.room;
    const none = this.room;
    this.images = { slots: [], places: none, radii: none, colours: new Uint8Array(0), turns: none, lists: none };
    this.changed = { radii: true, places: true, colours: true };
  }

  /** To be called when the film or the colours have changed. */
  update(changed, look) {
    this.changed.places ||= changed.places;
    this.changed.colours = true;
    this.#moveWalls();
    this.#findImages();
    this.#joinBonds();
    if (this.mesh) layOut(this, look.dark, look.ground);
  }

  /** Walls that are shaken are elsewhere in each frame: those of the lower half, and those of the upper half. */
  #moveWalls() {
    const { low, span, frames } = this.film.head;
    const shift = frames[this.film.at]?.shift;
    if (!shift) return;
    const half = (x, axis) => Number(x > low[axis] + span[axis] / 2);
    this.frame = this.walls.map((x, k) => x + (shift[half(x, k % 4)][k % 4] ?? 0));
    this.changed.frame = true;
  }

  seen(slot) {
    return this.colours[4 * slot + 3] > 0;
  }

  place(slot) {
    return [0, 1, 2].map((axis) => this.film.place(slot, axis));
  }

  /** In line and plane, a particle at a periodic edge shows at the other one as well. */
  #findImages() {
    const { dimension, periodic, span } = this.film.head;
    const found = { slots: [], places: [], radii: [], colours: [], turns: [], lists: [] };
    const closed = [0, 1].map((axis) => dimension < 3 && axis < dimension && periodic[axis]);
    for (let slot = 0; (closed[0] || closed[1]) && slot < this.radii.length; slot++) {
      if (!this.seen(slot)) continue;
      const dx = closed[0] ? this.#over(slot, 0) * span[0] : 0;
      const dy = closed[1] ? this.#over(slot, 1) * span[1] : 0;
      if (!dx && !dy) continue;
      const [x, y, z] = this.place(slot);
      const shifts = dx && dy ? [[dx, 0], [0, dy], [dx, dy]] : [[dx, dy]];
      for (const shift of shifts) {
        found.slots.push(slot);
        found.places.push(x + shift[0], y + shift[1], z);
        found.radii.push(this.radii[slot]);
        found.colours.push(...this.colours.subarray(4 * slot, 4 * slot + 4));
        if (!this.sites) continue;
        found.turns.push(...this.sites.turns.subarray(4 * slot, 4 * slot + 4));
        found.lists.push(...this.sites.lists.subarray(2 * slot, 2 * slot + 2));
      }
    }
    this.images = {
      slots: found.slots,
      places: new Float32Array(found.places),
      radii: new Float32Array(found.radii),
      colours: new Uint8Array(found.colours),
      turns: new Float32Array(found.turns),
      lists: new Float32Array(found.lists),
    };
  }

  /** Where the image of a particle is that stands out over an edge: a period up, a period down, or nowhere. */
  #over(slot, axis) {
    const reach = (this.radii[slot] * this.magnify) / this.quantum[axis];
    const place = this.places[4 * slot + axis];
    return place < reach ? 1 : place > 2 ** this.film.head.bits - reach ? -1 : 0;
  }

  /** A bond over a periodic edge is drawn from both its ends, the short way. */
  #joinBonds() {
    const { bonds } = this.film;
    // Room for both ends of every bond.
    if (this.room.length < 8 * bonds.length) this.room = new Float32Array(8 * bonds.length);
    let length = 0;
    for (let k = 0; k < bonds.length; k += 2) {
      if (this.seen(bonds[k]) && this.seen(bonds[k + 1])) length = this.#join(bonds[k], bonds[k + 1], length);
    }
    this.bonds = this.room.subarray(0, length);
  }

  /** Adds the bond of two particles to the lines, and tells how long these are then. */
  #join(a, b, length) {
    const { head } = this.film;
    const lines = this.room;
    let over = false;
    for (let axis = 0; axis < 3; axis++) {
      const [from, to] = [this.film.place(a, axis), this.film.place(b, axis)];
      const periods = head.periodic[axis] ? Math.round((to - from) / head.span[axis]) : 0;
      over ||= periods !== 0;
      lines[length + axis] = from;
      lines[length + 4 + axis] = to - periods * head.span[axis];
      lines[length + 8 + axis] = from + periods * head.span[axis];
      lines[length + 12 + axis] = to;
    }
    lines[length + 3] = lines[length + 11] = this.radii[a] * this.magnify;
    lines[length + 7] = lines[length + 15] = this.radii[b] * this.magnify;
    return length + (over ? 16 : 8);
  }

  /** Calls visit(x, y, z, radius, colour, slot) for all that is to be seen. [nm] */
  forEach(visit) {
    const { colours, images } = this;
    for (let slot = 0; slot < this.radii.length; slot++) {
      if (!this.seen(slot)) continue;
      const [x, y, z] = this.place(slot);
      visit(x, y, z, this.radii[slot] * this.magnify, colours.subarray(4 * slot, 4 * slot + 3), slot);
    }
    images.slots.forEach((slot, k) => {
      const [x, y, z] = images.places.subarray(3 * k, 3 * k + 3);
      visit(x, y, z, images.radii[k] * this.magnify, images.colours.subarray(4 * k, 4 * k + 3), slot);
    });
  }
}

/** Lines, each as eight numbers: an end and how far it is lifted towards the eye, twice. */
function flattened(lines) {
  return new Float32Array(lines.flat());
}

/** The canvas, the camera, and who draws. */
class Stage {
  constructor(screen, film) {
    const { low, span, dimension } = film.head;
    const thick = Math.max(4 * film.radii.reduce((a, b) => Math.max(a, b), 0), 0.02 * span[0]);
    const inside = (values, other) => values.map((x, axis) => (axis < dimension ? x : other));
    this.screen = screen;
    this.film = film;
    this.canvas = screen.querySelector("canvas");
    this.camera = new Camera(inside(low, -0.5 * thick), inside(span, thick), dimension);
    this.scene = new Scene(film, this.camera);
    this.hidden = new Set();
    this.drawn = 0;
    this.asked = false;
    this.#choose();
    this.recolour();
    new ResizeObserver(() => this.#resize()).observe(screen);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    this.#resize();
  }

  /** WebGL if there is any and nobody asks for the plain canvas by #canvas2d in the address. */
  #choose() {
    this.asked2d = location.hash.includes("canvas2d");
    try {
      this.drawer = (!this.asked2d && Spheres.on(this.canvas, this.scene.sites)) || new Discs(this.canvas);
    } catch (error) {
      console.info(`WebGL does not work here: ${error.message}`);
      this.#fallBack();
    }
    this.canvas.addEventListener("webglcontextlost", () => {
      this.#fallBack();
      this.#resize();
    });
  }

  /** A canvas that WebGL has had cannot be drawn on otherwise. */
  #fallBack() {
    const other = this.canvas.cloneNode();
    this.canvas.replaceWith(other);
    this.canvas = other;
    this.drawer = new Discs(other);
  }

  #resize() {
    const { width, height } = this.screen.getBoundingClientRect();
    this.pixels = Math.min(devicePixelRatio || 1, 2);
    this.canvas.width = Math.max(1, Math.round(width * this.pixels));
    this.canvas.height = Math.max(1, Math.round(height * this.pixels));
    this.camera.resize(width, height);
    this.draw();
    this.onview?.();
  }

  /** To be called when light and dark have changed places. */
  recolour() {
    this.dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const name = this.key?.name;
    this.keys = colourKeys(this.film, this.dark);
    this.key = this.keys.find((key) => key.name === name) ?? this.keys[0];
    this.onkeys?.();
    this.repaint();
  }

  colourBy(name) {
    this.key = this.keys.find((key) => key.name === name) ?? this.key;
    this.hidden.clear();
    this.repaint();
  }

  magnify(times) {
    this.scene.magnify = times;
    this.repaint();
  }

  /** Shows the forces of contacts, or hides them. */
  showForces(on) {
    this.scene.showForces = on;
    this.repaint();
  }

  /** Shows a surface, or hides it. */
  toggleSurface(surface) {
    surface.hidden = !surface.hidden;
    this.ask();
  }

  toggle(number) {
    if (!this.hidden.delete(number)) this.hidden.add(number);
    this.repaint();
  }

  async show(frame) {
    await this.film.go(frame);
    this.repaint(true);
  }

  repaint(moved = false) {
    this.counts = paint(this.film, this.key, this.hidden, this.scene.colours);
    const { ground } = this.dark ? DARK : LIGHT;
    this.scene.update({ places: moved }, { dark: this.dark, ground });
    this.ask();
  }

  /** Draws before the browser shows the next picture, once, however often it is asked. */
  ask() {
    if (this.asked) return;
    this.asked = true;
    requestAnimationFrame(() => {
      this.asked = false;
      this.draw();
      this.onview?.();
    });
  }

  draw() {
    this.drawer.load(this.scene);
    this.scene.changed = {};
    this.drawer.draw(this.scene, this.camera, { ...(this.dark ? DARK : LIGHT), dark: this.dark, pixels: this.pixels });
    this.drawn++;
  }

  /** The slot of the particle that is seen at a place of the screen [px], or -1. */
  pick(x, y) {
    let [best, nearest] = [-1, -Infinity];
    const seen = [0, 0, 0];
    const { camera } = this;
    this.scene.forEach((px, py, pz, radius, _, slot) => {
      camera.project(px, py, pz, seen);
      const off = Math.hypot(seen[0] - x, seen[1] - y) / camera.scale;
      // Specks are hard to hit: some pixels beside them will do, if nothing is there.
      const hit = off <= radius;
      if (!hit && off * camera.scale > 5) return;
      const front = seen[2] + (hit ? Math.sqrt(radius * radius - off * off) : -1e9 - off);
      if (front > nearest) [best, nearest] = [slot, front];
    });
    return best;
  }

  /** Where a particle is on the screen, and how large. [px] */
  whereIs(slot) {
    const [x, y, depth] = this.camera.project(...this.scene.place(slot));
    return { x, y, depth, radius: this.film.radii[slot] * this.scene.magnify * this.camera.scale };
  }
}
