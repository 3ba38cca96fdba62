# SPDX-License-Identifier: MIT
"""Wind over terrain: the object that steps, and wind(), which makes a Dataset of a DEM."""
import ctypes
import math

import numpy as np

from ._context import Volume, _room, context
from ._library import STRUCTS, ArgumentError, Handle, address, as_dict, byref, check_keys, choice, lib, nearest, new, put
from ._progress import Progress

FIELDS = ("u", "v", "w", "pressure", "curl", "divergence", "solid", "mean_u", "mean_v", "mean_w", "mean_speed", "std_speed",
          "k", "dissipation", "viscosity")
_CHOICES = {"scheme": ("collocated", "staggered"), "sides": ("open", "periodic"),
            "pressure": ("multigrid", "mgcg"), "advection": ("semi-lagrangian", "maccormack"),
            "solids": ("fractions", "binary"), "model": ("forcing", "momentum", "les"), "closure": ("k-eps", "k-length")}
_STATE = ("u10", "direction", "gustiness")
_REPORT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def _state(struct, given):
    for name in _STATE:
        if name in given:
            setattr(struct, "from" if name == "direction" else name, given[name])


class Wind(Handle):
    """A box of wind: x east, y up, z south; arrays are float32 [nz, ny, nx].

    Keywords are members of foehn_wind_params (include/foehn/wind.h): nx, ny, nz (cells), spacing_horizontal,
    spacing_vertical (m), center (m, world x, y, z), z0 (m), seed, cycles, model="forcing"|"momentum"|"les",
    closure="k-eps"|"k-length", scheme, sides, pressure, advection, solids, ...; and what blows: u10 (m/s at 10 m),
    direction (degrees clockwise from north, where it comes from), gustiness (0 to 1).
    """

    _destroy = "wind_destroy"

    def __init__(self, context_=None, **given):
        self.context = context(context_)
        params = new("foehn_wind_params")
        members = {name for name, _ in params._fields_} - {"struct_size", "state"}
        check_keys("Wind", given, members | set(_STATE))
        for name, value in given.items():
            if name in _CHOICES:
                value = choice(f"Wind: {name}", value, _CHOICES[name])
            if name not in _STATE:
                put(params, name, value, "Wind")
        _state(params.state, given)
        self._state = params.state
        handle = ctypes.c_void_p()
        lib.wind_create(self.context.handle, byref(params), byref(handle))
        super().__init__(handle, self.context)
        self.shape = (params.nz, params.ny, params.nx)

    def set_terrain(self, heights, origin, spacing, z0=None):
        """Ground: heights [nz, nx] in m, row 0 the northernmost; origin: world x and z of sample (0, 0), m; spacing: m,
        one number or two (x, z); z0: roughness lengths of the same samples, m."""
        ground, keep = _terrain(heights, origin, spacing, z0)
        lib.wind_set_terrain(self.handle, byref(ground))
        del keep

    def set_state(self, **given):
        """Change what blows: u10, direction, gustiness."""
        check_keys("set_state", given, _STATE)
        _state(self._state, given)
        lib.wind_set_state(self.handle, byref(self._state))

    def step(self, dt, steps=1):
        """Advance by `steps` steps of dt seconds each."""
        for _ in range(steps):
            lib.wind_step(self.handle, dt)

    def solve(self, reduction=1e-4, cycles=200):
        """The mass-consistent mean wind at once; returns cycles, residual, mass_in (m3/s), mass_imbalance."""
        solution = STRUCTS["foehn_wind_solution"]()
        lib.wind_solve(self.handle, reduction, cycles, byref(solution))
        return as_dict(solution)

    def settle(self, progress=None, **given):
        """Step the momentum model until its mean drifts no more.

        height, drift, least_flushes, most_flushes, most_steps  as foehn_wind_settle_params
        progress  called with a dict of steps, flushes, drift, unrest after every tenth step; True ends the run
        Returns   that dict at the end; settled is 0 for a wind that sways or had too few steps
        """
        params = new("foehn_wind_settle_params")
        check_keys("settle", given, {"height", "drift", "least_flushes", "most_flushes", "most_steps"})
        for name, value in given.items():
            put(params, name, value, "settle")
        raised = []

        def report(so_far, _):
            try:
                told = as_dict(STRUCTS["foehn_wind_settling"].from_address(so_far))
                return bool(progress(_flat(told)))
            except BaseException as error:  # Ctrl-C, too: C cannot pass it on
                raised.append(error)
                return 1

        callback = _REPORT(report)
        if progress:
            params.report = ctypes.cast(callback, ctypes.c_void_p)
        out = STRUCTS["foehn_wind_settling"]()
        lib.wind_settle(self.handle, byref(params), byref(out))
        if raised:
            raise raised[0]
        return _flat(as_dict(out))

    def read(self, field, out=None):
        """A field as float32 [nz, ny, nx]: u east, v up, w south (m/s), pressure, curl, divergence, solid, mean_u ... of
        set_averaging(), and of the momentum model k (m2/s2), dissipation (m2/s3), viscosity (m2/s).  Waits.

        out  an array of that kind to read into, C-contiguous: no other copy is made
        """
        out = _room(out, self.shape, np.float32)
        lib.wind_read(self.handle, choice("field", field, FIELDS), address(out))
        return out

    def write(self, field, values):
        """Overwrite u, v, w, pressure or curl: [nz, ny, nx]."""
        values = np.ascontiguousarray(values, np.float32)
        if values.shape != self.shape:
            raise ArgumentError(f"write: {field} has the shape {values.shape}, not {self.shape}")
        lib.wind_write(self.handle, choice("field", field, FIELDS), address(values))

    def read_ground(self):
        """Height of the ground under each column, m: [nz, nx]."""
        out = np.empty((self.shape[0], self.shape[2]), np.float32)
        lib.wind_read_ground(self.handle, address(out))
        return out

    def read_stress(self):
        """Momentum model: stress on the ground over the air's density along x and z (m2/s2), u* (m/s): [nz, nx, 3]."""
        out = np.empty((self.shape[0], self.shape[2], 3), np.float32)
        lib.wind_read_stress(self.handle, address(out))
        return out

    def read_points(self, points, mean=False):
        """Wind at points [n, 3] of world x, height above the ground, world z (m): [n, 4], u, v, w (m/s), intensity."""
        points = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        out = np.empty((len(points), 4), np.float32)
        lib.wind_read_points(self.handle, int(mean), len(points), address(points), address(out))
        return out

    def read_turbulence(self, points):
        """Momentum model, at such points: k (m2/s2) and eddy viscosity (m2/s), [n, 2]."""
        points = np.ascontiguousarray(points, np.float64).reshape(-1, 3)
        out = np.empty((len(points), 2), np.float32)
        lib.wind_read_turbulence(self.handle, len(points), address(points), address(out))
        return out

    def set_averaging(self, on=True):
        """Start or stop the running mean."""
        lib.wind_set_averaging(self.handle, int(on))

    @property
    def info(self):
        """Cells, origin, extent, spacing (m), step, time (s), memory_bytes, ..."""
        info = STRUCTS["foehn_wind_info"]()
        lib.wind_get_info(self.handle, byref(info))
        return as_dict(info)

    def stats(self):
        """mean_speed_10m, max_speed (m/s), mean_abs_divergence (1/s), ... of the field as it is."""
        stats = STRUCTS["foehn_wind_stats"]()
        lib.wind_read_stats(self.handle, byref(stats))
        return as_dict(stats)

    def publish(self, volume=None):
        """Write ux, uy, uz, intensity into a Volume, made here when none is given."""
        volume = volume or Volume(self.shape, self.context)
        lib.wind_write_volume(self.handle, volume.handle)
        return volume


