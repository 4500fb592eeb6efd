// Draws particles with WebGL 2. Each is one point of the size of its disc, whose pixels know where on the
// sphere they lie, so that a hundred thousand cost little more than their places. Points that are larger
// than the graphics processor can draw (one zooms far in) become squares of four corners.

/** Both for points and for squares; SQUARES tells which, and SITES whether particles have patches. */
const BODY_CORNERS = `
in vec2 corner;
in vec3 place;
in float radius;
in vec4 colour;
uniform vec3 low, quantum, middle;
uniform mat3 turn;
uniform vec2 pan, zoom;
uniform float scale, least, magnify;
out vec2 at;
out vec3 ink;
out float size, depth, grown;
#ifdef SITES
in vec4 turned;
in vec2 list;
flat out vec4 pose;
flat out vec2 sites;
#endif
void main() {
#ifdef SITES
  pose = turned;
  sites = list;
#endif
  vec3 seen = turn * (low + (place + 0.5) * quantum - middle);
  size = max(radius * magnify, least);
  // Half a pixel of room for a soft edge.
  float room = size + 0.5 / scale;
  grown = room / size;
  ink = colour.rgb;
  depth = seen.z;
  vec2 centre = seen.xy - pan;
#ifdef SQUARES
  at = corner * grown;
  gl_Position = vec4((centre + corner * room) * zoom, 0.0, 1.0);
#else
  gl_Position = vec4(centre * zoom, 0.0, 1.0);
  gl_PointSize = 2.0 * room * scale;
#endif
  // An empty slot, or switched off: out of sight.
  if (colour.a == 0.0) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
}`;

const BODY_PIXELS = `
precision highp float;
in vec2 at;
in vec3 ink;
in float size, depth, grown;
uniform float reach, scale, deep;
uniform vec3 ground;
out vec4 colour;
#ifdef SITES
flat in vec4 pose;
flat in vec2 sites;
uniform mat3 turn;
uniform float wide;
uniform highp sampler2D axes;
/** How much of a place on the sphere is covered by a patch, whose edge fades over twice a width. */
float patched(vec3 here, float soft) {
  // From the screen into the box, and on into the frame of the particle.
  vec3 p = here * turn;
  p += 2.0 * cross(pose.yzw, cross(pose.yzw, p) - pose.x * p);
  float nearest = 2.0;
  int first = int(sites.x);
  for (int k = first; k < first + int(sites.y); k++) {
    nearest = min(nearest, distance(p, texelFetch(axes, ivec2(k, 0), 0).xyz));
  }
  return 1.0 - smoothstep(wide - soft, wide + soft, nearest);
}
#endif
void main() {
#ifdef SQUARES
  vec2 here = at;
#else
  vec2 here = (gl_PointCoord * 2.0 - 1.0) * vec2(1.0, -1.0) * grown;
#endif
  float from = length(here);
  float pixel = 1.0 / (size * scale);
  float cover = clamp((1.0 - from) / pixel + 0.5, 0.0, 1.0);
  if (cover <= 0.0) discard;
  float height = sqrt(max(1.0 - from * from, 0.0));
  // A dark rim sets particles apart that touch; on specks it would be all that one sees.
  float rim = size * scale > 3.0 ? smoothstep(1.0 - max(0.12, 1.5 * pixel), 1.0, from) : 0.0;
  vec3 shade = ink;
#ifdef SITES
  if (size * scale > float(LEAST_PATCHED)) {
    bool dark = dot(ink, vec3(255.0)) < 240.0;
    vec3 other = dark ? mix(ink, vec3(1.0), 0.55) : mix(ink, vec3(34.0 / 255.0), 0.6);
    bool flatly = deep == 0.0;
    shade = mix(ink, other, patched(vec3(here, flatly ? 0.0 : height), flatly ? pixel : pixel / max(height, 0.25)));
  }
#endif
  if (deep > 0.0) {
    float light = max(dot(vec3(here, height), normalize(vec3(-0.45, 0.6, 0.75))), 0.0);
    shade = shade * (0.62 + 0.42 * light) + 0.10 * pow(light, 24.0);
    shade = mix(shade, ground, 0.55 * clamp(0.5 - 0.5 * depth / reach, 0.0, 1.0));
  }
  shade = mix(shade, shade * 0.5, 0.8 * rim);
  colour = vec4(shade, cover);
  gl_FragDepth = 0.5 - 0.25 * (depth + height * size) / reach;
}`;

