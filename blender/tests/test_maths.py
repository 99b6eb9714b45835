"""Rotations against Blender's own."""

import numpy as np
from mathutils import Quaternion, Vector

from blender import bases, maths


def random_rotations(count: int, seed: int = 1) -> np.ndarray:
    q = np.random.default_rng(seed).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def smooth_rotations(count: int) -> np.ndarray:
    """Rotations that go around several times."""
    angle = np.linspace(0.0, 14.0, count)[:, None]
    axis = np.array([[0.48, 0.6, 0.64]])
    return np.concatenate([axis * np.sin(angle / 2), np.cos(angle / 2)], axis=-1)


def test_matrices_and_back() -> None:
    q = random_rotations(200)
    assert maths.angles_between(maths.from_matrices(maths.to_matrices(q)), q).max() < 1e-7


def test_half_turns_come_back_from_matrices() -> None:
    q = np.eye(4)
    assert maths.angles_between(maths.from_matrices(maths.to_matrices(q)), q).max() < 1e-7


def test_products_and_turned_vectors_are_blenders() -> None:
    a, b = random_rotations(20, 2), random_rotations(20, 3)
    v = np.random.default_rng(4).normal(size=(20, 3))
    products, turned = maths.multiply(a, b), maths.rotate(a, v)
    for k in range(20):
        first, second = Quaternion(maths.wxyz(a)[k]), Quaternion(maths.wxyz(b)[k])
        assert np.allclose(maths.wxyz(products)[k], first @ second, atol=1e-6)
        assert np.allclose(turned[k], first @ Vector(v[k]), atol=1e-5)


def test_signs_are_continuous() -> None:
    q = smooth_rotations(300)
    flipped = q * np.where(np.arange(300) % 3 == 0, -1.0, 1.0)[:, None]
    assert (np.sum(maths.continuous(flipped)[1:] * maths.continuous(flipped)[:-1], axis=-1) > 0.0).all()


def test_euler_angles_of_all_orders_give_the_rotation_back_without_jumps() -> None:
    q = smooth_rotations(300)
    for order in ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"):
        values = bases.eulers(order, q)
        for k in (0, 77, 150, 299):
            matrices = {axis: Quaternion("XYZ".index(axis) == np.arange(3), values[k]["XYZ".index(axis)]) for axis in order}
            product = matrices[order[2]] @ matrices[order[1]] @ matrices[order[0]]
            assert maths.angles_between(maths.xyzw(np.array(product)), q[k]) < 1e-5
        assert np.abs(np.diff(values, axis=0)).max() < 1.0, order


def test_axes_do_not_turn_over() -> None:
    values = bases.axis_angles(maths.continuous(smooth_rotations(300)))
    assert np.abs(np.diff(values, axis=0)).max() < 0.1


def test_shortest_arc_turns_one_direction_to_the_other() -> None:
    random = np.random.default_rng(5)
    a, b = random.normal(size=(50, 3)), random.normal(size=(50, 3))
    turned = maths.rotate(maths.shortest_arc(a, b), a)
    assert np.allclose(turned / np.linalg.norm(a, axis=-1)[:, None], b / np.linalg.norm(b, axis=-1)[:, None], atol=1e-9)
