// Figures: reading of poses, and drawing in perspective.

const FLOOR = 0; // metres; the height of the world's floor
const NEAR = 0.1; // metres; nearest depth that is drawn

const SHIFT = 0.0005; // metres of one unit of offsets from the parent that change
const OFFSET = 0.0001; // metres of one unit of constant offsets from the parent
const POINT = 0.0005; // metres of one unit of positions of points in the axes of their joints

// Reads the frames of the stored poses, then of each body its joints, points on them, and joints of its mesh.
function readBodies({ poses, bodies }, columns) {
  const frames = columns.read(poses);
  return bodies.map((body) => {
    const joints = readJoints(body.joints, poses, columns);
    const [joint, ...place] = Array.from({ length: 4 }, () => columns.read(body.points));
    const points = Array.from(joint, (own, point) => ({ joint: own, place: place.map((axis) => axis[point] * POINT) }));
    const ofMesh = body.skin.mesh ? columns.read(body.skin.mesh.joints) : null;
    return { ...body, frames, joints, points, ofMesh };
  });
}

// Reads joints, each relative to its parent: constant rotation and offset, then columns over the poses where they change.
function readJoints(count, poses, columns) {
  const [parents, turning, moving, parts, x, y, z, w, ...offset] = Array.from({ length: 11 }, () => columns.read(count));
  return Array.from(parents, (parent, joint) => {
    const turns = Array.from({ length: turning[joint] }, () => columns.read(poses));
    const shifts = Array.from({ length: moving[joint] }, () => columns.read(poses));
    if (turns.length === 3) {
      const rest = (_, pose) => parts[joint] ** 2 - turns.reduce((sum, column) => sum + column[pose] ** 2, 0);
      turns.push(Float32Array.from({ length: poses }, (...own) => Math.sqrt(Math.max(rest(...own), 0))));
    }
    const from = unit([x, y, z, w].map((part) => part[joint]));
    return { parent, from, offset: offset.map((axis) => axis[joint] * OFFSET), turns, shifts };
  });
}

// Quaternions are [x, y, z, w].
function unit(turn) {
  const length = Math.hypot(...turn) || 1;
  return turn.map((part) => part / length);
}

function product([ax, ay, az, aw], [bx, by, bz, bw]) {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

const inverse = ([x, y, z, w]) => [-x, -y, -z, w];

function turned([x, y, z, w], [px, py, pz]) {
  const tx = 2 * (y * pz - z * py), ty = 2 * (z * px - x * pz), tz = 2 * (x * py - y * px);
  return [px + w * tx + y * tz - z * ty, py + w * ty + z * tx - x * tz, pz + w * tz + x * ty - y * tx];
}

const sum = (a, b) => a.map((value, axis) => value + b[axis]);

// Returns the index of the last stored pose at or before the frame.
function poseBefore(frames, frame) {
  let low = 0, high = frames.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (frames[middle] <= frame) low = middle;
    else high = middle - 1;
  }
  return low;
}

// Weights of the four stored poses around a frame: a cubic Hermite spline with the slopes between neighbours.
function poseWeights(frames, frame) {
  const pose = poseBefore(frames, frame);
  const near = [-1, 0, 1, 2].map((step) => clamp(pose + step, 0, frames.length - 1));
  const [t0, t1, t2, t3] = near.map((index) => frames[index]);
  if (t1 === frame || t2 === t1) return [[pose, 1]];
  const length = t2 - t1, s = (frame - t1) / length;
  const from = (length * s * (1 - s) ** 2) / (t2 - t0), to = (length * s * s * (s - 1)) / (t3 - t1);
  const end = s * s * (3 - 2 * s);
  return [[near[0], -from], [near[1], 1 - end - to], [near[2], end + from], [near[3], to]];
}

