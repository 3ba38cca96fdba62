# SPDX-License-Identifier: MIT
"""Boxes read back by the programs of their users: read.py FOLDER, which holds box.bts, box_u.bin ..., box.nc, box.wnd
of 256 x 8 x 6 points, 2 x 5 x 5 m, 10 m/s at 60 m, and box.json.  Prints a line a check; 77: nothing to read with."""
import importlib
import json
import os
import sys

os.chdir(sys.argv[1])
try:
    import numpy as np
except ImportError:
    print("no numpy")
    sys.exit(77)

N, D = (256, 8, 6), (2.0, 5.0, 5.0)
failures = tried = 0


def check(name, good):
    global failures
    print(("ok: " if good else "FAILED: ") + name)
    failures += not good


def module(name):
    global tried
    try:
        found = importlib.import_module(name)
    except Exception as error:  # installed or not, and broken or not
        print(f"left out: {name}: {error}")
        return None
    tried += 1
    return found


uvw = np.array([np.fromfile(f"box_{c}.bin", "<f4").reshape(N) for c in "uvw"])
figures = json.load(open("box.json"))
check("three files of floats have the standard deviations told",
      all(abs(uvw[i].std() - figures["sigma_" + c]) < 1e-4 for i, c in enumerate("uvw")))
height = 60 + (np.arange(6) - 2.5) * 5
mean = np.array([1, 0, 0])[:, None, None, None] * 10 * (height / 60) ** 0.2
as_time = uvw[:, ::-1] + mean  # what lies at large x has passed first

for name in ("openfast_io.turbsim_file", "openfast_toolbox.io.turbsim_file"):
    reader = module(name)
    if reader:
        t = reader.TurbSimFile("box.bts")
        step = np.ptp(as_time, axis=(1, 2, 3))[:, None, None, None] / 65535
        check(f"{name}: wind and mean", t["u"].shape == (3,) + N and (abs(t["u"] - as_time) <= 0.6 * step).all())
        check(f"{name}: grid", abs(t["dt"] - 0.2) < 1e-6 and np.allclose(t["z"], height) and t["ID"] == 8
              and np.allclose(t["y"], (np.arange(8) - 3.5) * 5) and t["zRef"] == 60 and t["uRef"] == 10)

hipersim = module("hipersim")
if hipersim:
    m = hipersim.MannTurbulenceField.from_netcdf("box.nc")
    check("hipersim: NetCDF", m.uvw.shape == (3,) + N and (m.uvw == uvw).all() and tuple(m.dxyz) == D)
    check("hipersim: parameters", abs(m.L - figures["length"]) < 1e-12 and m.Gamma == 3.9 and m.seed == 5
          and abs(m.alphaepsilon - figures["energy"]) < 1e-12 and list(m.double_xyz) == [0, 1, 1])
    h = hipersim.TurbulenceField.from_hawc2([f"box_{c}.bin" for c in "uvw"], N, D)
    check("hipersim: HAWC2", (h.uvw == uvw).all())
    w = hipersim.TurbulenceField.from_bladed("box.wnd")
    check("hipersim: Bladed", np.allclose(w.dxyz, D) and abs(w.uvw - as_time).max() < 1e-3 * uvw.std() + 2e-3)
    again = "again.nc"
    m.to_netcdf(filename=again)
    check("hipersim: writes it again", os.path.getsize(again) > uvw.nbytes)

xarray = module("xarray")
if xarray:
    d = xarray.open_dataset("box.nc")
    check("xarray: axes and mean wind", d.wind.dims == ("uvw", "x", "y", "z") and np.allclose(d.mean_speed, mean[0, 0, 0])
          and np.allclose(d.height, height) and d.x.units == "m" and list(d.uvw.values) == ["u", "v", "w"])
    d.close()
print(f"{failures} failed, {tried} programs")
sys.exit(1 if failures else 0 if tried else 77)
