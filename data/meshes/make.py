"""Makes the meshes beside this file:

    rod.stl     a rod-shaped cell: a cylinder of radius 0.5 and length 2 with round ends, along x (binary STL)
    cube.obj    a cube of edge 1 with one corner at the origin, as six squares (Wavefront OBJ)

Lengths have no unit; a model says what they are in.

    python3 make.py          (needs nothing but Python)
"""

import math
import os
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
RADIUS, LENGTH = 0.5, 2.0
AROUND, RINGS = 24, 6


def rod():
    """The triangles of the rod, corners counter-clockwise as seen from without."""
    profile = [(math.cos(0.5 * math.pi * k / RINGS), math.sin(0.5 * math.pi * k / RINGS)) for k in range(RINGS + 1)]
    left = [(-LENGTH / 2 - RADIUS * c, RADIUS * s) for c, s in profile[1:]]
    rings = left + [(-x, r) for x, r in reversed(left)]
    turns = [2 * math.pi * k / AROUND for k in range(AROUND)]
    rows = [[(x, r * math.cos(t), r * math.sin(t)) for t in turns] for x, r in rings]
    first, last = (-LENGTH / 2 - RADIUS, 0.0, 0.0), (LENGTH / 2 + RADIUS, 0.0, 0.0)
    triangles = []
    for k in range(AROUND):
        n = (k + 1) % AROUND
        triangles.append((first, rows[0][n], rows[0][k]))
        triangles.append((last, rows[-1][k], rows[-1][n]))
        for row, following in zip(rows, rows[1:]):
            triangles.append((row[k], row[n], following[n]))
            triangles.append((row[k], following[n], following[k]))
    return triangles


def write_stl(name, triangles):
    """Binary STL; the normals are left at zero, as the format allows."""
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(name.encode().ljust(80, b"\0") + struct.pack("<I", len(triangles)))
        for corners in triangles:
            numbers = [x for corner in corners for x in corner]
            file.write(struct.pack("<12fH", 0.0, 0.0, 0.0, *numbers, 0))


def write_obj(name, vertices, faces):
    with open(os.path.join(HERE, name), "w") as file:
        file.write("# A cube of edge 1, made by make.py\n")
        file.writelines("v {} {} {}\n".format(*vertex) for vertex in vertices)
        file.writelines("f {} {} {} {}\n".format(*face) for face in faces)


write_stl("rod.stl", rod())
CUBE = [(k & 1, k >> 1 & 1, k >> 2) for k in range(8)]
SQUARES = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
write_obj("cube.obj", CUBE, SQUARES)
