# SPDX-License-Identifier: MIT
"""The Python package over the library: layouts, arrays, errors, forks, scenes, a Dataset of wind."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import foehn
from foehn import _library


def c_program():
    """C that prints sizes, offsets and sizes of members of all structs as this package has them."""
    lines = ["#include <foehn/foehn.h>", "#include <stdio.h>", "int main(void)", "{"]
    for name, struct in _library.STRUCTS.items():
        lines.append(f'    printf("{name} %zu\\n", sizeof({name}));')
        for member, _ in struct._fields_:
            lines.append(f'    printf("{name}.{member} %zu %zu\\n", offsetof({name}, {member}), sizeof((({name} *)0)->{member}));')
    return "\n".join(lines + ["    return 0;", "}", ""])


class Layout(unittest.TestCase):
    def test_structs_are_those_of_the_headers(self):
        compiler, source = os.environ.get("CC", "cc").split(), os.environ["FOEHN_SRCDIR"]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "layout.c")
            with open(path, "w") as out:
                out.write(c_program())
            try:
                subprocess.run([*compiler, "-I", os.path.join(source, "include"), path, "-o", path[:-2]], check=True)
            except FileNotFoundError:
                self.skipTest("no C compiler")
            told = subprocess.run([path[:-2]], check=True, capture_output=True, text=True).stdout
        there = dict(line.split(" ", 1) for line in told.splitlines())
        for name, struct in _library.STRUCTS.items():
            for member, kind in struct._fields_:
                self.assertEqual(there[f"{name}.{member}"], f"{getattr(struct, member).offset} {ctypes.sizeof(kind)}", f"{name}.{member}")
            if struct._fields_[0][0] == "struct_size":  # may have grown at its end: the library is told our size
                self.assertGreaterEqual(int(there[name]), ctypes.sizeof(struct), name)
            else:
                self.assertEqual(int(there[name]), ctypes.sizeof(struct), name)

    def test_prototypes_are_those_of_the_headers(self):
        headers = ""
        folder = os.path.join(os.environ["FOEHN_SRCDIR"], "include", "foehn")
        for name in ("base.h", "volume.h", "wind.h", "site.h", "flow.h", "fire.h"):
            with open(os.path.join(folder, name)) as stream:
                headers += re.sub(r"/\*.*?\*/", "", stream.read(), flags=re.S)
        for name, (_, arguments, checked) in _library.FUNCTIONS.items():
            start = headers.index(name + "(")
            declared = headers[start + len(name) + 1:headers.index(");", start)]
            count = 0 if declared.strip() == "void" else declared.count(",") + 1
            self.assertEqual(count, len(arguments), name)
            self.assertEqual(headers[:start].rstrip().endswith("foehn_status"), checked, name)

    def test_a_default_is_the_librarys(self):
        params = _library.new("foehn_wind_params")
        self.assertEqual((params.nx, params.ny, params.nz, params.seed), (64, 16, 64, 1))
        self.assertEqual(params.struct_size, ctypes.sizeof(params))


class Errors(unittest.TestCase):
    def refused(self, kind, text, call):
        with self.assertRaisesRegex(kind, text) as caught:
            call()
        return caught.exception

    def test_failures_are_exceptions_with_the_librarys_text(self):
        error = self.refused(foehn.ArgumentError, "a wind of 0 x", lambda: foehn.Wind(nx=0))
        self.assertEqual(error.status, 1)
        self.assertIsInstance(error, ValueError)
        self.refused(foehn.DeviceError, "no device matches", lambda: foehn.Context("nothing like that"))

    def test_names_that_are_none_get_the_nearest(self):
        self.refused(foehn.ArgumentError, "did you mean nx", lambda: foehn.Wind(nxx=3))
        self.refused(foehn.ArgumentError, "did you mean momentum", lambda: foehn.Wind(model="momentun"))
        self.refused(foehn.ArgumentError, "did you mean sides", lambda: foehn.Flow({"side": {}}))
        self.refused(foehn.ArgumentError, "did you mean wood", lambda: foehn.Fire({"fire": {"mode": "burn", "fuel": "wod"}}))
        self.refused(foehn.ArgumentError, "force takes 2 numbers", lambda: foehn.Flow({"force": [1, 2, 3]}))
        self.refused(foehn.ArgumentError, "script", lambda: foehn.Flow({"script": [{"at": 1}]}))

    def test_a_closed_object_says_so(self):
        with foehn.Wind(nx=8, ny=4, nz=8) as wind:
            pass
        wind.close()
        self.refused(foehn.FoehnError, "is closed", lambda: wind.step(0.1))

    def test_a_child_after_a_fork_gets_an_exception(self):
        foehn.devices()
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                foehn.devices()
                text = "no exception"
            except foehn.ForkError as error:
                text = str(error)
            os.write(write, text.encode())
            os._exit(0)
        os.waitpid(child, 0)
        self.assertIn("does not survive a fork", os.read(read, 1000).decode())
        self.assertTrue(foehn.devices())  # the parent goes on


class Objects(unittest.TestCase):
    def test_a_field_is_written_and_read_into_an_array_of_ones_own(self):
        with foehn.Wind(nx=16, ny=4, nz=8, scheme="collocated") as wind:
            values = np.random.default_rng(1).standard_normal((8, 4, 16)).astype(np.float32)
            wind.write("u", values)
            room = np.empty_like(values)
            self.assertIs(wind.read("u", out=room), room)
            np.testing.assert_array_equal(room, values)
            with self.assertRaisesRegex(foehn.ArgumentError, "C-contiguous float32"):
                wind.read("u", out=np.empty((8, 4, 16)))

    def test_the_wind_over_flat_ground_is_the_log_law(self):
        with foehn.Wind(nx=16, ny=8, nz=16, u10=10, direction=180, gustiness=0, z0=0.03) as wind:
            u, v, w, _ = wind.read_points([[0, 10, 0]])[0]
            self.assertAlmostEqual(float(w), -10, delta=0.05)  # from the south: towards -z
            self.assertAlmostEqual(float(u), 0, delta=0.01)
            wind.set_state(u10=5)
            self.assertEqual(wind.info["nx"], 16)

    def test_volumes_go_to_other_arrays(self):
        with foehn.Wind(nx=16, ny=4, nz=8, u10=7) as wind, foehn.Volume((8, 4, 16)) as volume:
            volume.watch(0)
            for _ in range(3):
                wind.step(0.1)
                wind.publish(volume)
                wind.context.wait()
            halves = volume.read()
            self.assertEqual((halves.shape, halves.dtype), ((8, 4, 16, 4), np.float16))
            if hasattr(np, "from_dlpack"):
                np.testing.assert_array_equal(np.from_dlpack(volume), halves)
            snapshot = volume.snapshot()
            self.assertIsNotNone(snapshot)
            self.assertFalse(snapshot.flags.owndata)
            self.assertEqual(volume.info["step"], 3)

    def test_a_flow_by_a_dict(self):
        scene = {"title": "a cylinder", "box": {"cells": [96, 54], "height": 1}, "viscosity": 4.8e-4, "particles": 100,
                 "sides": {"left": {"kind": "inflow", "speed": 0.3}, "right": "outflow", "bottom": "slip", "top": "slip"},
                 "obstacles": [{"shape": "cylinder", "center": [0.5, 0.5], "size": 0.16}]}
        with foehn.Flow(scene) as flow:
            flow.stir([0.8, 0.4], velocity=[0, 0.5], ink=[1, 0, 0, 1])
            flow.step(1 / 60, 10)
            self.assertEqual(flow.read("u").shape, (54, 97))
            self.assertEqual(flow.read("ink").shape, (4, 54, 96))
            self.assertGreater(flow.read("ink").max(), 0.1)
            self.assertEqual(flow.read("solids").max(), 1)
            self.assertGreater(flow.push()["cd"], 0.5)
            self.assertLess(flow.stats()["max_div_h_over_u"], 1e-4)
            self.assertEqual(flow.particles().shape, (100, 2))
            self.assertEqual(flow.read_points([[1.5, 0.5]]).shape, (1, 3))

    def test_a_fire_by_a_dict(self):
        scene = {"box": {"size": [2, 2, 2], "voxel": 0.1, "physics_voxel": 0.1}, "wind": {"velocity": [0.2, 0, 0]},
                 "emitters": [{"mesh": {"shape": "disk", "radius": 0.3}, "position": [0, 0.3, 0]}],
                 "colliders": [{"shape": "ellipsoid", "radii": [0.2, 0.2, 0.2], "position": [0, 1.2, 0]}]}
        with foehn.Fire(scene) as fire:
            fire.step(15)
            density = fire.read("density")
            self.assertEqual(density.shape, (20, 20, 20))
            self.assertGreater(density.max(), 0.1)
            self.assertEqual(fire.read("velocity").shape, (20, 20, 20, 3))
            self.assertGreater(fire.measures()["plume_height"], 0.3)
            picture = fire.picture(size=(32, 24), position=[0, 1, 5], target=[0, 1, 0])
            self.assertEqual((picture.shape, picture.dtype), ((24, 32, 4), np.uint8))
            self.assertGreater(int(picture[..., 0].max()), 50)
        self.assertIn("wood", foehn.fuels())


def hill(rows=24, columns=28, spacing=40.0):
    x, y = np.meshgrid((np.arange(columns) - columns / 2 + 0.5) * spacing, (np.arange(rows) - rows / 2 + 0.5) * spacing)
    return 60 / (1 + (x**2 + y**2) / 150**2)


@unittest.skipUnless(__import__("importlib.util").util.find_spec("xarray"), "no xarray")
class Datasets(unittest.TestCase):
    def test_over_flat_ground_the_wind_is_what_was_asked_for(self):
        ds = foehn.wind(np.full((12, 16), 100.0), 50, u10=9, direction=240, model="consistent", top=400)
        self.assertEqual(dict(ds.sizes), {"z": ds.sizes["z"], "y": 12, "x": 16})
        self.assertTrue(np.allclose(ds.wind_speed, 9, atol=0.05))
        self.assertTrue(np.allclose(ds.wind_from_direction, 240, atol=0.5))
        self.assertTrue((ds.x_wind.isel(z=-1) > 0).all() and (ds.y_wind.isel(z=-1) > 0).all())
        self.assertEqual(ds.x_wind.attrs["standard_name"], "x_wind")
        self.assertGreater(float(ds.y[0]), float(ds.y[-1]))

    def test_over_a_hill(self):
        for model in ("consistent", "momentum"):
            ds = foehn.wind(hill(), 40, u10=8, model=model, spacing_vertical=20, most_flushes=1, least_flushes=0.5) \
                if model == "momentum" else foehn.wind(hill(), 40, u10=8, model=model, spacing_vertical=20)
            crest = float(ds.wind_speed.isel(y=12, x=14))
            self.assertGreater(crest, 9, model)
            self.assertTrue(np.isnan(ds.x_wind.sel(z=30, method="nearest").isel(y=12, x=14)), "no air in the hill")
            self.assertTrue(np.isfinite(ds.x_wind.isel(z=-1)).all())
            self.assertIsNotNone(ds.x_wind.values.base, "a view of what was read")
            if model == "momentum":
                self.assertGreater(float(ds.turbulent_kinetic_energy.max()), 0.1)
                self.assertLess(float(ds.wind_speed.isel(y=12, x=20)), crest)
                self.assertGreater(float(ds.friction_velocity.isel(y=12, x=14)), 0.1)

    def test_a_dataarray_brings_its_places_and_its_crs(self):
        import xarray

        heights = xarray.DataArray(hill()[::-1], dims=("y", "x"), coords={"y": 5000 + 40.0 * np.arange(24), "x": 100 + 40.0 * np.arange(28)})
        ds = foehn.wind(heights, u10=8, model="consistent", spacing_vertical=20, crs="EPSG:32630")
        np.testing.assert_allclose(ds.x, heights.x)
        np.testing.assert_allclose(ds.y, heights.y[::-1])
        try:
            import rioxarray  # noqa: F401
        except ImportError:
            self.assertEqual(ds.attrs["crs"], "EPSG:32630")
        else:
            self.assertEqual(ds.rio.crs.to_epsg(), 32630)
        with self.assertRaisesRegex(foehn.ArgumentError, "not evenly spaced"):
            foehn.wind(heights.assign_coords(x=heights.x**2))

    def test_roughness_slows_the_wind(self):
        rough = np.full((16, 32), 0.03)
        rough[:, 16:] = 1.0
        ds = foehn.wind(np.zeros((16, 32)), 40, u10=8, model="momentum", z0=rough, spacing_vertical=10, top=300, most_flushes=1,
                        least_flushes=0.5)
        self.assertLess(float(ds.wind_speed.isel(x=26).mean()), 0.9 * float(ds.wind_speed.isel(x=8).mean()))

    def test_pictures_and_progress(self):
        told = []
        ds = foehn.wind(hill(), 40, u10=8, model="momentum", spacing_vertical=20, most_steps=21, progress=told.append)
        self.assertGreaterEqual(len(told), 2)
        self.assertIn("flushes", told[0])
        png = ds._repr_png_()
        if png is not None:
            self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
            self.assertIn("data:image/png", ds._repr_html_())

        def stop(_):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            foehn.wind(hill(), 40, model="momentum", spacing_vertical=20, progress=stop)

    def test_what_cannot_be_is_refused(self):
        for text, call in {"spacing is missing": lambda: foehn.wind(hill()),
                           "did you mean consistent": lambda: foehn.wind(hill(), 40, model="consistant"),
                           "not finite, the first in row 3": lambda: foehn.wind(np.where(np.arange(24)[:, None] == 3, np.nan, hill()), 40),
                           "below the summit": lambda: foehn.wind(hill(), 40, top=10),
                           "4 or more of each": lambda: foehn.wind(np.zeros((2, 9)), 40),
                           "only for model": lambda: foehn.wind(hill(), 40, model="consistent", drift=0.1),
                           "z0: has the shape": lambda: foehn.wind(hill(), 40, z0=np.ones((3, 3)))}.items():
            with self.assertRaisesRegex(foehn.ArgumentError, text):
                call()


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=1).result
    bad = len(result.failures) + len(result.errors)
    print(f"{result.testsRun} checks, {bad} failed, {len(result.skipped)} skipped")
    sys.exit(1 if bad else 0)
