// Draws particles on a plain canvas, for browsers without WebGL 2: fine up to some ten thousand particles.

/** Steps between near and far. */
const HAZES = 8;
/** The size of the picture that all spheres of a colour are copied from. [px] */
const SPRITE = 64;

class Discs {
  constructor(canvas) {
    this.name = "Canvas 2D";
    this.canvas = canvas;
    this.brush = canvas.getContext("2d", { alpha: false });
    this.sprites = new Map();
  }

  /** Nothing is kept between frames. */
  load() {}

  draw(scene, camera, look) {
    const { brush, canvas } = this;
    brush.setTransform(look.pixels, 0, 0, look.pixels, 0, 0);
    brush.fillStyle = css(look.ground);
    if (this.ground !== look.ground) this.sprites.clear();
    this.ground = look.ground;
    brush.fillRect(0, 0, canvas.width, canvas.height);
    if (camera.flat) this.#plane(scene, camera, look);
    else this.#space(scene, camera, look);
  }

  #plane(scene, camera, look) {
    const { brush } = this;
    const [left, bottom] = camera.project(...camera.corner(0));
    const [right, top] = camera.project(...camera.corner(3));
    brush.save();
    brush.beginPath();
    brush.rect(left, top, right - left, bottom - top);
    brush.clip();
    if (scene.mesh) {
      this.#outlines(scene, camera, look);
      brush.restore();
      this.#lines(scene.frame, camera, css(look.ink), 1.2);
      return;
    }
    // One path for all particles of a colour, and one for their patches.
    const [paths, patches] = [new Map(), new Map()];
    scene.forEach((x, y, z, radius, [red, green, blue], slot) => {
      const [across, down] = camera.project(x, y, z);
      const size = Math.max(radius * camera.scale, 0.8);
      if (outside(across, down, size, camera)) return;
      const colour = (red << 16) | (green << 8) | blue;
      if (!paths.has(colour)) paths.set(colour, new Path2D());
      const path = paths.get(colour);
      const edge = size > 3 ? 0.5 : 0;
      path.moveTo(across + size - edge, down);
      path.arc(across, down, size - edge, 0, 7);
      if (!scene.sites || size <= LEAST_PATCHED) return;
      if (!patches.has(colour)) patches.set(colour, new Path2D());
      for (const [rightwards, upwards] of scene.sites.directions(slot)) {
        lens(patches.get(colour), across, down, size - 2 * edge, [rightwards, -upwards]);
      }
    });
    const rims = scene.largest * scene.magnify * camera.scale > 3;
    for (const [colour, path] of paths) {
      const rgb = [colour >> 16, (colour >> 8) & 255, colour & 255];
      brush.fillStyle = css(rgb);
      brush.fill(path);
      if (!rims) continue;
      brush.strokeStyle = css(rgb.map((c) => 0.6 * c));
      brush.stroke(path);
    }
    for (const [colour, path] of patches) {
      brush.fillStyle = css(patchColour([colour >> 16, (colour >> 8) & 255, colour & 255]));
      brush.fill(path);
    }
    this.#lines(scene.bonds, camera, css(look.ink), 1.6);
    for (const surface of scene.surfaces) {
      if (!surface.hidden) this.#lines(surface.ends, camera, css(surface.ink(look.dark)), 1.6);
    }
    brush.restore();
    this.#lines(scene.frame, camera, css(look.ink), 1.2);
  }

  /** Walls and particles with outlines, triangle by triangle of the mesh, and forces. */
  #outlines(scene, camera, look) {
    const { brush } = this;
    const { corners, triangles } = scene.mesh.filled();
    const rims = scene.largest * scene.magnify * camera.scale > 3;
    const at = (n) => camera.project(corners[PER_CORNER * n], corners[PER_CORNER * n + 1], 0);
    // The triangles of a particle share their first corner, its centre.
    for (let k = 0; k < triangles.length; ) {
      const centre = triangles[k];
      const start = PER_CORNER * centre;
      const colour = corners.subarray(start + 2, start + 5);
      brush.beginPath();
      for (let first = true; k < triangles.length && triangles[k] === centre; k += 3, first = false) {
        const [across, down] = at(triangles[k + 1]);
        if (first) brush.moveTo(across, down);
        else brush.lineTo(across, down);
      }
      brush.closePath();
      brush.fillStyle = css([...colour]);
      brush.fill();
      if (!rims) continue;
      brush.strokeStyle = css([...colour].map((c) => 0.6 * c));
      brush.stroke();
    }
    if (rims) this.#lines(scene.spokes, camera, css(look.faint), 1);
    const { chains } = scene;
    for (let k = 0; k < chains.length; k += 8) {
      const width = Math.max(2 * chains[k + 3] * camera.scale, 0.6);
      this.#lines(chains.subarray(k, k + 8), camera, css(FORCE[look.dark ? "dark" : "light"]), width);
    }
  }

  #lines(ends, camera, colour, width) {
    const { brush } = this;
    brush.strokeStyle = colour;
    brush.lineWidth = width;
    brush.beginPath();
    for (let k = 0; k < ends.length; k += 8) {
      const a = camera.project(ends[k], ends[k + 1], ends[k + 2]);
      const b = camera.project(ends[k + 4], ends[k + 5], ends[k + 6]);
      brush.moveTo(a[0], a[1]);
      brush.lineTo(b[0], b[1]);
    }
    brush.stroke();
    brush.lineWidth = 1;
  }

  #space(scene, camera, look) {
    this.#lines(scene.frame, camera, css(look.faint), 1.2);
    const things = [];
    scene.forEach((x, y, z, radius, colour, slot) => {
      const [across, down, depth] = camera.project(x, y, z);
      const size = Math.max(radius * camera.scale, 0.8);
      if (!outside(across, down, size, camera)) things.push({ across, down, depth, size, colour, slot });
    });
    for (let k = 0; k < scene.bonds.length; k += 8) {
      const ends = scene.bonds.subarray(k, k + 8);
      const depths = [0, 4].map((j) => camera.project(ends[j], ends[j + 1], ends[j + 2])[2] + ends[j + 3]);
      things.push({ depth: Math.max(...depths), ends, ink: css(look.ink), width: 1.6 });
    }
    for (const surface of scene.surfaces) {
      if (surface.hidden) continue;
      const ink = css(surface.ink(look.dark));
      for (let k = 0; k < surface.ends.length; k += 8) {
        const ends = surface.ends.subarray(k, k + 8);
        const [a, b] = [0, 4].map((j) => camera.project(ends[j], ends[j + 1], ends[j + 2])[2]);
        things.push({ depth: 0.5 * (a + b), ends, ink, width: 1 });
      }
    }
    // Far ones first.
    things.sort((a, b) => a.depth - b.depth);
    for (const thing of things) {
      if (thing.ends) this.#lines(thing.ends, camera, thing.ink, thing.width);
      else this.#sphere(thing, scene, camera, look);
    }
  }

  #sphere({ across, down, depth, size, colour, slot }, scene, camera, look) {
    const haze = Math.round((HAZES - 1) * Math.min(Math.max(0.5 - (0.5 * depth) / camera.reach, 0), 1));
    const number = ((colour[0] << 16) | (colour[1] << 8) | colour[2]) * HAZES + haze;
    if (!this.sprites.has(number)) this.sprites.set(number, sprite(colour, haze / (HAZES - 1), look));
    this.brush.drawImage(this.sprites.get(number), across - size, down - size, 2 * size, 2 * size);
    if (!scene.sites || size <= LEAST_PATCHED) return;
    const pale = (0.55 * haze) / (HAZES - 1);
    this.brush.fillStyle = css(patchColour([...colour]).map((c, k) => c + pale * (look.ground[k] - c)));
    this.brush.beginPath();
    for (const direction of scene.sites.directions(slot)) {
      const along = (way) => way.reduce((sum, x, k) => sum + x * direction[k], 0);
      const towards = along(camera.towards);
      if (towards < 0) continue;
      cap(this.brush, across, down, size, [along(camera.right), -along(camera.up), towards]);
    }
    this.brush.fill();
  }
}

/** A shaded sphere that fills a square. */
function sprite(colour, haze, look) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SPRITE;
  const brush = canvas.getContext("2d");
  const half = SPRITE / 2;
  const shade = (light) =>
    css(colour.map((c, k) => Math.min(255, c * light) * (1 - 0.55 * haze) + look.ground[k] * 0.55 * haze));
  const light = brush.createRadialGradient(0.7 * half, 0.6 * half, 0.1 * half, half, half, half);
  light.addColorStop(0, shade(1.12));
  light.addColorStop(0.5, shade(0.95));
  light.addColorStop(0.88, shade(0.66));
  light.addColorStop(1, shade(0.4));
  brush.fillStyle = light;
  brush.beginPath();
  brush.arc(half, half, half - 0.5, 0, 7);
  brush.fill();
  return canvas;
}

function outside(across, down, size, camera) {
  const [width, height] = camera.size;
  return across < -size || down < -size || across > width + size || down > height + size;
}

function css(rgb) {
  return `rgb(${rgb.map(Math.round).join(" ")})`;
}
