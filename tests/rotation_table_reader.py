"""Copies motion as a file of `rebone export` says, with nothing but that file.

    python tests/rotation_table_reader.py rotations.json < source.json > target.json

source.json holds frames, each a list of [translation, rotation] of the source's joints; target.json the same of
the target's, and a third entry: the matrix, column by column, that takes the model's vertices, as they are in
its bind pose, along with the joint. Quaternions are x, y, z, w.
"""
import json
import sys

STILL = [0, 0, 0], [0, 0, 0, 1]


def times(p, q):
    (a, b, c, d), (e, f, g, h) = p, q
    return [d*e + a*h + b*g - c*f, d*f - a*g + b*h + c*e, d*g + a*f - b*e + c*h, d*h - a*e - b*f - c*g]


def back(q):
    return [-q[0], -q[1], -q[2], q[3]]


def turned(q, v):
    return times(times(q, [*v, 0]), back(q))[:3]


def plus(a, b, scale=1):
    return [x + scale * y for x, y in zip(a, b)]


def placed(joint, world, translation, rotation):
    place, turn = STILL if joint["parent"] is None else world[joint["parent"]]
    return plus(place, turned(turn, translation)), times(turn, rotation)


def copied(plan, frame):
    seen, own, skin, locals, body = [], [], [], [], plan["body"]
    for joint, local in zip(plan["source"], frame):
        seen.append(placed(joint, seen, *local))
    path = lambda place: turned(plan["turn"], [plan["scale"] * x for x in place])
    middle = lambda world, pair: [x / 2 for x in plus(world[pair[0]][0], world[pair[1]][0])]
    inside = lambda joint, v: turned(back(placed(joint, own, *STILL)[1]), v)

    def rotation(joint, pre, post=STILL[1]):
        source, above = ([0, 0, 0, 1] if joint[key] is None else seen[joint[key]][1] for key in ("source", "above"))
        return times(times(pre, times(back(above), source)), post)

    for joint in plan["joints"]:
        at = joint["translation"]
        if any(joint["path"]):
            along = inside(joint, plus(path(seen[joint["source"]][0]), placed(joint, own, *STILL)[0], -1))
            at = [new if moves else old for new, old, moves in zip(along, at, joint["path"])]
        if joint["stretch"]:
            source = plan["source"][joint["source"]]
            end = placed(source, seen, source["bone"], STILL[1])[0]
            at = plus(at, inside(joint, path(plus(seen[joint["source"]][0], end, -1))))
        locals.append([at, rotation(joint, joint["pre"], joint["post"])])
        own.append(placed(joint, own, *locals[-1]))
    shift = plus(path(middle(seen, body["source"])), middle(own, body["joints"]), -1)
    translation_joint = locals[body["translation_joint"]]
    translation_joint[0] = plus(translation_joint[0], inside(plan["joints"][body["translation_joint"]], shift))
    whole, own = [], []
    for joint, local in zip(plan["joints"], locals):
        whole.append(placed(joint, whole, *local))
    for joint, local in zip(plan["joints"], locals):
        if joint["helper"]:
            after, offset = {"parent": joint["helper"]["joint"]}, joint["helper"]
            place, turn = placed(after, whole, offset["translation"], offset["rotation"])
            above = placed(joint, own, *STILL)
            local[:] = [inside(joint, plus(place, above[0], -1)), times(back(above[1]), turn)]
        own.append(placed(joint, own, *local))
        place, turn = placed(joint, skin, joint["bind"]["translation"], rotation(joint, joint["bind"]["pre"]))
        moves = local is translation_joint or any(joint["path"]) or joint["stretch"]
        skin.append(own[-1] if joint["helper"] else (own[-1][0] if moves else place, turn))
        columns = [turned(skin[-1][1], joint["bind"]["inverse"][4 * k:4 * k + 3]) for k in range(4)]
        columns[3] = plus(columns[3], skin[-1][0])
        local.append([x for k, column in enumerate(columns) for x in [*column, k // 3]])
    return locals


if __name__ == "__main__":
    plan = json.load(open(sys.argv[1]))
    json.dump([copied(plan, frame) for frame in json.load(sys.stdin)], sys.stdout)
