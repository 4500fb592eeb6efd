// What colours tell, to choose from, and the classes of what was chosen, to show or hide.

class Legend {
  constructor(root, stage) {
    this.root = root;
    this.stage = stage;
    stage.onkeys = () => this.offer();
    this.offer();
  }

  /** The keys to choose from. */
  offer() {
    const { stage } = this;
    this.root.querySelector(".keys").replaceChildren(...stage.keys.map(({ name }) => {
      const about = { type: "radio", name: "colour", value: name, checked: name === stage.key.name };
      const button = Object.assign(document.createElement("input"), about);
      button.onchange = () => {
        stage.colourBy(name);
        this.#list();
      };
      const label = document.createElement("label");
      label.append(button, line(name));
      return label;
    }));
    this.#list();
  }

  /** The classes, each with its colour and the number of its particles. */
  #list() {
    const { stage } = this;
    const entries = stage.key.classes.map(({ label, colour }, n) => {
      const button = entry(label, colour, () => !stage.hidden.has(n), () => stage.toggle(n));
      button.dataset.class = n;
      button.append(Object.assign(line(""), { className: "count" }));
      return listed(button);
    });
    this.root.querySelector(".classes").replaceChildren(...entries);
    const surfaces = stage.scene.surfaces.map((surface) =>
      listed(entry(surface.name, surface.ink(stage.dark), () => !surface.hidden, () => stage.toggleSurface(surface))));
    this.root.querySelector(".surfaces").replaceChildren(...surfaces);
    this.count();
  }

  /** To be called when another frame is shown. */
  count() {
    this.root.querySelectorAll(".count").forEach((place, n) => (place.textContent = this.stage.counts[n]));
  }
}

/** A button that shows or hides something. */
function entry(label, colour, isShown, toggle) {
  const button = Object.assign(document.createElement("button"), { type: "button", title: "show or hide" });
  const swatch = document.createElement("i");
  swatch.style.background = css(colour);
  button.append(swatch, line(label));
  button.setAttribute("aria-pressed", isShown());
  button.onclick = () => {
    toggle();
    button.setAttribute("aria-pressed", isShown());
  };
  return button;
}

function listed(element) {
  const item = document.createElement("li");
  item.append(element);
  return item;
}

/** A piece of text; never read as HTML. */
function line(text) {
  return Object.assign(document.createElement("span"), { textContent: text });
}
