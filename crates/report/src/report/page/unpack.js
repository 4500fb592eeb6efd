// Frames as they stand in the page: base64, deflated, each the changes since the frame before it.
// How they were packed is written in src/report/page/film/pack.rs.

/** Unpacked frames that are kept, in bytes: a jump back, or a loop, finds them again. */
const KEPT = 64e6;

/** The bytes that a base64 text stands for. */
function bytesOf(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return bytes;
}

/** The bytes before they were deflated. The browser inflates them beside its main thread. */
async function inflated(text) {
  const bytes = new Blob([bytesOf(text)]);
  const stream = bytes.stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads whole numbers (LEB128) one after the other; exact up to 2^53. */
class Numbers {
  constructor(bytes, at) {
    this.bytes = bytes;
    this.at = at;
  }

  next() {
    let number = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      number += (byte & 0x7f) * factor;
      if (byte < 0x80) return number;
      factor *= 128;
    }
  }

  /** One that may be negative: 0, -1, 1, -2, ... */
  signed() {
    const n = this.next();
    return n % 2 ? -(n + 1) / 2 : n / 2;
  }
}

/** The frames, one of which it stands at. Arrays are by slot; a slot may be empty (identity -1). */
class Film {
  constructor(head, texts) {
    this.head = head;
    this.texts = texts;
    this.at = -1;
    this.ids = new Float64Array(head.slots).fill(-1);
    this.clusters = new Float64Array(head.slots).fill(-1);
    /** How many particles the cluster holds that the particle is in. */
    this.sizes = new Uint32Array(head.slots);
    /** Four numbers per slot: quanta along x, y, z, and nothing. */
    this.places = new Uint16Array(4 * head.slots);
    /** Two slots per bond. */
    this.bonds = new Uint32Array(0);
    /** What particles look like, if they are not round. */
    this.outlines = head.outlines && new Outlines(head.outlines);
    /** Where the sites of particles point, and their states, if they have any. */
    this.sites = head.sites && new Sites(head.sites, head.slots);
    this.kept = new Map();
    this.keptBytes = 0;
    this.turn = Promise.resolve();
  }

  get length() {
    return this.texts.length;
  }

  /** What does not change from frame to frame. */
  async open() {
    const radii = await inflated(this.head.radii);
    const species = await inflated(this.head.slotSpecies);
    this.radii = new Float32Array(radii.buffer);
    this.species = new Uint16Array(species.buffer);
    await this.outlines?.open();
    this.sites?.open(this.species);
    this.surfaces = await openSurfaces(this.head.surfaces);
    /** The walls of a granular run. */
    this.walls = this.head.walls && lineEnds(new Float32Array((await inflated(this.head.walls)).buffer));
    return this;
  }

  /** Goes to a frame, after whoever asked before. */
  go(frame) {
    this.turn = this.turn.then(() => this.#walk(frame));
    return this.turn;
  }

  async #walk(frame) {
    if (frame === this.at) return;
    let from = frame;
    while (!this.head.frames[from].key && from !== this.at + 1) from--;
    const packed = [];
    for (let k = from; k <= frame; k++) packed.push(this.#unpacked(k));
    // Nothing is changed before all is there, so that no half a frame is ever seen.
    for (const bytes of await Promise.all(packed)) this.#apply(bytes, from++);
    this.at = frame;
  }

  /** Unpacks the frames that come next while the browser has nothing else to do. */
  prepare(frame) {
    for (let k = frame + 1; k <= frame + 3 && k < this.length; k++) this.#unpacked(k);
  }

  #unpacked(frame) {
    let bytes = this.kept.get(frame);
    if (!bytes) {
      bytes = inflated(this.texts[frame]);
      this.kept.set(frame, bytes);
      bytes.then((all) => this.#forget(all.length));
    }
    return bytes;
  }

  /** Makes room for so many bytes. A map remembers the order: what has been there longest goes first. */
  async #forget(more) {
    this.keptBytes += more;
    while (this.keptBytes > KEPT && this.kept.size > 8) {
      const [frame, bytes] = this.kept.entries().next().value;
      this.kept.delete(frame);
      this.keptBytes -= (await bytes).length;
    }
  }

  #apply(bytes, frame) {
    const { key } = this.head.frames[frame];
    if (key) this.ids.fill(-1);
    const numbers = new Numbers(bytes, 1);
    let [slot, id] = [0, 0];
    for (let left = numbers.next(); left > 0; left--) {
      slot += numbers.next();
      id += numbers.signed();
      this.ids[slot] = id;
      this.clusters[slot] = id + numbers.signed();
      this.sizes[slot] = numbers.next();
    }
    const bonds = numbers.next() - 1;
    if (bonds >= 0) {
      this.bonds = new Uint32Array(2 * bonds);
      for (let k = 0, a = 0; k < bonds; k++) {
        a += numbers.signed();
        this.bonds[2 * k] = a;
        this.bonds[2 * k + 1] = a + numbers.signed();
      }
    }
    this.#move(bytes, numbers.at, bytes[0] === 1);
    const { slots, dimension } = this.head;
    let at = numbers.at + 2 * slots * dimension;
    if (this.sites) at = this.sites.unpack(bytes, at, key);
    this.outlines?.unpack(bytes, at);
  }

  /** Low bytes of all places, axis by axis, then their high bytes. */
  #move(bytes, at, differences) {
    const { slots, dimension, bits } = this.head;
    const [places, mask, plane] = [this.places, 2 ** bits - 1, slots * dimension];
    for (let axis = 0; axis < dimension; axis++) {
      for (let slot = 0, k = at + axis * slots; slot < slots; slot++, k++) {
        const n = bytes[k] | (bytes[k + plane] << 8);
        const place = 4 * slot + axis;
        places[place] = differences ? (places[place] + ((n >>> 1) ^ -(n & 1))) & mask : n;
      }
    }
  }

  /** Where a particle is along an axis: the middle of its quantum. [nm] */
  place(slot, axis) {
    const { low, span, bits, dimension } = this.head;
    if (axis >= dimension) return 0;
    return low[axis] + ((this.places[4 * slot + axis] + 0.5) / 2 ** bits) * span[axis];
  }

  /** The slot of a particle in this frame, or -1. */
  slotOf(id) {
    return this.ids.indexOf(id);
  }
}
