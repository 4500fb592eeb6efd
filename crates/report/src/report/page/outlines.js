// Bodies that are not round: how they are turned, walls, and the forces of contacts, and the triangles and
// lines that these are drawn as.

/** Of walls and of forces, on light and on dark ground. */
const WALL = { light: [168, 173, 180], dark: [92, 98, 106] };
const FORCE = { light: [165, 15, 40], dark: [255, 120, 120] };
/** How much of the ground is mixed into bodies under forces. */
const PALE = 0.55;
/** Numbers of a corner: x, y, red, green, blue, and how far in it lies: 0 on the rim, 1 at the centre. */
const PER_CORNER = 6;

/** The outlines of a film, as they are in its frame. */
class Outlines {
  constructor(head) {
    this.head = head;
    this.angles = new Uint16Array(0);
    this.walls = [];
    /** Four numbers per force: two slots (the second -1 for a wall), and for walls the arm. */
    this.forces = { ends: new Int32Array(0), strengths: new Uint8Array(0) };
  }

  async open() {
    const { first, corners, shapeOf } = this.head;
    const parts = await Promise.all([first, corners, shapeOf].map(inflated));
    this.first = new Uint32Array(parts[0].buffer);
    this.corners = new Float32Array(parts[1].buffer);
    this.shapeOf = new Uint32Array(parts[2].buffer);
    this.angles = new Uint16Array(this.shapeOf.length);
    return this;
  }

  /** Takes over what stands in a frame from a place on. */
  unpack(bytes, at) {
    const { angles } = this;
    const differences = bytes[at++] === 1;
    for (let slot = 0; slot < angles.length; slot++, at++) {
      const n = bytes[at] | (bytes[at + angles.length] << 8);
      angles[slot] = differences ? angles[slot] + ((n >>> 1) ^ -(n & 1)) : n;
    }
    at += angles.length;
    const view = new DataView(bytes.buffer, bytes.byteOffset);
    this.walls = this.head.walls.map((shape) => {
      const [x, y, angle] = [1, 5, 9].map((k) => view.getFloat32(at + k, true));
      const there = bytes[at] === 1;
      at += 13;
      return { shape, x, y, angle, there };
    });
    if (this.head.forces) this.#unpackForces(bytes, at);
  }

  #unpackForces(bytes, at) {
    const numbers = new Numbers(bytes, at);
    const count = numbers.next();
    const ends = new Int32Array(4 * count);
    const strengths = new Uint8Array(count);
    const signed = (byte) => (byte << 24) >> 24;
    for (let k = 0, slot = 0; k < count; k++) {
      slot += numbers.signed();
      const other = numbers.signed();
      ends[4 * k] = slot;
      ends[4 * k + 1] = other ? slot + other : -1;
      if (!other) {
        ends[4 * k + 2] = signed(bytes[numbers.at++]);
        ends[4 * k + 3] = signed(bytes[numbers.at++]);
      }
      strengths[k] = bytes[numbers.at++];
    }
    this.forces = { ends, strengths };
  }

  /** [rad] */
  angle(slot) {
    return (this.angles[slot] * 2 * Math.PI) / 65536;
  }

  /** Calls visit(x, y) for the corners of a shape that is turned by an angle, about a place. */
  forEachCorner(shape, x, y, angle, larger, visit) {
    const [s, c] = [larger * Math.sin(angle), larger * Math.cos(angle)];
    for (let k = this.first[shape]; k < this.first[shape + 1]; k++) {
      const [u, v] = [this.corners[2 * k], this.corners[2 * k + 1]];
      visit(x + c * u - s * v, y + s * u + c * v);
    }
  }

  isRound(shape) {
    return this.head.kinds[shape] === "disk";
  }
}

/** Walls and bodies as triangles, and forces as lines; made anew for each frame. */
class Mesh {
  constructor() {
    this.corners = new Float32Array(1 << 12);
    this.triangles = new Uint32Array(1 << 12);
    this.spokes = [];
    this.clear();
  }

  clear() {
    [this.cornerCount, this.triangleCount] = [0, 0];
    this.spokes.length = 0;
  }

  /** The numbers that are in use. */
  filled() {
    return {
      corners: this.corners.subarray(0, PER_CORNER * this.cornerCount),
      triangles: this.triangles.subarray(0, 3 * this.triangleCount),
    };
  }

