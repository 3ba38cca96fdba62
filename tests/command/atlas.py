# SPDX-License-Identifier: MIT
# Reads wind atlas files of foehn with windkit and PyWake: atlas.py FILE.wrg FILE.rsf EPSG FILE.tab FLAT.wrg
# .wrg and .rsf: of a hill, at 12 sectors; FLAT.wrg: the .tab over flat ground, one climate everywhere.
import sys

try:
    import numpy as np
    import windkit as wk
    from windkit.io.wasp import read_rsf
except ImportError as error:
    print(f"windkit is not installed ({error}): pip install windkit py_wake")
    sys.exit(77)

failures = 0


def check(name, good, said=""):
    global failures
    failures += not good
    print(f"{'ok' if good else 'FAILED'}: {name}{'' if good else f': {said}'}")


def near(name, a, b, by):
    worst = float(np.max(np.abs(np.asarray(a) - np.asarray(b))))
    check(name, worst <= by, f"{worst} apart")


wrg, rsf, crs, tab, flat = sys.argv[1:]
print(f"windkit {wk.__version__}")
grid = wk.read_wwc(wrg, crs=crs)
check("windkit reads a .wrg as a grid", set(grid.A.dims) >= {"sector", "south_north", "west_east"}, grid.A.dims)
check("and finds nothing wrong with it", wk.validate_wwc(grid) is None)
near("frequencies add up to 1", grid.wdfreq.sum("sector"), 1, 1e-6)
near("sectors are around 0, 30, ...", grid.sector, np.arange(12) * 30, 1e-9)
power = wk.mean_power_density(grid)
near("its power density is that of the file", power / grid.power_density, 1, 0.03)
points = wk.read_wwc(rsf, crs=crs)
lines = read_rsf(rsf)
check("windkit reads an .rsf as points at two heights", sorted(set(lines["coords"]["height"])) == [20, 60], points)
n = grid.A.sizes["south_north"] * grid.A.sizes["west_east"]
check("as many at each as the grid has", len(lines["A"]) == 2 * n)
lower, upper = (lines["A_combined"][lines["coords"]["height"] == h].mean() for h in (20, 60))
check("more wind at 60 m than at 20 m", 1.05 < upper / lower < 1.5, (lower, upper))

# The same table through windkit's own fit.
observed = wk.read_bwc(tab, crs="EPSG:4326")
fitted = wk.weibull_fit(observed).squeeze()
ours = wk.read_wwc(flat, crs=crs).isel(south_north=0, west_east=0).squeeze()
near("A of a .tab is that of windkit's fit, m/s", ours.A, fitted.A, 0.06)
near("and k", ours.k, fitted.k, 0.05)
near("and the frequencies", ours.wdfreq, fitted.wdfreq, 0.001)

try:
    import py_wake
    from py_wake.deficit_models.noj import NOJ
    from py_wake.examples.data.hornsrev1 import V80
    from py_wake.site import UniformWeibullSite
    from py_wake.site.xrsite import XRSite
    import xarray as xr
except ImportError as error:
    print(f"PyWake is not installed ({error}): pip install py_wake")
    sys.exit(failures > 0 or 77)

print(f"PyWake {py_wake.__version__}")
cell = grid.squeeze()
x, y = cell.west_east.values, cell.south_north.values
site = XRSite(
    xr.Dataset(
        {
            "Sector_frequency": (("x", "y", "wd"), cell.wdfreq.transpose("west_east", "south_north", "sector").values),
            "Weibull_A": (("x", "y", "wd"), cell.A.transpose("west_east", "south_north", "sector").values),
            "Weibull_k": (("x", "y", "wd"), cell.k.transpose("west_east", "south_north", "sector").values),
            "TI": 0.1,
        },
        coords={"x": x, "y": y, "wd": np.arange(12) * 30.0},
    ),
    interp_method="nearest",
)
i, j = len(x) // 2, len(y) // 2
aep = float(NOJ(site, V80())([x[i]], [y[j]]).aep().sum())
here = cell.isel(west_east=i, south_north=j)
alone = UniformWeibullSite(here.wdfreq.values, here.A.values, here.k.values, 0.1)
wanted = float(NOJ(alone, V80())([0], [0]).aep().sum())
check("PyWake makes the same energy of the grid as of its point", 1 < aep < 10 and abs(aep / wanted - 1) < 0.01, (aep, wanted))
print(f"measured: a turbine in the middle makes {aep:.2f} GWh a year")
sys.exit(failures > 0)