const LINE_CORNERS = `
in vec2 corner;
in vec4 from, to;
uniform vec3 middle;
uniform mat3 turn;
uniform vec2 pan, zoom, screen;
uniform float reach, wide, share;
void main() {
  // The fourth number lifts an end towards the eye, onto the surface of its particle.
  vec3 a = turn * (from.xyz - middle) + vec3(0.0, 0.0, from.w);
  vec3 b = turn * (to.xyz - middle) + vec3(0.0, 0.0, to.w);
  vec2 p = (a.xy - pan) * zoom * screen;
  vec2 q = (b.xy - pan) * zoom * screen;
  vec2 along = q - p;
  vec2 aside = length(along) > 0.0 ? normalize(vec2(-along.y, along.x)) : vec2(0.0);
  float half_width = max(wide, share * min(from.w, to.w) * zoom.x * screen.x);
  vec2 place = mix(p, q, corner.x * 0.5 + 0.5) + aside * corner.y * half_width;
  float depth = mix(a.z, b.z, corner.x * 0.5 + 0.5);
  gl_Position = vec4(place / screen, -0.5 * depth / reach, 1.0);
}`;

const LINE_PIXELS = `
precision highp float;
uniform vec4 ink;
out vec4 colour;
void main() { colour = ink; }`;

/** Triangles, whose pixels know how near the rim they are. */
const MESH_CORNERS = `
in vec2 place;
in vec3 colour;
in float inwards;
uniform vec3 middle;
uniform mat3 turn;
uniform vec2 pan, zoom;
out vec3 ink;
out float depth;
void main() {
  vec3 seen = turn * (vec3(place, 0.0) - middle);
  ink = colour / 255.0;
  depth = inwards;
  gl_Position = vec4((seen.xy - pan) * zoom, 0.0, 1.0);
}`;

const MESH_PIXELS = `
precision highp float;
in vec3 ink;
in float depth;
uniform float rims;
out vec4 colour;
void main() {
  // A dark rim of one to two pixels sets particles apart that touch.
  float pixel = fwidth(depth);
  float rim = rims * (1.0 - smoothstep(0.0, clamp(0.12, pixel, 2.0 * pixel), depth));
  colour = vec4(mix(ink, ink * 0.5, 0.8 * rim), 1.0);
}`;