  /** A convex shape: triangles between its rim and its centre. */
  add(outlines, shape, x, y, angle, larger, colour) {
    const centre = this.cornerCount;
    this.#corner(x, y, colour, 1);
    outlines.forEachCorner(shape, x, y, angle, larger, (u, v) => this.#corner(u, v, colour, 0));
    const rim = this.cornerCount - centre - 1;
    for (let k = 0; k < rim; k++) this.#triangle(centre, centre + 1 + k, centre + 1 + ((k + 1) % rim));
    if (outlines.isRound(shape) && rim) {
      // Else one could not see it turn.
      const end = PER_CORNER * (centre + 1);
      this.spokes.push(x, y, 0, 0, this.corners[end], this.corners[end + 1], 0, 0);
    }
  }

  #corner(x, y, colour, inwards) {
    if (this.corners.length < PER_CORNER * (this.cornerCount + 1)) this.corners = grown(this.corners);
    const { corners } = this;
    let at = PER_CORNER * this.cornerCount++;
    corners[at++] = x;
    corners[at++] = y;
    for (let k = 0; k < 3; k++) corners[at++] = colour[k];
    corners[at] = inwards;
  }

  #triangle(a, b, c) {
    if (this.triangles.length < 3 * (this.triangleCount + 1)) this.triangles = grown(this.triangles);
    const at = 3 * this.triangleCount++;
    this.triangles[at] = a;
    this.triangles[at + 1] = b;
    this.triangles[at + 2] = c;
  }
}

/** The same numbers with twice the room. */
function grown(numbers) {
  const larger = new numbers.constructor(2 * numbers.length);
  larger.set(numbers);
  return larger;
}

/** Writes a scene's walls and bodies into its mesh, and its forces into lines. */
function layOut(scene, dark, ground) {
  const { film, mesh } = scene;
  const { outlines } = film;
  const tone = dark ? "dark" : "light";
  const pale = scene.showForces ? PALE : 0;
  mesh.clear();
  for (const { shape, x, y, angle, there } of outlines.walls) {
    if (!there) continue;
    for (const [dx, dy] of periodicShifts(film.head)) mesh.add(outlines, shape, x + dx, y + dy, angle, 1, WALL[tone]);
  }
  const larger = scene.magnify;
  scene.forEach((x, y, z, radius, colour, slot) => {
    const mixed = pale ? [0, 1, 2].map((k) => colour[k] + pale * (ground[k] - colour[k])) : colour;
    mesh.add(outlines, outlines.shapeOf[slot], x, y, outlines.angle(slot), larger, mixed);
  });
  scene.spokes = new Float32Array(mesh.spokes);
  scene.chains = scene.showForces ? forceChains(scene) : new Float32Array(0);
}

/** Over axes that close, everything may show at the other edge as well. */
function periodicShifts({ periodic, span }) {
  const along = (axis) => (periodic[axis] ? [0, -span[axis], span[axis]] : [0]);
  return along(0).flatMap((dx) => along(1).map((dy) => [dx, dy]));
}

/** Forces as lines: an end, half the line's width [nm], the other end, the same. */
function forceChains(scene) {
  const { film } = scene;
  const { forces } = film.outlines;
  const { span, periodic } = film.head;
  const mean = scene.radii.reduce((sum, r) => sum + r, 0) / Math.max(scene.radii.length, 1);
  const lines = [];
  forces.strengths.forEach((strength, k) => {
    const [a, b, u, v] = forces.ends.subarray(4 * k, 4 * k + 4);
    const from = scene.place(a);
    const wide = (0.11 * mean * Math.min(strength, 4 * 32)) / 32;
    const to = b < 0
      ? [from[0] + (u / 127) * scene.radii[a], from[1] + (v / 127) * scene.radii[a]]
      : scene.place(b).map((x, axis) => {
        const periods = periodic[axis] ? Math.round((x - from[axis]) / span[axis]) : 0;
        return x - periods * span[axis];
      });
    lines.push(from[0], from[1], 0, wide, to[0], to[1], 0, wide);
    if (b < 0) return;
    // One that goes over an edge is drawn from its other end too.
    const there = scene.place(b);
    const [dx, dy] = [there[0] - to[0], there[1] - to[1]];
    if (dx || dy) lines.push(from[0] + dx, from[1] + dy, 0, wide, there[0], there[1], 0, wide);
  });
  return new Float32Array(lines);
}
