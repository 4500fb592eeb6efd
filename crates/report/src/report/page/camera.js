// From places in the box to places on the screen, without perspective, and back.

/** How the box of three dimensions is seen at first: from in front, from the right and from above. */
const YAW = (28 * Math.PI) / 180;
const PITCH = (18 * Math.PI) / 180;
/** Left and right, above and below the box when all of it is shown: room for labels and buttons. [px] */
const MARGINS = [16, 50];

class Camera {
  /** Low corner and edges of the box [nm], and how many dimensions it has. */
  constructor(low, span, dimension) {
    this.low = low;
    this.span = span;
    this.flat = dimension < 3;
    this.middle = low.map((x, k) => x + 0.5 * span[k]);
    this.size = [1, 1];
    this.reset();
  }

  reset() {
    [this.yaw, this.pitch] = this.flat ? [0, Math.PI / 2] : [YAW, PITCH];
    this.pan = [0, 0];
    this.#turn();
    this.scale = this.fitting();
    this.fitted = true;
  }

  /** Unit vectors of the screen: to the right, upwards, towards the eye. */
  #turn() {
    const [sinA, cosA, sinB, cosB] = [
      Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch),
    ];
    this.right = [cosA, sinA, 0];
    this.up = [-sinA * sinB, cosA * sinB, cosB];
    this.towards = [sinA * cosB, -cosA * cosB, sinB];
  }

  /** The size of the screen. [px] */
  resize(width, height) {
    this.size = [width, height];
    if (this.fitted) this.scale = this.fitting();
  }

  /** The scale at which the whole box is on the screen. [px/nm] */
  fitting() {
    const half = [this.right, this.up].map((axis) =>
      axis.reduce((sum, x, k) => sum + Math.abs(x) * 0.5 * this.span[k], 0));
    const room = this.size.map((length, k) => Math.max(0.5 * length - MARGINS[k], 1));
    return Math.min(room[0] / half[0], room[1] / half[1]);
  }

  /** How far anything in the box can be from its middle. [nm] */
  get reach() {
    return 0.5 * Math.hypot(...this.span);
  }

  /** Right, down [px] and towards the eye [nm]. */
  project(x, y, z, out = [0, 0, 0]) {
    const [dx, dy, dz] = [x - this.middle[0], y - this.middle[1], z - this.middle[2]];
    const { right, up, towards } = this;
    const across = right[0] * dx + right[1] * dy + right[2] * dz - this.pan[0];
    const above = up[0] * dx + up[1] * dy + up[2] * dz - this.pan[1];
    out[0] = 0.5 * this.size[0] + this.scale * across;
    out[1] = 0.5 * this.size[1] - this.scale * above;
    out[2] = towards[0] * dx + towards[1] * dy + towards[2] * dz;
    return out;
  }

  /** Zooms by a factor; what is under the place [px] stays there. */
  zoom(factor, x = 0.5 * this.size[0], y = 0.5 * this.size[1]) {
    const whole = this.fitting();
    const scale = Math.min(Math.max(this.scale * factor, 0.3 * whole), 2000 * whole);
    const [dx, dy] = [x - 0.5 * this.size[0], 0.5 * this.size[1] - y];
    this.pan[0] += dx / this.scale - dx / scale;
    this.pan[1] += dy / this.scale - dy / scale;
    this.scale = scale;
    this.fitted = false;
  }

  /** Moves the picture. [px] */
  move(dx, dy) {
    this.pan[0] -= dx / this.scale;
    this.pan[1] += dy / this.scale;
    this.fitted = false;
  }

  /** Turns the box as if a ball around it were rolled. [px] */
  rotate(dx, dy) {
    if (this.flat) return;
    this.yaw -= 0.008 * dx;
    this.pitch = Math.min(Math.max(this.pitch + 0.008 * dy, -Math.PI / 2), Math.PI / 2);
    this.#turn();
  }

  /** The corners of the box; bit k of a corner's number tells its side along axis k. */
  corner(number) {
    return this.low.map((x, k) => (number & (1 << k) ? x + this.span[k] : x));
  }

  /** The edges of the box as pairs of corners; of a flat one those of its rectangle. */
  edges() {
    const pairs = [];
    for (let a = 0; a < 8; a++) {
      for (let k = 0; k < 3; k++) {
        const b = a | (1 << k);
        if (a !== b && !(this.flat && (k === 2 || a & 4))) pairs.push([this.corner(a), this.corner(b)]);
      }
    }
    return pairs;
  }
}
