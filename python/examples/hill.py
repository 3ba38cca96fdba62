# SPDX-License-Identifier: MIT
"""Wind over a hill, as a notebook would have it: a cell a comment, run by the tests.

    python hill.py [FOLDER]      FOLDER: where hill.png and hill.nc go (.)
"""
# %% [markdown]
# # Wind over a hill
# A hill of 120 m, 40 m of ground a cell.

# %%
import sys

import numpy as np

import foehn

folder = sys.argv[1] if len(sys.argv) > 1 else "."
print("foehn", foehn.library_version(), "on", foehn.Context().device["name"])

# %%
cells, spacing = 40, 40.0
x = (np.arange(cells) + 0.5 - cells / 2) * spacing
heights = 120 / (1 + (x[None, :] ** 2 + (1.5 * x[:, None]) ** 2) / 250**2)

# %% [markdown]
# ## At once: mass consistent
# Faster on the crest, slower before the foot; wrong behind the hill.

# %%
fast = foehn.wind(heights, spacing, u10=8, direction=270, model="consistent")
print(fast.wind_speed.max().item(), "m/s on the crest")

# %% [markdown]
# ## By the equation of motion
# Some flushes of the box until the mean stands still.

# %%
ds = foehn.wind(heights, spacing, u10=8, direction=270, model="momentum", most_flushes=2)
crest = ds.sel(x=ds.x[cells // 2], y=ds.y[cells // 2])
lee = ds.sel(x=ds.x[cells // 2 + 8], y=ds.y[cells // 2])
print(f"speed-up on the crest {crest.wind_speed.item() / 8:.2f}, in the lee {lee.wind_speed.item() / 8:.2f}")

# %% [markdown]
# The Dataset shows itself as a map; here it goes to files.  xarray writes NetCDF where netCDF4 or scipy is.

# %%
try:
    ds.to_netcdf(f"{folder}/hill.nc")
except ValueError as error:
    print(error)
png = ds._repr_png_()
if png:
    with open(f"{folder}/hill.png", "wb") as out:
        out.write(png)

# %% [markdown]
# ## A fire in that wind
# The torch of the command's scenes, and the wind at its height.

# %%
with foehn.Fire({"box": {"size": [3, 3, 2], "voxel": 0.1, "physics_voxel": 0.1}, "wind": {"velocity": [1, 0, 0]},
                 "emitters": [{"mesh": {"shape": "disk", "radius": 0.25}, "position": [0, 0.5, 0]}]}) as fire:
    fire.step(20)
    print(f"smoke to {fire.measures()['plume_height']:.2f} m, density up to {fire.read('density').max():.2f}")