class Spheres {
  /** Nothing if the browser has no WebGL 2. */
  static on(canvas, sites) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
    return gl && new Spheres(gl, sites);
  }

  /** `sites` are those that point somewhere, if any do. */
  constructor(gl, sites) {
    this.gl = gl;
    this.sites = sites;
    this.name = "WebGL";
    this.largestPoint = gl.getParameter(gl.ALIASED_POINT_SIZE_RANGE)[1];
    const patches = sites ? `#define SITES\n#define LEAST_PATCHED ${LEAST_PATCHED}\n` : "";
    this.points = linked(gl, BODY_CORNERS, BODY_PIXELS, patches);
    this.squares = linked(gl, BODY_CORNERS, BODY_PIXELS, `${patches}#define SQUARES\n`);
    if (sites) this.#keepAxes(sites.axes);
    this.lines = linked(gl, LINE_CORNERS, LINE_PIXELS);
    this.meshes = linked(gl, MESH_CORNERS, MESH_PIXELS);
    this.corners = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.corners);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
    this.crowd = this.#bodies({ type: gl.UNSIGNED_SHORT, stride: 8 });
    this.images = this.#bodies({ type: gl.FLOAT, stride: 0 });
    this.bonds = this.#ends();
    this.frame = this.#ends();
    this.spokes = this.#ends();
    this.chains = this.#ends();
    this.surfaces = new Map();
    this.mesh = this.#triangles();
  }

  /** Where sites point, one after the other in a picture of one row: the only one, so it stays bound. */
  #keepAxes(axes) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, axes.length / 4, 1, 0, gl.RGBA, gl.FLOAT, axes);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  /** Buffers for particles, whose places have a type of their own, and how either program reads them. */
  #bodies({ type, stride }) {
    const { gl } = this;
    const [place, radius, colour, turned, list] = Array.from({ length: 5 }, () => gl.createBuffer());
    const read = (program, every) => this.#reading(program, every, [
      ["place", place, 3, type, stride, 0],
      ["radius", radius, 1, gl.FLOAT, 0, 0],
      ["colour", colour, 4, gl.UNSIGNED_BYTE, 0, 0],
      ...(this.sites ? [["turned", turned, 4, gl.FLOAT, 0, 0], ["list", list, 2, gl.FLOAT, 0, 0]] : []),
    ]);
    const [points, squares] = [read(this.points, 0), read(this.squares, 1)];
    return { buffers: { place, radius, colour, turned, list }, points, squares, count: 0 };
  }

  /** Buffers for lines. */
  #ends() {
    const { gl } = this;
    const ends = gl.createBuffer();
    const squares = this.#reading(this.lines, 1, [
      ["from", ends, 4, gl.FLOAT, 32, 0],
      ["to", ends, 4, gl.FLOAT, 32, 16],
    ]);
    return { buffers: { ends }, squares, count: 0 };
  }

  /** Buffers for triangles. */
  #triangles() {
    const { gl } = this;
    const [corners, triangles] = [gl.createBuffer(), gl.createBuffer()];
    const all = this.#reading(this.meshes, 0, [
      ["place", corners, 2, gl.FLOAT, 4 * PER_CORNER, 0],
      ["colour", corners, 3, gl.FLOAT, 4 * PER_CORNER, 8],
      ["inwards", corners, 1, gl.FLOAT, 4 * PER_CORNER, 20],
    ]);
    gl.bindVertexArray(all);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, triangles);
    gl.bindVertexArray(null);
    return { buffers: { corners, triangles }, all, count: 0 };
  }

  #loadMesh(scene) {
    const { gl, mesh } = this;
    const { corners, triangles } = scene.mesh.filled();
    this.#fill(mesh, "corners", corners);
    gl.bindVertexArray(mesh.all);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.DYNAMIC_DRAW);
    gl.bindVertexArray(null);
    mesh.count = triangles.length;
    this.#fill(this.spokes, "ends", scene.spokes);
    this.#fill(this.chains, "ends", scene.chains);
    this.spokes.count = scene.spokes.length / 8;
    this.chains.count = scene.chains.length / 8;
  }

  #loadSurface(surface) {
    const lines = this.#ends();
    this.#fill(lines, "ends", surface.ends);
    lines.count = surface.ends.length / 8;
    this.surfaces.set(surface, lines);
  }

  /** How a program reads buffers: the same entry for all corners of a square (1), or one each (0). */
  #reading({ program }, every, attributes) {
    const { gl } = this;
    const all = gl.createVertexArray();
    gl.bindVertexArray(all);
    if (every) attributes = [["corner", this.corners, 2, gl.FLOAT, 0, 0], ...attributes];
    for (const [name, buffer, count, type, stride, from] of attributes) {
      const place = gl.getAttribLocation(program, name);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(place);
      // Quanta are numbers; the bytes of colours are shares of 255.
      gl.vertexAttribPointer(place, count, type, type === gl.UNSIGNED_BYTE, stride, from);
      gl.vertexAttribDivisor(place, name === "corner" ? 0 : every);
    }
    gl.bindVertexArray(null);
    return all;
  }

  #fill(arrays, name, values) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, arrays.buffers[name]);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
  }

  /** Takes over what has changed in the scene. */
  load(scene) {
    const { changed } = scene;
    if (changed.radii) this.#fill(this.crowd, "radius", scene.radii);
    if (changed.places) this.#fill(this.crowd, "place", scene.places);
    if (changed.colours) this.#fill(this.crowd, "colour", scene.colours);
    if (changed.places || changed.colours) {
      this.#fill(this.images, "place", scene.images.places);
      this.#fill(this.images, "radius", scene.images.radii);
      this.#fill(this.images, "colour", scene.images.colours);
      this.#fill(this.bonds, "ends", scene.bonds);
    }
    if (this.sites) this.#turn(scene);
    if (scene.mesh && (changed.places || changed.colours)) this.#loadMesh(scene);
    if (changed.radii || changed.frame) this.#fill(this.frame, "ends", scene.frame);
    if (changed.radii) scene.surfaces.forEach((surface) => this.#loadSurface(surface));
    this.crowd.count = scene.radii.length;
    this.images.count = scene.images.radii.length;
    this.bonds.count = scene.bonds.length / 8;
    this.frame.count = scene.frame.length / 8;
  }

  /** How particles are turned, and which sites they have. */
  #turn({ changed, sites, images }) {
    if (changed.radii) this.#fill(this.crowd, "list", sites.lists);
    if (changed.places) this.#fill(this.crowd, "turned", sites.turns);
    if (changed.places || changed.colours) {
      this.#fill(this.images, "list", images.lists);
      this.#fill(this.images, "turned", images.turns);
    }
  }

  draw(scene, camera, look) {
    const { gl } = this;
    const largest = scene.largest * scene.magnify * camera.scale * look.pixels;
    const asPoints = 2 * largest + 2 <= this.largestPoint;
    // A point whose centre is out of sight is not drawn at all, so one looks beyond the edges.
    const beyond = asPoints ? Math.ceil(largest) + 1 : 0;
    this.half = [gl.canvas.width, gl.canvas.height].map((length) => 0.5 * length + beyond);
    gl.viewport(-beyond, -beyond, ...this.half.map((length) => 2 * length));
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(...look.ground.map((c) => c / 255), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (camera.flat) {
      gl.disable(gl.DEPTH_TEST);
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
      this.#scissor(camera, look.pixels);
    } else {
      gl.enable(gl.DEPTH_TEST);
      // Soft edges where the order of drawing is not that of depth.
      gl.enable(gl.SAMPLE_ALPHA_TO_COVERAGE);
      this.#drawLines(this.frame, camera, look, 0.6, 0, look.faint);
    }
    if (scene.mesh) this.#drawMesh(scene, camera, look);
    else this.#drawCrowd(scene, asPoints, camera, look);
    this.#drawLines(this.bonds, camera, look, 0.8, 0.22 / scene.magnify, look.ink);
    for (const [surface, lines] of this.surfaces) {
      if (!surface.hidden) this.#drawLines(lines, camera, look, camera.flat ? 0.8 : 0.5, 0, surface.ink(look.dark));
    }
    gl.disable(gl.SCISSOR_TEST);
    if (camera.flat) this.#drawLines(this.frame, camera, look, 0.6, 0, look.ink);
  }

  #drawCrowd({ low, quantum, magnify }, asPoints, camera, look) {
    this.#drawBodies(this.crowd, asPoints, { low, quantum, magnify }, camera, look);
    // The shader adds half a quantum, which places in nm have not lost.
    const nm = { low: [-0.5, -0.5, -0.5], quantum: [1, 1, 1], magnify };
    this.#drawBodies(this.images, asPoints, nm, camera, look);
  }

  /** Particles with outlines, and what presses on them. */
  #drawMesh(scene, camera, look) {
    const { gl } = this;
    this.#aim(this.meshes, camera, look.pixels);
    const large = scene.largest * scene.magnify * camera.scale > 3;
    gl.uniform1f(this.meshes.place("rims"), large ? 1 : 0);
    gl.bindVertexArray(this.mesh.all);
    gl.drawElements(gl.TRIANGLES, this.mesh.count, gl.UNSIGNED_INT, 0);
    if (large) this.#drawLines(this.spokes, camera, look, 0.5, 0, look.faint);
    this.#drawLines(this.chains, camera, look, 0.3, 1, FORCE[look.dark ? "dark" : "light"]);
  }

  /** In the plane, what stands out over an edge of the box shows at the other one. */
  #scissor(camera, pixels) {
    const { gl } = this;
    const [left, bottom] = camera.project(...camera.corner(0));
    const [right, top] = camera.project(...camera.corner(3));
    const [x, y] = [Math.floor(left * pixels), Math.floor(gl.canvas.height - bottom * pixels)];
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(x, y, Math.ceil((right - left) * pixels) + 1, Math.ceil((bottom - top) * pixels) + 1);
  }

  /** What both programs want to know of the camera. */
  #aim({ program, place }, camera, pixels) {
    const { gl } = this;
    gl.useProgram(program);
    const { right, up, towards } = camera;
    const columns = [0, 1, 2].flatMap((k) => [right[k], up[k], towards[k]]);
    gl.uniformMatrix3fv(place("turn"), false, columns);
    gl.uniform3fv(place("middle"), camera.middle);
    gl.uniform2fv(place("pan"), camera.pan);
    gl.uniform2fv(place("zoom"), this.half.map((half) => (camera.scale * pixels) / half));
    gl.uniform1f(place("reach"), camera.reach);
  }

  #drawBodies(arrays, asPoints, grid, camera, look) {
    if (!arrays.count) return;
    const { gl } = this;
    const program = asPoints ? this.points : this.squares;
    const { place } = program;
    this.#aim(program, camera, look.pixels);
    gl.uniform3fv(place("low"), grid.low);
    gl.uniform3fv(place("quantum"), grid.quantum);
    gl.uniform1f(place("magnify"), grid.magnify);
    gl.uniform1f(place("scale"), camera.scale * look.pixels);
    gl.uniform1f(place("least"), 0.8 / (camera.scale * look.pixels));
    gl.uniform1f(place("deep"), camera.flat ? 0 : 1);
    gl.uniform3fv(place("ground"), look.ground.map((c) => c / 255));
    if (this.sites) gl.uniform1f(place("wide"), camera.flat ? LENS : 2 * Math.sin(CAP / 2));
    gl.bindVertexArray(asPoints ? arrays.points : arrays.squares);
    if (asPoints) gl.drawArrays(gl.POINTS, 0, arrays.count);
    else gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, arrays.count);
  }

  #drawLines(arrays, camera, look, wide, share, ink) {
    if (!arrays.count) return;
    const { gl } = this;
    const { place } = this.lines;
    this.#aim(this.lines, camera, look.pixels);
    gl.uniform2fv(place("screen"), this.half);
    gl.uniform1f(place("wide"), wide * look.pixels);
    gl.uniform1f(place("share"), share);
    gl.uniform4fv(place("ink"), [...ink.map((c) => c / 255), 1]);
    gl.bindVertexArray(arrays.squares);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, arrays.count);
  }
}

/** A program of the graphics processor, and where its uniforms are. */
function linked(gl, corners, pixels, defined = "") {
  const made = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, corners], [gl.FRAGMENT_SHADER, pixels]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, `#version 300 es\n${defined}${text}`);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    gl.attachShader(made, shader);
  }
  gl.linkProgram(made);
  if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
  const places = new Map();
  const place = (name) => {
    if (!places.has(name)) places.set(name, gl.getUniformLocation(made, name));
    return places.get(name);
  };
  return { program: made, place };
}
