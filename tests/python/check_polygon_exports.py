"""Opens what `jostle export` made of a polygon run (the .vtp, the .xyz and the file itself are the
arguments; one frame) with VTK and OVITO."""

import sys

import h5py
import numpy
import vtk
from ovito.io import import_file
from vtk.util.numpy_support import vtk_to_numpy

vtp, xyz, path = sys.argv[1:4]
with h5py.File(path) as file:
    bodies, shapes = file["particles/trajectory"], file["parameters/shapes"]
    shape, angle = bodies["shape"][:], bodies["orientation/value"][1]
    place = bodies["position/value"][1]
    first, corners, axes = shapes["first"][:], shapes["corners"][:], shapes["semi_axes"][:]
    kinds = shapes["kinds"].asstr()[:][shapes["kind"][:]]
    present = file["particles/walls/present/value"][1]


def area(n):
    if kinds[n] != "polygon":
        # Of 48 corners.
        return 24 * numpy.sin(2 * numpy.pi / 48) * axes[n].prod()
    x, y = corners[first[n]:first[n + 1]].T
    return 0.5 * (x * numpy.roll(y, -1) - numpy.roll(x, -1) * y).sum()


reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName(vtp)
reader.Update()
polygons = reader.GetOutput()
sizes = vtk.vtkCellSizeFilter()
sizes.SetInputData(polygons)
sizes.Update()
column = lambda data, name: vtk_to_numpy(data.GetCellData().GetArray(name))
count = len(shape)
assert polygons.GetNumberOfPolys() == count + present.sum()
assert (column(polygons, "id")[:count] == numpy.arange(count)).all()
assert (column(polygons, "id")[count:] == -1 - numpy.nonzero(present)[0]).all()
assert (column(polygons, "shape")[:count] == shape).all()
numpy.testing.assert_allclose(column(polygons, "angle")[:count], angle)
numpy.testing.assert_allclose(column(sizes.GetOutput(), "Area")[:count], [area(n) for n in shape], 1e-6)
centres = [numpy.mean([polygons.GetCell(n).GetPoints().GetPoint(k) for k in range(polygons.GetCell(n).GetNumberOfPoints())], axis=0)
           for n in range(count) if kinds[shape[n]] == "disk"]
numpy.testing.assert_allclose(centres, place[[kinds[n] == "disk" for n in shape]], rtol=1e-6, atol=1)

data = import_file(xyz).compute(0).particles
quaternion = numpy.array(data["Orientation"])
numpy.testing.assert_allclose(quaternion[:, 2], numpy.sin(angle / 2), atol=1e-12)
numpy.testing.assert_allclose(quaternion[:, 3], numpy.cos(angle / 2), atol=1e-12)
numpy.testing.assert_allclose(numpy.array(data["Aspherical Shape"])[:, :2], axes[shape])