// Returns rotation and position of all joints at a frame in the world, metres; the joints of the last frame are cached.
function jointsAt(body, frame) {
  if (body.last?.frame === frame) return body.last.joints;
  const weights = poseWeights(body.frames, frame);
  const blend = (column) => weights.reduce((sum, [pose, weight]) => sum + weight * column[pose], 0);
  const joints = [];
  for (const { parent, from, offset, turns, shifts } of body.joints) {
    const turn = turns.length ? product(from, unit(turns.map(blend))) : from;
    const place = offset.map((value, axis) => value + (shifts.length ? blend(shifts[axis]) * SHIFT : 0));
    const above = joints[parent];
    joints.push(above ? { turn: product(above.turn, turn), place: sum(above.place, turned(above.turn, place)) } : { turn, place });
  }
  body.last = { frame, joints };
  return joints;
}

// Metres of one point at a frame.
function pointAt(body, frame, point) {
  const { joint, place } = body.points[point];
  const on = jointsAt(body, frame)[joint];
  return sum(on.place, turned(on.turn, place));
}

function middleAt(body, frame, ends) {
  const [a, b] = ends.map((end) => pointAt(body, frame, end));
  return a.map((value, axis) => (value + b[axis]) / 2);
}

// A view is { middle, yaw, pitch, distance, focal }. Yaw 0 looks from +Z, with +X to the right.
// Returns x and y in pixels and the pixels of a metre at that depth.
function project(view, [x, y, z]) {
  const dx = x - view.middle[0], dy = y - view.middle[1], dz = z - view.middle[2];
  const right = dx * Math.cos(view.yaw) - dz * Math.sin(view.yaw);
  const near = dx * Math.sin(view.yaw) + dz * Math.cos(view.yaw);
  const up = dy * Math.cos(view.pitch) - near * Math.sin(view.pitch);
  const depth = view.distance - dy * Math.sin(view.pitch) - near * Math.cos(view.pitch);
  if (depth < NEAR) return null;
  const scale = view.focal / depth;
  return [view.width / 2 + scale * right, view.height / 2 - scale * up, scale];
}

function line(pen, from, to) {
  if (!from || !to) return;
  pen.moveTo(from[0], from[1]);
  pen.lineTo(to[0], to[1]);
}

// Draws the floor of the world, so that floating and sinking bodies show.
// The grid reaches 8 cells from the middle and is fixed to the world: a followed figure moves over it.
function drawFloor(pen, view) {
  const cell = view.cell ?? 0.5;
  const [x0, , z0] = view.middle.map((value) => Math.round(value / cell) * cell);
  pen.beginPath();
  for (let a = -8 * cell; a <= 8 * cell; a += cell) {
    // Short pieces: a piece that reaches behind the eye is left out.
    for (let b = -8 * cell; b < 8 * cell; b += cell) {
      line(pen, project(view, [x0 + a, FLOOR, z0 + b]), project(view, [x0 + a, FLOOR, z0 + b + cell]));
      line(pen, project(view, [x0 + b, FLOOR, z0 + a]), project(view, [x0 + b + cell, FLOOR, z0 + a]));
    }
  }
  pen.stroke();
}

// Draws the left and the right limbs in two shades; outlines of feet, hands and face are thin.
function drawBody(pen, view, body, frame, { ink, width }) {
  const spots = body.points.map((_, point) => project(view, pointAt(body, frame, point)));
  for (const side of ["right", "middle", "left"]) {
    pen.strokeStyle = pen.fillStyle = ink[side];
    const strokes = body.strokes.filter((stroke) => stroke.side === side);
    for (const thin of [false, true]) {
      pen.lineWidth = thin ? Math.max(1, width / 2) : width;
      pen.beginPath();
      strokes.filter((stroke) => stroke.thin === thin).forEach(({ ends: [a, b] }) => line(pen, spots[a], spots[b]));
      pen.stroke();
    }
    const ends = strokes.filter((stroke) => !stroke.thin).flatMap((stroke) => stroke.ends);
    drawJoints(pen, ends.map((end) => spots[end]).filter(Boolean), body.name, width);
  }
  if (body.skull) drawSkull(pen, view, body, frame, { ink, width });
}

// Squares for the source and discs for the result, so that colour is not the only sign.
function drawJoints(pen, spots, name, size) {
  pen.beginPath();
  for (const [x, y] of spots) {
    pen.moveTo(x + size, y);
    if (name === "source") pen.rect(x - size, y - size, 2 * size, 2 * size);
    else pen.arc(x, y, size, 0, 2 * Math.PI);
  }
  pen.fill();
}

