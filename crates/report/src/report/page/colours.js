// What colours can tell: each key sorts the particles into classes, which the legend can switch off.

/** `#rrggbb` as three numbers from 0 to 255. */
function rgbOf(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

/** On dark ground black would not be seen, nor the darkest of an ordered row. */
function palettes(head, dark) {
  const distinct = head.distinct.map((hex) => (dark && hex === "#000000" ? "#e8e8e8" : hex));
  const [alone, ...others] = head.ordered.map(rgbOf);
  const ordered = dark ? [[107, 114, 124], ...others.reverse().map(lifted)] : [alone, ...others];
  return { distinct: distinct.map(rgbOf), ordered };
}

/** A dark colour, lighter. */
function lifted(rgb) {
  const share = Math.max(0, 0.45 - (rgb[0] + rgb[1] + rgb[2]) / 765);
  return rgb.map((c) => c + share * (255 - c));
}

/** `EGFR{bound,bare}` is the species EGFR in the state `bound,bare`. */
function speciesAndState(name) {
  const found = /^(.*?)\{(.*)\}$/.exec(name);
  return found ? [found[1], found[2]] : [name, ""];
}

/**
 * The keys that this film has. Of each: its `name`; its `classes`, with label and colour; `classOf` a
 * slot; and, where members of a class differ in colour, `shadeOf` a slot.
 */
function colourKeys(film, dark) {
  const { head } = film;
  const { distinct, ordered } = palettes(head, dark);
  const alone = { label: "alone", colour: ordered[0] };
  const parts = head.species.map(speciesAndState);
  const keys = [byText("species", parts.map(([species]) => species), film, distinct)];
  if (parts.some(([, state]) => state)) {
    const several = new Set(parts.filter(([, state]) => state).map(([species]) => species)).size > 1;
    const label = ([species, state]) => (state && !several ? state : state ? `${species}{${state}}` : species);
    keys.push(byText("state", parts.map(label), film, distinct));
  }
  const shapes = new Set(film.outlines?.shapeOf ?? []);
  const kinds = [...new Set([...shapes].sort((a, b) => a - b).map((n) => head.outlines.kinds[n]))];
  if (kinds.length > 1) {
    keys.push({
      name: "shape",
      classes: kinds.map((label, n) => ({ label, colour: distinct[n % distinct.length] })),
      classOf: (slot) => kinds.indexOf(head.outlines.kinds[film.outlines.shapeOf[slot]]),
    });
  }
  (head.sites?.states ?? []).forEach(({ site, classes }, n) => {
    keys.push({
      name: `state of ${site}`,
      classes: classes.map((label, k) => ({ label, colour: distinct[k % distinct.length] })),
      classOf: (slot) => film.sites.classOf(slot, n),
    });
  });
  if (head.identities && head.sizes.length > 1) {
    const label = (size, n) => (n ? `in a cluster of ${size}` : size);
    keys.push({
      name: "cluster size",
      classes: head.sizes.map((size, n) => ({ label: label(size, n), colour: ordered[n] })),
      // The logarithm to base 2, rounded up: classes double.
      classOf: (slot) => Math.min(32 - Math.clz32(film.sizes[slot] - 1), ordered.length - 1),
    });
    keys.push({
      name: "cluster",
      classes: [alone, { label: "in a cluster (colours repeat)", colour: distinct[0] }],
      classOf: (slot) => (film.sizes[slot] > 1 ? 1 : 0),
      // Spread, so that identities that follow each other differ.
      shadeOf: (slot) => (film.sizes[slot] > 1 ? distinct[(film.clusters[slot] * 5) % 8] : alone.colour),
    });
  }
  return keys;
}

/** A key whose classes are the different texts that belong to the species. */
function byText(name, texts, film, colours) {
  const labels = [...new Set(texts)];
  const classes = labels.map((label, n) => ({ label, colour: colours[n % colours.length] }));
  const classOfSpecies = texts.map((text) => labels.indexOf(text));
  return { name, classes, classOf: (slot) => classOfSpecies[film.species[slot]] };
}

/**
 * Writes the colour of each slot (red, green, blue, and 0 for not to be seen), and counts how many
 * particles of each class there are, seen or not.
 */
function paint(film, key, hidden, colours) {
  const counts = new Array(key.classes.length).fill(0);
  for (let slot = 0; slot < film.ids.length; slot++) {
    colours[4 * slot + 3] = 0;
    if (film.ids[slot] < 0) continue;
    const number = key.classOf(slot);
    counts[number]++;
    if (hidden.has(number)) continue;
    const colour = key.shadeOf ? key.shadeOf(slot) : key.classes[number].colour;
    colours[4 * slot] = colour[0];
    colours[4 * slot + 1] = colour[1];
    colours[4 * slot + 2] = colour[2];
    colours[4 * slot + 3] = 255;
  }
  return counts;
}
