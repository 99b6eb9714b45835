// Stick figures: reading of poses and drawing in perspective.

const NEAR = 0.1; // metres; what is nearer to the eye than this is not drawn

function readBodies(player) {
  return player.bodies.map((body) => {
    const places = decode(body.places);
    const poses = places.length / 3 / body.parents.length;
    return { ...body, places, poses, step: player.step };
  });
}

// Metres of one joint at the stored pose that is nearest to the frame.
function jointAt(body, frame, joint) {
  const pose = clamp(Math.round(frame / body.step), 0, body.poses - 1);
  const from = (pose * body.parents.length + joint) * 3;
  return [0, 1, 2].map((axis) => body.places[from + axis] * body.scale);
}

// A view is { middle, yaw, pitch, distance, focal }. Yaw 0 looks from +Z, with +X to the right.
function project(view, [x, y, z]) {
  const dx = x - view.middle[0], dy = y - view.middle[1], dz = z - view.middle[2];
  const right = dx * Math.cos(view.yaw) - dz * Math.sin(view.yaw);
  const near = dx * Math.sin(view.yaw) + dz * Math.cos(view.yaw);
  const up = dy * Math.cos(view.pitch) - near * Math.sin(view.pitch);
  const depth = view.distance - dy * Math.sin(view.pitch) - near * Math.cos(view.pitch);
  if (depth < NEAR) return null;
  return [view.width / 2 + (view.focal * right) / depth, view.height / 2 - (view.focal * up) / depth];
}

function line(pen, from, to) {
  if (!from || !to) return;
  pen.moveTo(...from);
  pen.lineTo(...to);
}

// The grid reaches 8 cells from the middle and is fixed to the world, so that a followed
// figure is seen to move over it.
function drawFloor(pen, view, floor) {
  const cell = view.cell ?? 0.5;
  const [x0, , z0] = view.middle.map((value) => Math.round(value / cell) * cell);
  pen.beginPath();
  for (let a = -8 * cell; a <= 8 * cell; a += cell) {
    // Short pieces, because a piece that reaches behind the eye is left out.
    for (let b = -8 * cell; b < 8 * cell; b += cell) {
      line(pen, project(view, [x0 + a, floor, z0 + b]), project(view, [x0 + a, floor, z0 + b + cell]));
      line(pen, project(view, [x0 + b, floor, z0 + a]), project(view, [x0 + b + cell, floor, z0 + a]));
    }
  }
  pen.stroke();
}

function drawBody(pen, view, body, frame, size) {
  const spots = body.parents.map((_, joint) => project(view, jointAt(body, frame, joint)));
  pen.beginPath();
  body.parents.forEach((parent, joint) => parent >= 0 && line(pen, spots[joint], spots[parent]));
  pen.stroke();
  // Squares for the source and discs for the result, so that colour is not the only sign.
  pen.beginPath();
  for (const spot of spots.filter(Boolean)) {
    pen.moveTo(spot[0] + size, spot[1]);
    if (body.name === "source") pen.rect(spot[0] - size, spot[1] - size, 2 * size, 2 * size);
    else pen.arc(...spot, size, 0, 2 * Math.PI);
  }
  pen.fill();
}

// Makes the canvas as fine as the screen and returns a pen that counts in CSS pixels.
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

function drawScene(canvas, view, bodies, frame, floor) {
  const pen = cleanPen(canvas);
  const style = getComputedStyle(canvas);
  const thick = canvas.clientHeight / 140;
  pen.lineWidth = 1;
  pen.strokeStyle = style.getPropertyValue("--grid");
  drawFloor(pen, view, floor);
  for (const body of bodies) {
    const source = body.name === "source";
    pen.strokeStyle = pen.fillStyle = style.getPropertyValue(source ? "--source" : "--result");
    pen.lineWidth = clamp(source ? thick * 0.7 : thick, 1, 4);
    drawBody(pen, view, body, frame, clamp(thick, 1.2, 4));
  }
}

// The middle of the picture when it follows a body: over the floor at half a body's height,
// higher only when the root climbs, so that steps up and down stay visible.
function rootMiddle(bodies, frame, floor) {
  const [x, y, z] = jointAt(bodies.at(-1), frame, 0);
  return [x, floor + 0.85 * tallest(bodies) + Math.max(0, y - floor - 1.6), z];
}

// How much taller than a body of 1.8 metres the tallest one stands in its first pose; 1 at least.
function tallest(bodies) {
  const heights = bodies.map((body) => {
    const all = body.parents.map((_, joint) => jointAt(body, 0, joint)[1]);
    return Math.max(...all) - Math.min(...all);
  });
  return Math.max(1, ...heights.map((height) => height / 1.8));
}

// The box round the way of the root, for the view that stands still.
function wholeWay(bodies, floor) {
  const body = bodies.at(-1);
  const low = [Infinity, Infinity], high = [-Infinity, -Infinity];
  for (let pose = 0; pose < body.poses; pose += 1) {
    const [x, , z] = jointAt(body, pose * body.step, 0);
    [x, z].forEach((value, axis) => {
      low[axis] = Math.min(low[axis], value);
      high[axis] = Math.max(high[axis], value);
    });
  }
  const middle = [(low[0] + high[0]) / 2, floor + 0.85 * tallest(bodies), (low[1] + high[1]) / 2];
  return { middle, extent: Math.hypot(high[0] - low[0], high[1] - low[1]) };
}
