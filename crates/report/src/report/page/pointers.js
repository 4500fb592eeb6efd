// Mouse, pen and fingers on the screen of the player.

/** A pointer that has moved no farther than this has clicked. [px] */
const CLICK = 4;

class Pointers {
  constructor(player) {
    const { screen } = player;
    this.player = player;
    this.stage = player.stage;
    this.screen = screen;
    this.hint = screen.querySelector(".hint");
    /** Those that are pressed: where they are, and how far they have moved. */
    this.pressed = new Map();
    const listen = (names, deed) => names.forEach((name) => screen.addEventListener(name, deed, { passive: false }));
    listen(["pointerdown"], (event) => this.#press(event));
    listen(["pointermove"], (event) => this.#move(event));
    listen(["pointerup", "pointercancel"], (event) => this.#release(event));
    listen(["pointerleave"], () => this.#leave());
    listen(["wheel"], (event) => this.#wheel(event));
    listen(["dblclick"], (event) => this.#onButton(event) || player.zoom(2, ...this.#at(event)));
    listen(["contextmenu"], (event) => event.preventDefault());
  }

  /** Where on the screen. [px] */
  #at(event) {
    const frame = this.screen.getBoundingClientRect();
    return [event.clientX - frame.left, event.clientY - frame.top];
  }

  #onButton(event) {
    return event.target.closest("button") !== null;
  }

  #press(event) {
    if (this.#onButton(event)) return;
    this.screen.setPointerCapture(event.pointerId);
    this.pressed.set(event.pointerId, { at: this.#at(event), way: 0 });
    this.#leave();
  }

  #move(event) {
    const pointer = this.pressed.get(event.pointerId);
    const now = this.#at(event);
    if (!pointer) {
      if (this.#onButton(event)) this.player.hover(-1);
      else this.#look(now);
      return;
    }
    const [dx, dy] = [now[0] - pointer.at[0], now[1] - pointer.at[1]];
    const other = [...this.pressed].find(([id]) => id !== event.pointerId)?.[1];
    if (other) this.#pinch(pointer.at, now, other.at);
    else this.player.drag(dx, dy, this.stage.camera.flat || event.shiftKey || event.buttons > 1);
    Object.assign(pointer, { at: now, way: pointer.way + Math.hypot(dx, dy) });
  }

  /** One of two fingers moves: what is under them stays under them. */
  #pinch(before, now, other) {
    const apart = (at) => Math.max(Math.hypot(at[0] - other[0], at[1] - other[1]), 1);
    const middle = [0, 1].map((k) => 0.5 * (now[k] + other[k]));
    this.player.zoom(apart(now) / apart(before), ...middle);
    this.player.drag(0.5 * (now[0] - before[0]), 0.5 * (now[1] - before[1]), true);
  }

  #release(event) {
    const pointer = this.pressed.get(event.pointerId);
    this.pressed.delete(event.pointerId);
    const clicked = event.type === "pointerup" && pointer && pointer.way <= CLICK;
    if (clicked) this.player.choose(this.stage.pick(...pointer.at));
  }

  #leave() {
    this.player.hover(-1);
    this.hint.classList.remove("shown");
  }

  #wheel(event) {
    // Whoever only scrolls the page is not to be caught here.
    const meant = event.ctrlKey || document.activeElement === this.screen;
    if (!meant) return this.#teach();
    event.preventDefault();
    // Some mice count in lines.
    const way = event.deltaY * (event.deltaMode ? 16 : 1);
    this.player.zoom(Math.exp(-0.0015 * way), ...this.#at(event));
  }

  /** Shows for a moment how the wheel is used. */
  #teach() {
    this.hint.classList.add("shown");
    clearTimeout(this.taught);
    this.taught = setTimeout(() => this.hint.classList.remove("shown"), 1500);
  }

  /** Looks once per picture what is under the pointer. */
  #look(at) {
    if (!this.looking) {
      requestAnimationFrame(() => {
        this.player.hover(this.stage.pick(...this.looking), this.looking);
        this.looking = null;
      });
    }
    this.looking = at;
  }
}
