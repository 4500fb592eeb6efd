// The surfaces in the box as lines, which do not change from frame to frame.

/** How much lighter they are on dark ground. */
const LIFT = 0.35;

class Surface {
  constructor({ name, colour }, numbers) {
    this.name = name;
    this.colour = rgbOf(colour);
    this.hidden = false;
    this.ends = lineEnds(numbers);
  }

  ink(dark) {
    return dark ? this.colour.map((c) => c + LIFT * (255 - c)) : this.colour;
  }

  /** In one dimension, y is a share of the height of the picture. */
  stretch(low, height) {
    for (let k = 1; k < this.ends.length; k += 4) this.ends[k] = low + height * this.ends[k];
  }
}

/** Lines as eight numbers: an end and 0, twice. [nm] */
function lineEnds(numbers) {
  const ends = new Float32Array((numbers.length / 3) * 4);
  for (let k = 0; k < numbers.length / 3; k++) ends.set(numbers.subarray(3 * k, 3 * k + 3), 4 * k);
  return ends;
}

/** The surfaces of a film. */
async function openSurfaces(heads) {
  const numbers = await Promise.all(heads.map(({ lines }) => inflated(lines)));
  return heads.map((head, n) => new Surface(head, new Float32Array(numbers[n].buffer)));
}
