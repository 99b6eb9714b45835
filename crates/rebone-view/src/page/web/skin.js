// Skins: meshes that follow the joints of bodies, drawn by WebGL on a canvas of their own and copied to a picture.

// Projects vertices as project() does; the direction to the light is that of the program's pictures.
const VERTEX_SHADER = `
attribute vec3 place, normal;
attribute float shade;
uniform vec3 middle;
uniform vec4 turn; // cosine and sine of yaw and pitch
uniform vec4 lens; // scales of x and y, distance, and metres before and behind the middle that are seen
uniform vec3 colour;
varying vec3 facing, paint;
vec3 seen(vec3 d) {
  float near = d.x * turn.y + d.z * turn.x;
  return vec3(d.x * turn.x - d.z * turn.y, d.y * turn.z - near * turn.w, d.y * turn.w + near * turn.z);
}
void main() {
  vec3 spot = seen(place - middle);
  float depth = lens.z - spot.z, first = max(lens.z - lens.w, 0.1), last = lens.z + lens.w;
  gl_Position = vec4(spot.xy * lens.xy, ((last + first) * depth - 2.0 * last * first) / (last - first), depth);
  facing = seen(normal);
  paint = colour * (0.65 + 0.4 * shade);
}`;
const FRAGMENT_SHADER = `
precision mediump float;
varying vec3 facing, paint;
void main() {
  vec3 normal = normalize(facing);
  if (normal.z < 0.0) normal = -normal;
  float light = 0.58 + 0.1 * normal.y + 0.5 * max(dot(normal, vec3(-0.36, 0.62, 0.70)), 0.0);
  gl_FragColor = vec4(paint * light, 1.0);
}`;
// Reads the mesh at a place: a block, and a line in it.
async function readMesh(place) {
  const [{ vertices, triangles, joints: count, step, low, shaded }, columns] = await readLine(place);
  const read = (length, parts) => Array.from({ length: parts }, () => columns.read(length));
  const places = read(vertices, 3), joints = read(vertices, 4), rest = read(vertices, 3);
  const lightness = shaded ? columns.read(vertices) : new Int32Array(vertices).fill(255);
  const turns = read(count, 4), middles = read(count, 3), corners = Uint16Array.from(columns.read(3 * triangles));
  const placeOf = (columns, index) => columns.map((own, axis) => own[index] * step + low[axis]);
  const binds = Array.from(turns[0], (_, index) => ({
    turn: inverse(unit(turns.map((part) => part[index]))),
    place: placeOf(middles, index),
  }));
  const weights = [rest[0].map((_, at) => 255 - rest[0][at] - rest[1][at] - rest[2][at]), ...rest];
  const all = Float32Array.from({ length: 3 * vertices }, (_, at) => placeOf(places, Math.floor(at / 3))[at % 3]);
  return { places: all, joints, weights: weights.map((own) => Float32Array.from(own, (value) => value / 255)), shades: Float32Array.from(lightness, (own) => own / 255), corners, binds };
}

// Returns 12 numbers for each joint of a mesh: the rows of its 3 by 4 matrix from the mesh in its bind pose to the world.
function meshMatrices({ mesh, ofMesh, skin }, joints) {
  const matrices = new Float32Array(12 * mesh.binds.length);
  mesh.binds.forEach((bind, index) => {
    const { turn, place } = joints[ofMesh[index]];
    const whole = product(turn, bind.turn);
    const axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]].map((axis) => turned(whole, axis));
    for (let row = 0; row < 3; row += 1) {
      let moved = place[row];
      for (let column = 0; column < 3; column += 1) {
        const value = axes[column][row] * skin.mesh.scale;
        matrices[12 * index + 4 * row + column] = value;
        moved -= value * bind.place[column];
      }
      matrices[12 * index + 4 * row + 3] = moved;
    }
  });
  return matrices;
}

// Returns the positions of all vertices at a frame in the world, metres, and their normals, not of unit length: sums over the
// triangles around, by area.
function posedMesh(body, frame) {
  const { places, joints, weights, corners } = body.mesh;
  const matrices = meshMatrices(body, jointsAt(body, frame));
  const posed = new Float32Array(places.length), normals = new Float32Array(places.length);
  for (let vertex = 0; 3 * vertex < places.length; vertex += 1) {
    const at = 3 * vertex;
    for (let k = 0; k < 4; k += 1) {
      const weight = weights[k][vertex], from = 12 * joints[k][vertex];
      if (weight === 0) continue;
      for (let row = 0; row < 3; row += 1) {
        const m = from + 4 * row;
        posed[at + row] += weight * (matrices[m] * places[at] + matrices[m + 1] * places[at + 1] + matrices[m + 2] * places[at + 2] + matrices[m + 3]);
      }
    }
  }
  for (let corner = 0; corner < corners.length; corner += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * corners[corner + k]);
    const edge = (to) => [posed[to] - posed[a], posed[to + 1] - posed[a + 1], posed[to + 2] - posed[a + 2]];
    const [ux, uy, uz] = edge(b), [vx, vy, vz] = edge(c);
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    for (const at of [a, b, c]) normal.forEach((value, axis) => { normals[at + axis] += value; });
  }
  return { posed, normals };
}

class Skins {
  #canvas = document.createElement("canvas");
  #gl = this.#canvas.getContext("webgl");
  #program = this.#gl && this.#link();
  #buffers = {};

  get works() {
    return Boolean(this.#program) && !this.#gl.isContextLost();
  }

  // Draws a body in the size of a canvas; returns the picture, which holds until the next call.
  draw(canvas, view, body, frame, colour) {
    const gl = this.#gl;
    if (this.#canvas.width !== canvas.width) this.#canvas.width = canvas.width;
    if (this.#canvas.height !== canvas.height) this.#canvas.height = canvas.height;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.enable(gl.DEPTH_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const put = (name, ...values) => gl[`uniform${values.length}f`](gl.getUniformLocation(this.#program, name), ...values);
    put("middle", ...view.middle);
    put("turn", Math.cos(view.yaw), Math.sin(view.yaw), Math.cos(view.pitch), Math.sin(view.pitch));
    put("lens", (2 * view.focal) / view.width, (2 * view.focal) / view.height, view.distance, 30 + view.distance / 2);
    put("colour", ...[1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255));
    const { posed, normals } = posedMesh(body, frame);
    this.#attribute("place", posed, 3);
    this.#attribute("normal", normals, 3);
    this.#attribute("shade", body.mesh.shades, 1);
    this.#fill("corners", gl.ELEMENT_ARRAY_BUFFER, body.mesh.corners);
    gl.drawElements(gl.TRIANGLES, body.mesh.corners.length, gl.UNSIGNED_SHORT, 0);
    return this.#canvas;
  }

  #attribute(name, values, size) {
    const gl = this.#gl, at = gl.getAttribLocation(this.#program, name);
    this.#fill(name, gl.ARRAY_BUFFER, values);
    gl.enableVertexAttribArray(at);
    gl.vertexAttribPointer(at, size, gl.FLOAT, false, 0, 0);
  }

  #fill(name, kind, values) {
    this.#gl.bindBuffer(kind, (this.#buffers[name] ??= this.#gl.createBuffer()));
    this.#gl.bufferData(kind, values, this.#gl.STREAM_DRAW);
  }

  // Returns the program in use; null where it cannot be made.
  #link() {
    const gl = this.#gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX_SHADER], [gl.FRAGMENT_SHADER, FRAGMENT_SHADER]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) return null;
    gl.useProgram(program);
    return program;
  }
}

const skins = new Skins();
