// The player: which frame is shown and when, buttons, keys and labels.

class Player {
  constructor(root, film) {
    const find = (name) => root.querySelector(name);
    this.root = root;
    this.film = film;
    this.frame = 0;
    this.playing = false;
    this.screen = find(".screen");
    this.tip = find(".tip");
    this.ring = find(".ring");
    this.scrub = find(".scrub");
    this.speed = find(".speed");
    this.loop = find(".loop input");
    this.chosen = null;
    this.stage = new Stage(this.screen, film);
    this.stage.onview = () => this.#label();
    this.legend = new Legend(root.querySelector(".side"), this.stage);
    this.#press(find);
    this.#keys();
    new Pointers(this);
    this.saver = new Saver(this);
  }

  /** Shows a frame. If another is asked for before it is there, only that one is. */
  async show(frame) {
    this.wanted = Math.min(Math.max(frame, 0), this.film.length - 1);
    if (this.busy) return this.busy;
    this.busy = this.#approach();
    return this.busy.finally(() => (this.busy = null));
  }

  async #approach() {
    while (this.wanted !== this.frame || this.film.at < 0) {
      const next = this.wanted;
      await this.stage.show(next);
      this.frame = next;
      this.#tell();
    }
  }

  play(on = !this.playing) {
    this.playing = on && this.film.length > 1;
    const button = this.root.querySelector(".play");
    button.setAttribute("aria-label", this.playing ? "Pause" : "Play");
    button.classList.toggle("on", this.playing);
    if (!this.playing) return;
    if (this.frame === this.film.length - 1) this.show(0);
    this.due = performance.now() + 1000 / this.speed.value;
    // Who presses twice at once is not to start two runs.
    const run = (this.run = Symbol("run"));
    requestAnimationFrame((now) => this.#tick(now, run));
  }

  async #tick(now, run) {
    if (!this.playing || this.run !== run) return;
    if (now >= this.due) {
      const end = this.frame === this.film.length - 1;
      if (end && !this.loop.checked) return this.play(false);
      await this.show(end ? 0 : this.frame + 1);
      this.film.prepare(this.frame);
      // Who is late does not hurry afterwards.
      this.due = Math.max(this.due + 1000 / this.speed.value, performance.now());
    }
    requestAnimationFrame((later) => this.#tick(later, run));
  }

  step(by) {
    this.play(false);
    return this.show(this.frame + by);
  }

  #press(find) {
    find(".play").onclick = () => this.play();
    find(".first").onclick = () => this.step(-Infinity);
    find(".back").onclick = () => this.step(-1);
    find(".forward").onclick = () => this.step(1);
    find(".last").onclick = () => this.step(Infinity);
    find(".closer").onclick = () => this.zoom(1.5);
    find(".farther").onclick = () => this.zoom(1 / 1.5);
    find(".whole").onclick = () => this.#whole();
    this.scrub.oninput = () => {
      this.play(false);
      this.show(Number(this.scrub.value));
    };
    find(".size").onchange = ({ target }) => this.stage.magnify(Number(target.value));
    find(".with-forces").hidden = !this.film.head.outlines?.forces;
    find(".forces").onchange = ({ target }) => this.stage.showForces(target.checked);
    find(".let-go").onclick = () => this.choose(-1);
  }

  /** About a place of the screen [px], or its middle. */
  zoom(factor, x, y) {
    this.stage.camera.zoom(factor, x, y);
    this.stage.ask();
  }

  #whole() {
    this.stage.camera.reset();
    this.stage.ask();
  }

  #keys() {
    const does = {
      " ": () => this.play(),
      ArrowLeft: (event) => (event.shiftKey ? this.drag(-40, 0) : this.step(-1)),
      ArrowRight: (event) => (event.shiftKey ? this.drag(40, 0) : this.step(1)),
      ArrowUp: (event) => event.shiftKey && this.drag(0, -40),
      ArrowDown: (event) => event.shiftKey && this.drag(0, 40),
      Home: () => this.step(-Infinity),
      End: () => this.step(Infinity),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(1 / 1.25),
      0: () => this.#whole(),
      Escape: () => this.choose(-1),
    };
    this.root.addEventListener("keydown", (event) => {
      // Buttons, bars and lists have keys of their own.
      const own = event.target.closest("input, select, button, summary");
      const deed = does[event.key];
      if (!deed || event.ctrlKey || event.metaKey || event.altKey) return;
      if (own && !["+", "=", "-", "0", "Escape"].includes(event.key)) return;
      if (deed(event) !== false) event.preventDefault();
    });
  }

  /** Turns a box of three dimensions; moves what is flat. */
  drag(dx, dy, move = this.stage.camera.flat) {
    if (move) this.stage.camera.move(dx, dy);
    else this.stage.camera.rotate(dx, dy);
    this.stage.ask();
  }

  /** Tells at a place of the screen [px] of the particle in a slot, or of none (-1). */
  hover(slot, at) {
    this.tip.hidden = slot < 0;
    if (slot < 0) return;
    this.tip.replaceChildren(...this.#describe(slot).map((text) => line(text)));
    const { width, height } = this.screen.getBoundingClientRect();
    const x = at[0] + 14 + this.tip.offsetWidth > width ? at[0] - 14 - this.tip.offsetWidth : at[0] + 14;
    const y = Math.min(at[1] + 14, height - this.tip.offsetHeight - 4);
    this.tip.style.transform = `translate(${Math.max(x, 0)}px, ${Math.max(y, 0)}px)`;
  }

  /** Keeps an eye on the particle in a slot, or on none (-1). */
  choose(slot) {
    this.chosen = slot < 0 ? null : this.film.ids[slot];
    this.#label();
  }

  /** What there is to say of a particle, in lines. */
  #describe(slot) {
    const { film } = this;
    const { head } = film;
    const error = Math.max(...head.span.slice(0, head.dimension)) / 2 ** (head.bits + 1);
    const decimals = Math.min(Math.max(Math.ceil(-Math.log10(error)), 0), 6);
    const place = [0, 1, 2].slice(0, head.dimension).map((axis) => film.place(slot, axis).toFixed(decimals));
    const lines = [head.identities ? `particle ${film.ids[slot]}` : `column ${slot}`];
    lines.push(head.species[film.species[slot]] ?? "");
    if (head.identities) {
      const size = film.sizes[slot];
      lines.push(size > 1 ? `cluster ${film.clusters[slot]}, of ${size} particles` : "alone");
    }
    lines.push(`at ${place.join(", ")} nm`);
    lines.push(...this.#states(slot));
    if (film.outlines) lines.push(`turned by ${((film.outlines.angle(slot) * 180) / Math.PI).toFixed(1)}°`);
    return lines;
  }

  /** In what states the sites of a particle are, three to a line. */
  #states(slot) {
    const { sites } = this.film;
    const states = (sites?.head.states ?? []).map(({ classes }, n) => classes[sites.classOf(slot, n)]);
    const own = states.filter((state) => !state.startsWith("without "));
    return own.flatMap((_, k) => (k % 3 ? [] : [own.slice(k, k + 3).join(", ")]));
  }

  /** What belongs to the frame. */
  #tell() {
    const { head } = this.film;
    const { frame, step, time } = head.frames[this.frame];
    this.scrub.value = this.frame;
    this.scrub.setAttribute("aria-valuetext", `frame ${this.frame + 1}, ${time ?? ""}`);
    this.root.querySelector(".number").textContent = this.frame + 1;
    this.root.querySelector(".time").textContent = time ? `t = ${time}` : "";
    const thinned = frame !== this.frame ? `, frame ${frame} of the file` : "";
    this.root.querySelector(".step").textContent = step == null ? "" : `step ${step}${thinned}`;
    this.legend.count();
    this.tip.hidden = true;
  }

  /** What depends on where one looks from: the scale bar and the mark of the chosen particle. */
  #label() {
    const { scale } = this.stage.camera;
    const longest = 140 / scale;
    const power = 10 ** Math.floor(Math.log10(longest));
    const length = [5, 2, 1].map((n) => n * power).find((x) => x <= longest) ?? power;
    const [unit, name] = [[1e6, "mm"], [1e3, "µm"], [1, "nm"]].find(([n]) => length >= n) ?? [1, "nm"];
    const text = `${Number((length / unit).toPrecision(1))} ${name}`;
    this.root.querySelector(".bar").style.width = `${length * scale}px`;
    const { magnify } = this.stage.scene;
    const larger = magnify > 1 ? `, particles at ${magnify} × their size` : "";
    this.root.querySelector(".length").textContent = text + larger;
    const slot = this.chosen === null ? -1 : this.film.slotOf(this.chosen);
    const card = this.root.querySelector(".card");
    card.hidden = this.chosen === null;
    this.ring.hidden = slot < 0;
    if (this.chosen === null) return;
    const lines = slot < 0 ? [`particle ${this.chosen}`, "is not in this frame"] : this.#describe(slot);
    card.querySelector(".about").replaceChildren(...lines.map((words) => line(words)));
    if (slot < 0) return;
    const { x, y, radius } = this.stage.whereIs(slot);
    const half = Math.max(radius + 4, 9);
    Object.assign(this.ring.style, {
      width: `${2 * half}px`,
      height: `${2 * half}px`,
      transform: `translate(${x - half}px, ${y - half}px)`,
    });
  }
}