def _flat(settling):
    progress = settling.pop("progress")
    return {**progress, **settling}


def _terrain(heights, origin, spacing, z0=None):
    heights = np.ascontiguousarray(heights, np.float32)
    if heights.ndim != 2:
        raise ArgumentError(f"heights: has {heights.ndim} dimensions: give [nz, nx]")
    z0 = None if z0 is None else np.ascontiguousarray(z0, np.float32)
    if z0 is not None and z0.shape != heights.shape:
        raise ArgumentError(f"z0: has the shape {z0.shape}, the heights {heights.shape}")
    ground = STRUCTS["foehn_terrain"]()
    ground.nz, ground.nx = heights.shape
    ground.origin[:] = origin
    ground.spacing[:] = spacing if np.ndim(spacing) else (spacing, spacing)
    ground.heights, ground.z0 = address(heights), None if z0 is None else address(z0)
    return ground, (heights, z0)


# ---- from a DEM to a Dataset ----

_ASPECT = 4.0  # of cells, as the command's


def _to_corners(values):
    """From cells' middles [n, m] to their corners [n + 1, m + 1]."""
    padded = np.pad(values, 1, mode="edge")
    return 0.25 * (padded[:-1, :-1] + padded[1:, :-1] + padded[:-1, 1:] + padded[1:, 1:])


