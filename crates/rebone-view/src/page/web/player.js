// The player of one clip: controls, camera and clock.

const USUAL_DISTANCE = 3.6; // metres; a standing body then fills most of the picture

// Returns a sentence with the reason that a body has no skin.
function whySticks({ name, skin }) {
  const other = skins.works ? "the page has too many meshes" : "the browser has no WebGL";
  return `${name === "source" ? "Source" : "Result"} as sticks: ${skin.none ?? other}.`;
}

class Player {
  #stage = byId("stage");
  #range = byId("frame");
  #camera = { yaw: 0, pitch: 0.15, distance: USUAL_DISTANCE };
  #clip = null;
  #bodies = [];
  #path = null;
  #frame = 0;
  #exact = 0; // frame with its fraction, as the clock counts
  #last = 0;
  #playing = false;
  #waiting = false;
  #onFrame;

  // `onFrame` is called with every new frame.
  constructor(onFrame) {
    this.#onFrame = onFrame;
    this.#bindControls();
    this.#bindStage();
  }

  // Shows a clip from its start; without bodies stops and hides the player.
  load(clip, bodies) {
    this.#play(false);
    this.#clip = bodies.length ? clip : null;
    this.#bodies = bodies;
    byId("player").hidden = !this.#clip;
    if (!this.#clip) return;
    this.#path = pathBox(bodies);
    byId("skins").disabled = !bodies.some(({ mesh }) => mesh);
    byId("sticks").textContent = bodies.filter(({ mesh }) => !mesh).map(whySticks).join(" ");
    this.#range.max = clip.frames - 1;
    for (const body of ["source", "result"]) {
      byId(`see-${body}`).disabled = !bodies.some(({ name }) => name === body);
    }
    this.#follow();
    this.look(0);
    this.seek(0);
  }

  seek(frame) {
    if (!this.#clip) return;
    this.#frame = this.#exact = clamp(frame, 0, this.#clip.frames - 1);
    this.#refresh();
  }

  step(count) {
    if (!this.#clip) return;
    this.#play(false);
    this.seek(this.#frame + count);
  }

  toggle() {
    this.#play(!this.#playing);
  }

  // 0 looks at the front, a quarter turn at the side.
  look(yaw) {
    this.#camera.yaw = yaw;
    this.#camera.pitch = 0.15;
    this.redraw();
  }

  turn(yaw, pitch) {
    this.#camera.yaw += yaw;
    this.#camera.pitch = clamp(this.#camera.pitch + pitch, -0.3, 1.5);
    this.redraw();
  }

  zoom(factor) {
    this.#camera.distance = clamp(this.#camera.distance * factor, 0.6, 200);
    this.redraw();
  }

  // Draws once for all events before the next picture of the screen.
  redraw() {
    if (!this.#waiting) requestAnimationFrame(() => this.#draw());
    this.#waiting = true;
  }

  #draw() {
    this.#waiting = false;
    if (!this.#clip || !this.#stage.clientWidth) return;
    const seen = this.#bodies.filter((body) => byId(`see-${body.name}`)?.checked ?? true);
    drawScene(this.#stage, this.#view(), seen, this.#frame);
    const names = seen.map((body) => body.name).join(" and ") || "nothing";
    this.#stage.setAttribute("aria-label", `Figures of ${names} at frame ${this.#frame}`);
  }

  #view() {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    const view = { ...this.#camera, width, height, focal: 1.5 * Math.min(width, height), skins: byId("skins").checked };
    if (byId("follow").checked) {
      return { ...view, middle: rootMiddle(this.#bodies, this.#frame) };
    }
    // Larger cells let the floor reach under the whole path.
    return { ...view, middle: this.#path.middle, cell: Math.max(0.5, Math.ceil(this.#path.extent / 8) / 2) };
  }

  #refresh() {
    const seconds = (this.#frame * this.#clip.frame_time).toFixed(2);
    this.#range.value = this.#frame;
    this.#range.setAttribute("aria-valuetext", `frame ${this.#frame}, ${seconds} seconds`);
    const between = this.#bodies[0].frames.includes(this.#frame) ? "" : ", between poses that are stored";
    byId("when").textContent = `Frame ${this.#frame} (0 to ${this.#clip.frames - 1}), at ${seconds} s${between}`;
    this.#onFrame(this.#frame);
    this.redraw();
  }

  #play(on) {
    this.#playing = on && this.#clip !== null;
    byId("play").textContent = this.#playing ? "Pause" : "Play";
    this.#last = performance.now();
    if (this.#playing) requestAnimationFrame((now) => this.#tick(now));
  }

  #tick(now) {
    if (!this.#playing) return;
    const passed = (Math.max(now - this.#last, 0) / 1000) * byId("speed").value;
    this.#last = now;
    // Loops, which shows whether the clip loops well.
    this.#exact = (this.#exact + passed / this.#clip.frame_time) % this.#clip.frames;
    if (Math.floor(this.#exact) !== this.#frame) {
      this.#frame = Math.floor(this.#exact);
      this.#refresh();
    }
    requestAnimationFrame((next) => this.#tick(next));
  }

  #follow() {
    const usual = USUAL_DISTANCE * tallest(this.#bodies);
    const still = Math.max(usual, this.#path.extent * 1.2);
    this.#camera.distance = byId("follow").checked ? usual : still;
    this.redraw();
  }

  #bindControls() {
    const on = (id, event, act) => byId(id).addEventListener(event, act);
    on("play", "click", () => this.toggle());
    on("step-back", "click", () => this.step(-1));
    on("step-on", "click", () => this.step(1));
    on("front", "click", () => this.look(0));
    on("side", "click", () => this.look(Math.PI / 2));
    on("follow", "change", () => this.#follow());
    on("see-source", "change", () => this.redraw());
    on("see-result", "change", () => this.redraw());
    on("frame", "input", () => this.seek(Number(this.#range.value)));
  }

  #bindStage() {
    const stage = this.#stage;
    stage.addEventListener("pointerdown", (event) => stage.setPointerCapture(event.pointerId));
    stage.addEventListener("pointermove", (event) => {
      if (!stage.hasPointerCapture(event.pointerId)) return;
      this.turn(-event.movementX * 0.01, event.movementY * 0.01);
    });
    const wheel = (event) => {
      event.preventDefault();
      this.zoom(Math.exp(event.deltaY * 0.001));
    };
    // The page must not scroll while the wheel zooms, which needs a listener that is not passive.
    stage.addEventListener("wheel", wheel, { passive: false });
    new ResizeObserver(() => this.redraw()).observe(stage);
  }
}
