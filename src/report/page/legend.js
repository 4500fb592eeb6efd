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

  /** The classes, each with its colour and the number of its bodies. */
  #list() {
    const { stage } = this;
    const entries = stage.key.classes.map(({ label, colour }, n) => {
      const button = Object.assign(document.createElement("button"), { type: "button", title: "show or hide" });
      const swatch = document.createElement("i");
      swatch.style.background = css(colour);
      button.dataset.class = n;
      button.append(swatch, line(label), Object.assign(line(""), { className: "count" }));
      button.setAttribute("aria-pressed", !stage.hidden.has(n));
      button.onclick = () => {
        stage.toggle(n);
        button.setAttribute("aria-pressed", !stage.hidden.has(n));
      };
      const item = document.createElement("li");
      item.append(button);
      return item;
    });
    this.root.querySelector(".classes").replaceChildren(...entries);
    this.count();
  }

  /** To be called when another frame is shown. */
  count() {
    this.root.querySelectorAll(".count").forEach((place, n) => (place.textContent = this.stage.counts[n]));
  }
}

/** A piece of text; never read as HTML. */
function line(text) {
  return Object.assign(document.createElement("span"), { textContent: text });
}