def _ease(heights, params, direction, share):
    """Bring the terrain at the sides to one height, as the command does."""
    heights = np.ascontiguousarray(heights, np.float32)
    band = share * min(params.nx, params.nz) * params.spacing_horizontal
    lib.site_ease(byref(params), direction, band, address(heights), None, address(heights))
    return heights


class _Grid:
    """Heights and where they lie: rows from north to south, metres."""

    def __init__(self, heights, spacing, crs):
        self.crs = crs
        if hasattr(heights, "dims") and hasattr(heights, "coords"):
            self._of_xarray(heights, spacing)
        else:
            values = np.asarray(heights, np.float64)
            if spacing is None:
                raise ArgumentError("wind: spacing is missing: give the distance of samples in m")
            self.heights, self.spacing = values, float(spacing)
            rows, columns = values.shape if values.ndim == 2 else (0, 0)
            self.x = (np.arange(columns) + 0.5) * self.spacing
            self.y = (rows - np.arange(rows) - 0.5) * self.spacing
        if self.heights.ndim != 2 or min(self.heights.shape) < 4:
            raise ArgumentError(f"heights: the shape is {self.heights.shape}: give [rows, columns], 4 or more of each")
        bad = np.argwhere(~np.isfinite(self.heights))
        if len(bad):
            raise ArgumentError(f"heights: {len(bad)} of {self.heights.size} are not finite, the first in row {bad[0][0]}, column "
                                f"{bad[0][1]}: fill gaps first")
        if not (math.isfinite(self.spacing) and self.spacing > 0):
            raise ArgumentError(f"spacing: {self.spacing!r}: give metres, more than 0")

    def _of_xarray(self, array, spacing):
        array = array.squeeze(drop=True)
        if not {"x", "y"} <= set(array.dims) or array.ndim != 2:
            raise ArgumentError(f"heights: the dimensions are {array.dims}: give y and x")
        array = array.transpose("y", "x").sortby("x").sortby("y", ascending=False)
        self.x, self.y = (np.asarray(array[a], np.float64) for a in ("x", "y"))
        steps = np.concatenate([np.diff(self.x), -np.diff(self.y)])
        self.spacing = float(np.mean(steps)) if spacing is None else float(spacing)
        if len(steps) == 0 or np.ptp(steps) > 1e-3 * self.spacing or abs(np.mean(steps) - self.spacing) > 1e-3 * self.spacing:
            raise ArgumentError(f"heights: x and y are not evenly spaced by {self.spacing:g} m: resample them, in a projection "
                                "whose unit is the metre")
        self.heights = np.asarray(array.values, np.float64)
        if self.crs is None and hasattr(array, "rio"):
            self.crs = array.rio.crs