function drawSkull(pen, view, body, frame, { ink, width }) {
  const [base, top] = body.skull.map((end) => pointAt(body, frame, end));
  const spot = project(view, middleAt(body, frame, body.skull));
  if (!spot) return;
  const radius = Math.hypot(...base.map((value, axis) => top[axis] - value)) / 2;
  pen.strokeStyle = ink.middle;
  pen.lineWidth = width;
  pen.beginPath();
  pen.arc(spot[0], spot[1], radius * spot[2], 0, 2 * Math.PI);
  pen.stroke();
}

// Fits the canvas to the resolution of the screen; returns a pen that counts in CSS pixels.
function cleanPen(canvas) {
  const width = Math.round(canvas.clientWidth * devicePixelRatio);
  const height = Math.round(canvas.clientHeight * devicePixelRatio);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const pen = canvas.getContext("2d");
  pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight);
  pen.lineCap = "round";
  return pen;
}

// Draws the skins of the bodies, the second one over the first with 75 % opacity. Returns the bodies that have one.
function drawSkins(canvas, pen, view, bodies, frame, colour) {
  const skinned = view.skins && skins.works ? bodies.filter((body) => body.mesh) : [];
  for (const body of skinned) {
    pen.globalAlpha = body === skinned[0] ? 1 : 0.75;
    const picture = skins.draw(canvas, view, body, frame, colour(`--${body.name}`));
    pen.drawImage(picture, 0, 0, canvas.clientWidth, canvas.clientHeight);
  }
  pen.globalAlpha = 1;
  return skinned;
}

function drawScene(canvas, view, bodies, frame) {
  const pen = cleanPen(canvas);
  const style = getComputedStyle(canvas);
  const colour = (name) => style.getPropertyValue(name).trim();
  const thick = canvas.clientHeight / 140;
  pen.lineWidth = 1;
  pen.strokeStyle = colour("--grid");
  drawFloor(pen, view);
  const skinned = drawSkins(canvas, pen, view, bodies, frame, colour);
  for (const body of bodies) {
    if (skinned.includes(body)) continue;
    const [left, middle, right] = ["-left", "", "-right"].map((end) => colour(`--${body.name}${end}`));
    const width = clamp(body.name === "source" ? thick * 0.7 : thick, 1, 4);
    drawBody(pen, view, body, frame, { ink: { left, middle, right }, width });
  }
}

// Returns the middle of a picture that follows a body: at half a body's height over the floor, and
// higher or lower only where the hips are, so that steps up and down stay visible.
function rootMiddle(bodies, frame) {
  const body = bodies.at(-1);
  const [x, y, z] = middleAt(body, frame, body.centre);
  return [x, clamp(FLOOR + 0.85 * tallest(bodies), y - 0.75, y + 0.75), z];
}

// Returns the height of the tallest body in its first pose, in units of 1.8 metres; 1 at least.
function tallest(bodies) {
  for (const body of bodies) {
    body.height ??= heightOf(body.mesh ? posedMesh(body, 0).posed.filter((_, at) => at % 3 === 1)
      : body.points.map((_, point) => pointAt(body, 0, point)[1]));
  }
  return Math.max(1, ...bodies.map((body) => body.height / 1.8));
}

const heightOf = (all) => all.reduce((most, y) => Math.max(most, y), -Infinity) - all.reduce((least, y) => Math.min(least, y), Infinity);

// Returns middle and size of the path of the hips, for the view that stands still.
function pathBox(bodies) {
  const body = bodies.at(-1);
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (const frame of body.frames) {
    middleAt(body, frame, body.centre).forEach((value, axis) => {
      low[axis] = Math.min(low[axis], value);
      high[axis] = Math.max(high[axis], value);
    });
  }
  const [x, y, z] = low.map((value, axis) => (value + high[axis]) / 2);
  const middle = [x, clamp(FLOOR + 0.85 * tallest(bodies), y - 0.75, y + 0.75), z];
  return { middle, extent: Math.hypot(high[0] - low[0], high[2] - low[2]) };
}
