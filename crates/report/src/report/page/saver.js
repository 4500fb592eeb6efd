// What is seen on the screen, saved as a picture or a film.

class Saver {
  constructor(player) {
    this.player = player;
    const [picture, film] = [".save-picture", ".save-film"].map((name) => player.root.querySelector(name));
    picture.onclick = () => this.picture();
    film.onclick = () => this.film();
    film.hidden = player.film.length < 2 || typeof MediaRecorder === "undefined";
  }

  /** Draws what is seen on a canvas of its own, with scale bar and time. */
  #draw(copy) {
    const { stage, root } = this.player;
    // A canvas of WebGL keeps what was drawn until the browser has shown it.
    stage.draw();
    const { canvas, pixels } = stage;
    if (copy.width !== canvas.width) copy.width = canvas.width;
    if (copy.height !== canvas.height) copy.height = canvas.height;
    const { ground, ink } = stage.dark ? DARK : LIGHT;
    const pen = copy.getContext("2d");
    pen.fillStyle = `rgb(${ground})`;
    pen.fillRect(0, 0, copy.width, copy.height);
    pen.drawImage(canvas, 0, 0);
    pen.fillStyle = pen.strokeStyle = `rgb(${ink})`;
    pen.font = `${13 * pixels}px sans-serif`;
    const [margin, foot] = [12 * pixels, copy.height - 14 * pixels];
    const bar = parseFloat(root.querySelector(".bar").style.width) * pixels;
    pen.fillRect(margin, foot, bar, 3 * pixels);
    pen.fillText(root.querySelector(".length").textContent, margin, foot - 6 * pixels);
    pen.fillText(root.querySelector(".time").textContent, margin, 22 * pixels);
    return copy;
  }

  /** Offers a file to whoever looks at the page. */
  #offer(blob, ending) {
    const link = document.createElement("a");
    const name = document.title.replace(/[^\p{L}\p{N}]+/gu, "_") || "jostle";
    link.href = URL.createObjectURL(blob);
    link.download = `${name}_${this.player.film.head.frames[this.player.frame].frame}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    this.saved = { name: link.download, size: blob.size };
  }

  async picture() {
    const copy = this.#draw(document.createElement("canvas"));
    this.#offer(await new Promise((done) => copy.toBlob(done, "image/png")), "png");
  }

  /** Plays all frames once, at the chosen speed, and records them. */
  async film() {
    const { player } = this;
    player.play(false);
    const copy = this.#draw(document.createElement("canvas"));
    const stream = copy.captureStream(0);
    const recorder = new MediaRecorder(stream, { videoBitsPerSecond: 12_000_000 });
    const parts = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    const ended = new Promise((done) => (recorder.onstop = done));
    recorder.start();
    for (let frame = 0; frame < player.film.length; frame++) {
      await player.show(frame);
      this.#draw(copy);
      stream.getVideoTracks()[0].requestFrame();
      await new Promise((done) => setTimeout(done, 1000 / player.speed.value));
    }
    recorder.stop();
    await ended;
    const type = recorder.mimeType || "video/webm";
    this.#offer(new Blob(parts, { type }), type.includes("mp4") ? "mp4" : "webm");
  }
}