/** Opens the player, if the page has one. */
async function begin() {
  const root = document.querySelector("#player");
  if (!root) return;
  root.hidden = false;
  if (typeof DecompressionStream === "undefined") {
    root.querySelector(".screen").textContent =
      "This browser cannot unpack the frames: it needs to be of 2023 or later.";
    return;
  }
  const head = JSON.parse(document.querySelector("#head").textContent);
  const texts = [...document.querySelectorAll("script.frame")].map((element) => element.textContent);
  const film = await new Film(head, texts).open();
  const { dimension, span } = head;
  const aspect = dimension === 1 ? 5 : dimension === 2 ? span[0] / span[1] : 4 / 3;
  root.querySelector(".screen").style.aspectRatio = Math.min(Math.max(aspect, 1), 5);
  const player = new Player(root, film);
  if (head.bonds && head.sizes.length > 1) player.stage.colourBy("cluster size");
  player.legend.offer();
  if (player.stage.drawer instanceof Discs && !player.stage.asked2d) {
    root.querySelector(".note").append(" This browser has no WebGL 2, and is slow beyond some ten thousand particles.");
  }
  // What came of the run; Home leads to its start.
  await player.show(film.length - 1);
  // For whoever wants to ask the page from the console of the browser.
  window.jostle = { film, player, stage: player.stage };
}

begin().catch((error) => {
  document.querySelector("#player .screen").textContent = `The player cannot start: ${error.message}`;
  throw error;
});
