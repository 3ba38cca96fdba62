# SPDX-License-Identifier: MIT
"""A wind as an xarray.Dataset with CF names, and its picture."""
import base64
import math

import numpy as np
import xarray as xr

from ._library import lib
from ._picture import draw_map

_CELLS = {"x_wind": ("x_wind", "m s-1", "wind towards the grid's east"),
          "y_wind": ("y_wind", "m s-1", "wind towards the grid's north"),
          "upward_air_velocity": ("upward_air_velocity", "m s-1", "wind upwards"),
          "turbulent_kinetic_energy": ("specific_turbulent_kinetic_energy_of_air", "m2 s-2", "turbulent kinetic energy"),
          "dissipation": ("specific_turbulent_kinetic_energy_dissipation_in_air", "m2 s-3", "of turbulent kinetic energy"),
          "eddy_viscosity": ("atmosphere_momentum_diffusivity", "m2 s-1", "eddy viscosity")}


def _fields(w, momentum, mean):
    """Name and float32 [south, up, east] of each field; one read and no other copy a field."""
    prefix = "mean_" if mean else ""
    yield "x_wind", w.read(prefix + "u")
    north = w.read(prefix + "w")
    np.negative(north, out=north)
    yield "y_wind", north
    yield "upward_air_velocity", w.read(prefix + "v")
    if momentum:
        yield "turbulent_kinetic_energy", w.read("k")
        yield "dissipation", w.read("dissipation")
        yield "eddy_viscosity", w.read("viscosity")


def _at_height(w, grid, height, momentum, mean):
    """Speed, direction, intensity [rows, columns] at a height above the ground."""
    x, z = np.meshgrid(grid.x - grid.x[0] + grid.spacing / 2, grid.y[0] - grid.y + grid.spacing / 2)
    points = np.stack([x, np.full_like(x, height), z], axis=-1).reshape(-1, 3)
    u, _, south, intensity = w.read_points(points, mean=mean).T
    speed = np.hypot(u, south)
    direction = np.degrees(np.arctan2(-u, south)) % 360
    if momentum:
        k = w.read_turbulence(points)[:, 0]
        intensity = np.sqrt(2 / 3 * k) / np.maximum(speed, 0.1)
    return [a.reshape(x.shape) for a in (speed, direction.astype(np.float32), intensity)]


def make_dataset(w, grid, box, height, how, run):
    momentum, mean = run["model"] == "momentum", run["model"] == "forcing"
    solid = w.read("solid") > 0.5
    z = box["floor"] + (np.arange(box["levels"]) + 0.5) * box["step"]
    data = {}
    for name, values in _fields(w, momentum, mean):
        values[solid] = np.nan
        standard, units, text = _CELLS[name]
        data[name] = (("z", "y", "x"), values.transpose(1, 0, 2),  # a view
                      {"standard_name": standard, "units": units, "long_name": text})
    speed, direction, intensity = _at_height(w, grid, height, momentum, mean)
    at = {"height_above_ground": float(height), "height_above_ground_units": "m"}
    flat = ("y", "x")
    data["wind_speed"] = (flat, speed, {"standard_name": "wind_speed", "units": "m s-1", **at})
    data["wind_from_direction"] = (flat, direction, {"standard_name": "wind_from_direction", "units": "degree",
                                                     "long_name": "clockwise from the grid's north", **at})
    data["turbulence_intensity"] = (flat, intensity, {"units": "1", "long_name": "turbulence intensity", **at})
    if momentum:
        data["friction_velocity"] = (flat, w.read_stress()[:, :, 2], {"units": "m s-1", "long_name": "friction velocity of the ground"})
    data["surface_altitude"] = (flat, w.read_ground(), {"standard_name": "surface_altitude", "units": "m",
                                                        "long_name": "ground that the wind sees, eased at the sides"})
    axis = {"units": "m"}
    projected = grid.crs is not None
    coords = {"z": ("z", z, {**axis, "standard_name": "altitude", "axis": "Z", "positive": "up"}),
              "y": ("y", grid.y, {**axis, "axis": "Y", **({"standard_name": "projection_y_coordinate"} if projected else {})}),
              "x": ("x", grid.x, {**axis, "axis": "X", **({"standard_name": "projection_x_coordinate"} if projected else {})})}
    attributes = {"Conventions": "CF-1.8", "title": "Mean wind over terrain",
                  "source": f"libfoehn {lib.version().decode()}, {run['model']} model on {w.context.device['name']}",
                  **{name: value for name, value in run.items()},
                  **{f"run_{name}": value for name, value in how.items() if isinstance(value, (int, float)) and math.isfinite(value)}}
    dataset = WindDataset(data, coords, attributes)
    for name in coords:
        dataset[name].encoding["_FillValue"] = None  # CF: none of coordinates
    return dataset.with_crs(grid.crs) if projected else dataset


class WindDataset(xr.Dataset):
    """An xarray.Dataset of foehn.wind(), which shows a map in notebooks."""

    __slots__ = ()

    def with_crs(self, crs):
        """The same with its coordinate reference system, where rioxarray is."""
        try:
            import rioxarray  # noqa: F401  gives .rio
        except ImportError:
            return self.assign_attrs(crs=str(crs))
        return self.rio.write_crs(crs, inplace=True)  # else all fields would be copied

    def _repr_png_(self):
        """The wind at its height over the ground as the bytes of a PNG picture; None without matplotlib."""
        return draw_map(self)

    def _repr_html_(self):
        """The picture above the table that xarray shows."""
        png = draw_map(self)
        picture = f'<img src="data:image/png;base64,{base64.b64encode(png).decode()}" style="max-width: 100%">' if png else ""
        return picture + super()._repr_html_()
