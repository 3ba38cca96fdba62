# SPDX-License-Identifier: MIT
"""The 2-D flow lab, by scenes that are dicts."""
import ctypes

import numpy as np

from ._context import _room, context
from ._library import STRUCTS, ArgumentError, Handle, address, as_dict, byref, check_keys, choice, lib, new, put

FIELDS = ("u", "v", "p", "ink", "speed", "vorticity", "divergence", "solids")
SIDES = ("left", "right", "bottom", "top")
_KINDS = ("wall", "slip", "inflow", "outflow", "periodic")
_SHAPES = ("nothing", "cylinder", "plate", "bean", "wing")
_TERMS = {"force": 1, "advection": 2, "viscosity": 4, "pressure": 8}
_CHOICES = {"surface": ("staircase", "fractions"), "solver": ("multigrid", "sor"), "splitting": ("plain", "reflection")}
_NUMBERS = ("viscosity", "force", "cycles", "reduction", "reference_speed", "particles", "seed")
_OF_THE_COMMAND = ("title", "about", "dt", "duration", "layer", "measures")


class Flow(Handle):
    """Incompressible flow in a box, dimensionless; x to the right, y up, rows from the bottom.

    scene  a dict with the keys of scene files (foehn flow --show cylinder), all optional:
           box: {cells: [nx, ny], height}, sides: {left: kind or {kind, speed, profile: flat|parabola}, right, bottom, top}
           with kinds wall, slip, inflow, outflow, periodic; viscosity, force: [x, y], start: [u, v], terms: [force, ...],
           surface, solver, splitting, cycles, reduction, reference_speed, particles, seed,
           obstacles: [{shape: cylinder|plate|bean|wing, center: [x, y], size, angle, thickness, velocity: [u, v]}].
           title, about, dt, duration, layer and measures are the command's and not looked at; a script is refused.
    """

    _destroy = "flow_destroy"

    def __init__(self, scene=None, context_=None):
        scene = dict(scene or {})
        known = {"box", "sides", "start", "terms", "obstacles", *_CHOICES, *_NUMBERS, *_OF_THE_COMMAND, "script"}
        check_keys("Flow", scene, known)
        if scene.get("script"):
            raise ArgumentError("Flow: script: scripts are the command's: call stir(), set_obstacle() and step() yourself")
        self.context = context(context_)
        params = _params(scene)
        handle = ctypes.c_void_p()
        lib.flow_create(self.context.handle, byref(params), byref(handle))
        super().__init__(handle, self.context)
        self._cells = (params.ny, params.nx)
        self._particles = params.particles
        for slot, obstacle in enumerate(scene.get("obstacles") or ()):
            self.set_obstacle(slot, obstacle)

    def set_obstacle(self, slot, obstacle):
        """Put an obstacle, a dict as in scenes, into a slot (0 to 7), or take it out: None."""
        if obstacle is None:
            lib.flow_set_obstacle(self.handle, slot, None)
            return
        check_keys("obstacle", obstacle, {"shape", "center", "size", "angle", "thickness", "velocity"})
        struct = STRUCTS["foehn_flow_obstacle"]()
        for name, value in obstacle.items():
            put(struct, name, choice("shape", value, _SHAPES) if name == "shape" else value, "obstacle")
        lib.flow_set_obstacle(self.handle, slot, byref(struct))

    def stir(self, start, end=None, velocity=(0, 0), radius=0.05, ink=(0, 0, 0, 0)):
        """A stroke of the hand in the next step: velocity and ink (red, green, blue, alpha) along a path."""
        struct = STRUCTS["foehn_flow_stir"]()
        for name, value in (("from", start), ("to", start if end is None else end), ("velocity", velocity), ("radius", radius),
                            ("ink", ink)):
            put(struct, name, value, "stir")
        lib.flow_add_stir(self.handle, byref(struct))

    def step(self, dt, steps=1):
        """Advance by `steps` steps of dt."""
        for _ in range(steps):
            lib.flow_step(self.handle, dt)

    def read(self, field, out=None):
        """float32: u [ny, nx + 1] and v [ny + 1, nx] on faces; p, speed, vorticity, divergence, solids [ny, nx]; ink
        [4, ny, nx].  Waits.  out: an array of that kind to read into."""
        ny, nx = self._cells
        shape = {"u": (ny, nx + 1), "v": (ny + 1, nx), "ink": (4, ny, nx)}.get(field, (ny, nx))
        index = choice("field", field, FIELDS)
        out = _room(out, shape, np.float32)
        lib.flow_read(self.handle, index, address(out))
        return out

    def particles(self):
        """Places of the tracers: float32 [n, 2]."""
        out = np.empty((self._particles, 2), np.float32)
        if self._particles:
            lib.flow_read_particles(self.handle, address(out))
        return out

    def read_points(self, points):
        """At points [n, 2]: u, v, p, [n, 3]."""
        points = np.ascontiguousarray(points, np.float64).reshape(-1, 2)
        out = np.empty((len(points), 3))
        lib.flow_read_points(self.handle, len(points), address(points), address(out))
        return out

    def push(self, slot=0):
        """Force on an obstacle: pressure, viscous (per density and depth), cd, cl."""
        struct = STRUCTS["foehn_flow_push"]()
        lib.flow_read_push(self.handle, slot, byref(struct))
        return as_dict(struct)

    def stats(self):
        """max_speed, max_div_h_over_u, max_vorticity, ..."""
        struct = STRUCTS["foehn_flow_stats"]()
        lib.flow_read_stats(self.handle, byref(struct))
        return as_dict(struct)

    @property
    def info(self):
        """nx, ny, spacing, extent, time, step, ..."""
        struct = STRUCTS["foehn_flow_info"]()
        lib.flow_get_info(self.handle, byref(struct))
        return as_dict(struct)


def _params(scene):
    params = new("foehn_flow_params")
    box = scene.get("box") or {}
    check_keys("box", box, {"cells", "height"})
    if "cells" in box:
        cells = list(box["cells"])
        if len(cells) != 2:
            raise ArgumentError(f"box: cells: {cells}: give [nx, ny]")
        put(params, "nx", cells[0], "box")
        put(params, "ny", cells[1], "box")
    if "height" in box:
        put(params, "height", box["height"], "box")
    for side, value in (scene.get("sides") or {}).items():
        _side(params.sides[choice("sides", side, SIDES)], side, value)
    for name, names in _CHOICES.items():
        if name in scene:
            put(params, name, choice(name, scene[name], names), "Flow")
    for name in _NUMBERS:
        if name in scene:
            put(params, name, scene[name], "Flow")
    if "start" in scene:
        put(params, "start", scene["start"], "Flow")
    if "terms" in scene:
        check_keys("terms", scene["terms"], _TERMS)
        params.terms = sum(_TERMS[term] for term in set(scene["terms"]))
    return params


def _side(struct, side, value):
    value = {"kind": value} if isinstance(value, str) else value
    check_keys(side, value, {"kind", "speed", "profile"})
    struct.kind = choice(side, value.get("kind", "wall"), _KINDS)
    struct.parabolic = choice("profile", value.get("profile", "flat"), ("flat", "parabola"))
    put(struct, "speed", value.get("speed", 0.0), side)
