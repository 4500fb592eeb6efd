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
    const surfaces = rows(stage.scene.surfaces).map((row) =>
      listed(entry(rowName(row), row[0].ink(stage.dark), () => !row[0].hidden, () => row.forEach((surface) => stage.toggleSurface(surface)))));
    this.root.querySelector(".surfaces").replaceChildren(...surfaces);
    this.count();
  }

  /** To be called when another frame is shown. */
  count() {
    this.root.querySelectorAll(".count").forEach((place, n) => (place.textContent = this.stage.counts[n]));
  }
}

/** Surfaces whose names differ in their numbers, `fence_1` and `fence_2`, together. */
function rows(surfaces) {
  const found = new Map();
  for (const surface of surfaces) {
    const stem = surface.name.replace(/_\d+$/, "_");
    found.set(stem, [...(found.get(stem) ?? []), surface]);
  }
  return [...found.values()];
}

function rowName(row) {
  return row.length === 1 ? row[0].name : `${row[0].name} to ${row.at(-1).name}`;
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