def wind(heights, spacing=None, u10=10.0, direction=270.0, model="momentum", *, z0=0.03, spacing_vertical=None, top=None,
         height=10.0, ease=0.1, gustiness=0.3, duration=60.0, crs=None, device=None, progress=None, **settle):
    """The mean wind over terrain.

    heights    m, [rows, columns], row 0 the northernmost, or an xarray.DataArray with y and x in m; a cell a sample
    spacing    of samples, m; of a DataArray taken from its coordinates
    u10        speed at 10 m above open, flat ground of z0, m/s
    direction  where it blows from, degrees clockwise from the grid's north
    model      "momentum": separates behind hills, minutes; "consistent": mass consistent, at once, wrong behind hills;
               "forcing": the mean over the second half of `duration` seconds of gusty wind
    z0         roughness length, m; a number, or an array like heights (then 0.03 where the wind comes from)
    spacing_vertical, top   of cells, m (a quarter of spacing); altitude of the lid, m (4 hills, or 200 m, above the summit)
    height     above the ground, of the 2-D variables, m
    ease       share of the shorter side over which terrain is brought to one height at every side (momentum: to that where the
               wind comes in); 0.1 as the command's, 0 leaves two cells
    crs        of the coordinates, anything that rioxarray takes
    device     as of Context, or a Context
    progress   True, False, or a function of a dict; None: a bar in Jupyter and on terminals
    **settle   of Wind.settle(): drift, least_flushes, most_flushes, most_steps

    Returns an xarray.Dataset, CF-1.8, dimensions z (altitude), y (north first), x: x_wind, y_wind (towards the grid's
    east and north), upward_air_velocity (m/s), NaN under the ground; momentum: turbulent_kinetic_energy (m2/s2), dissipation (m2/s3, k-eps),
    eddy_viscosity (m2/s), friction_velocity (m/s); wind_speed (m/s), wind_from_direction (degrees) and turbulence_intensity at `height`;
    surface_altitude (m).  It is shown as a map in notebooks; _repr_png_() gives that picture's bytes.
    """
    from ._dataset import make_dataset  # needs xarray

    models = ("momentum", "consistent", "forcing")
    if model not in models:
        raise ArgumentError(f"model: {model!r}: give {', '.join(models)}{nearest(model, models)}")
    if settle and model != "momentum":
        raise ArgumentError(f"wind: {', '.join(settle)}: only for model=\"momentum\"")
    grid = _Grid(heights, spacing, crs)
    box = _box(grid, spacing_vertical, top)
    rows, columns = grid.heights.shape
    momentum = model == "momentum"
    rough = None if np.ndim(z0) == 0 else np.asarray(z0, np.float64)
    if rough is not None and rough.shape != grid.heights.shape:
        raise ArgumentError(f"z0: has the shape {rough.shape}, the heights {grid.heights.shape}")
    params = box["params"]
    params.model = _CHOICES["model"].index("momentum" if momentum else "forcing")
    ground = _ease(_to_corners(grid.heights) if momentum else grid.heights, params, direction, ease)
    first = grid.spacing * (0 if momentum else 0.5)
    with Wind(device, nx=columns, ny=box["levels"], nz=rows, spacing_horizontal=grid.spacing, spacing_vertical=box["step"],
              center=tuple(params.center), z0=0.03 if rough is not None else float(z0),
              model="momentum" if momentum else "forcing",
              noise_amplitude=0.0 if model == "consistent" else 0.35, u10=u10, direction=direction,
              gustiness=gustiness if model == "forcing" else 0.0) as w:
        w.set_terrain(ground, (first, first), grid.spacing,
                      None if rough is None else _to_corners(rough) if momentum else rough)
        with Progress(progress) as bar:
            how = _run(w, model, height, duration, u10, grid.spacing, bar, settle)
        return make_dataset(w, grid, box, height, how, dict(u10=u10, direction=direction, model=model,
                                                            z0=z0 if rough is None else "map"))


def _box(grid, step, top):
    low, high = float(grid.heights.min()), float(grid.heights.max())
    step = float(grid.spacing / _ASPECT if step is None else step)
    if not step > 0:
        raise ArgumentError(f"spacing_vertical: {step:g}: give metres, more than 0")
    lid = lib.site_get_lid(low, high) if top is None else float(top)
    if not lid > high:
        raise ArgumentError(f"top: {lid:g} m: below the summit at {high:g} m")
    params = new("foehn_wind_params")
    params.nz, params.nx = grid.heights.shape
    params.spacing_horizontal, params.spacing_vertical = grid.spacing, step
    params.center[0], params.center[2] = 0.5 * params.nx * grid.spacing, 0.5 * params.nz * grid.spacing
    lib.site_set_levels(byref(params), low, lid)
    step = params.spacing_vertical
    return {"params": params, "floor": step * math.floor(low / step), "step": step, "levels": params.ny}


def _run(w, model, height, duration, u10, spacing, bar, settle):
    if model == "consistent":
        bar({"text": "mass-consistent wind"})
        return w.solve()
    if model == "momentum":
        return w.settle(progress=lambda s: bar({"text": f"{100 * s['flushes']:.0f} % of a flush, drift {100 * s['drift']:.2g} %",
                                                **s}), height=height, **settle)
    dt = lib.site_get_step(spacing, u10)
    steps = max(2, math.ceil(duration / dt))
    for i in range(steps):
        if i == steps // 2:
            w.set_averaging()
        w.step(dt)
        if i % 10 == 0 and bar({"text": f"{i * dt:.0f} of {duration:.0f} s", "share": i / steps}):
            break
    return {"steps": steps, "dt": dt}
