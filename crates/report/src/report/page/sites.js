// Sites of particles: where they point, and in what states they are.

/** Half the angle over which a patch extends on a sphere, as in snapshots. [rad] */
const CAP = 0.4;
/** The radius of the circle about a point of the rim of which a patch on a disc is a part, as in snapshots. */
const LENS = 0.5;
/** The least radius on which patches can be told from each other. [px] */
const LEAST_PATCHED = 4;

class Sites {
  constructor(head, slots) {
    this.head = head;
    this.slots = slots;
    /** Whether any site points somewhere. */
    this.directed = head.axes !== null;
    /** How particles are turned: quaternions (w, x, y, z). Four numbers per slot. */
    this.turns = new Float32Array(this.directed ? 4 * slots : 0);
    /** The class of each site. */
    this.states = new Uint8Array(head.states.length * slots);
    /** Where sites point in the frames of their particles: x, y, z and nothing. */
    this.axes = new Float32Array((head.axes ?? []).flat().flatMap((axis) => [...axis, 0]));
    /** The first axis of a slot's species, and how many it has. */
    this.lists = new Float32Array(this.directed ? 2 * slots : 0);
  }

  /** Takes the species of the slots. */
  open(species) {
    const lists = [];
    let first = 0;
    for (const axes of this.head.axes ?? []) {
      lists.push([first, axes.length]);
      first += axes.length;
    }
    if (this.directed) species.forEach((n, slot) => this.lists.set(lists[n] ?? [0, 0], 2 * slot));
  }

  /** Takes over what stands in a frame from a place on, and tells where it ends. */
  unpack(bytes, at, key) {
    if (this.directed) at = this.#unpackTurns(bytes, at);
    const sites = this.head.states.length;
    const numbers = new Numbers(bytes, at);
    if (key) this.states.fill(0);
    for (let left = numbers.next(), slot = 0; left > 0; left--) {
      slot += numbers.next();
      this.states.set(bytes.subarray(numbers.at, numbers.at + sites), slot * sites);
      numbers.at += sites;
    }
    return numbers.at;
  }

  /** How four bytes hold a quaternion is written in src/report/page/film/sites.rs. */
  #unpackTurns(bytes, at) {
    const { turns, slots } = this;
    for (let slot = 0; slot < slots; slot++) {
      let packed = 0;
      for (let k = 0; k < 4; k++) packed |= bytes[at + k * slots + slot] << (8 * k);
      const left = packed & 3;
      let rest = 1;
      for (let k = 0, shift = 2; k < 4; k++) {
        if (k === left) continue;
        const x = (((packed >>> shift) & 1023) - 511) / (511 * Math.SQRT2);
        turns[4 * slot + k] = x;
        rest -= x * x;
        shift += 10;
      }
      turns[4 * slot + left] = Math.sqrt(Math.max(rest, 0));
    }
    return at + 4 * slots;
  }

  /** Where the sites of a particle point in the box, as vectors of length 1. */
  directions(slot) {
    const [first, count] = this.lists.subarray(2 * slot, 2 * slot + 2);
    const [w, x, y, z] = this.turns.subarray(4 * slot, 4 * slot + 4);
    return Array.from({ length: count }, (_, n) => {
      const [a, b, c] = this.axes.subarray(4 * (first + n), 4 * (first + n) + 3);
      // p + 2 v × (v × p + w p)
      const [d, e, f] = [y * c - z * b + w * a, z * a - x * c + w * b, x * b - y * a + w * c];
      return [a + 2 * (y * f - z * e), b + 2 * (z * d - x * f), c + 2 * (x * e - y * d)];
    });
  }

  /** The class of a site, by its number in the film. */
  classOf(slot, site) {
    return this.states[slot * this.head.states.length + site];
  }
}

/** The colour of patches on a particle of some colour, as in snapshots. */
function patchColour(rgb) {
  const [other, share] = rgb[0] + rgb[1] + rgb[2] < 240 ? [255, 0.55] : [34, 0.6];
  return rgb.map((c) => c + share * (other - c));
}

/** A patch on a disc of radius 1, as a path: what lies both within it and within a smaller circle about its rim. */
function lens(path, x, y, size, [right, down]) {
  const towards = Math.atan2(down, right);
  const half = 2 * Math.asin(LENS / 2);
  const turned = Math.PI / 2 + half / 2;
  path.moveTo(x + size * Math.cos(towards - half), y + size * Math.sin(towards - half));
  path.arc(x, y, size, towards - half, towards + half);
  const [middle, above] = [x + size * Math.cos(towards), y + size * Math.sin(towards)];
  path.arc(middle, above, LENS * size, towards + turned, towards - turned + 2 * Math.PI);
  path.closePath();
}

/** The part of a patch on a sphere that is seen, as a path, for a site that points right, down and to the eye. */
function cap(path, x, y, size, [right, down, towards]) {
  const flat = Math.hypot(right, down);
  const [u, v] = flat > 0 ? [right / flat, down / flat] : [1, 0];
  const [s, c] = [Math.sin(CAP), Math.cos(CAP)];
  for (let k = 0; k < 24; k++) {
    const [a, b] = [s * Math.cos((k * Math.PI) / 12), s * Math.sin((k * Math.PI) / 12)];
    // Outwards, across, and to the eye.
    const [out, across, near] = [c * flat + a * towards, b, c * towards - a * flat];
    // What lies behind the sphere ends at its rim.
    const length = near < 0 ? Math.hypot(out, across) : 1;
    const [px, py] = [(u * out - v * across) / length, (v * out + u * across) / length];
    if (k) path.lineTo(x + size * px, y + size * py);
    else path.moveTo(x + size * px, y + size * py);
  }
  path.closePath();
}
