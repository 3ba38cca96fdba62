# SPDX-License-Identifier: MIT
"""Fire and smoke, by scenes that are dicts."""
import ctypes
import math

import numpy as np

from ._context import _room, context
from ._library import STRUCTS, ArgumentError, Handle, address, as_dict, byref, check_keys, choice, lib, new, put

FIELDS = ("density", "temperature", "age", "tint", "velocity", "velocity_before", "divergence_before", "divergence", "pressure",
          "vorticity", "distance", "normal", "surface_velocity", "flame", "fuel", "products", "soot", "heat_release", "expansion")
_SHAPES = ("box", "ellipsoid")
_CHOICES = {"velocity_transport": ("semi-lagrangian", "maccormack"), "dye_transport": ("semi-lagrangian", "maccormack"),
            "layout": ("collocated", "staggered"), "pressure": ("jacobi", "multigrid", "wide")}
_LOOKS = {"view": ("final", "no-bloom", "density", "temperature", "velocity", "colliders"), "look": ("light", "preset"),
          "curve": ("film", "agx", "none")}
_OF_THE_COMMAND = ("title", "about", "dt", "duration")


def fuels():
    """The table of fuels: name -> dict of heat (MJ/kg), air, soot_yield, ..."""
    out, fuel = {}, STRUCTS["foehn_fire_fuel"]()
    while True:
        name = lib.fire_fuel_get(len(out), byref(fuel))
        if name is None:
            return out
        out[name.decode()] = as_dict(fuel)


class Fire(Handle):
    """Fire and smoke in a box, metres and seconds, y up; fields are float32 [nz, ny, nx] or [nz, ny, nx, 3].

    scene  a dict with keys of scene files (foehn fire --show torch), all optional:
           box: {size: [x, y, z], center, rotation, voxel, physics_voxel}; fire: {mode: preset|burn, fuel: a name or numbers with
           like: a name, and members of foehn_fire_params}; wind: {velocity: [x, y, z]};
           emitters: [{points: array [n, 3] or mesh: {shape: disk, radius}, position, rotation, velocity, power (kW), multiplier,
           tint, brush_radius, temperature}]; colliders: [{shape: box, size: [x, y, z]} or {shape: ellipsoid, radii}, position,
           rotation, velocity]; camera: {position, target, up, field_of_view}; picture: {size: [w, h], stops, ...}.
           Rotations are degrees about x, then y, then z.  A disk is 400 points spread evenly.  Meshes from files, motion and
           background pictures are the command's.
    """

    _destroy = "fire_destroy"

    def __init__(self, scene=None, context_=None):
        scene = dict(scene or {})
        check_keys("Fire", scene, {"box", "fire", "wind", "emitters", "colliders", "camera", "picture", *_OF_THE_COMMAND})
        self.context = context(context_)
        params = _params(scene)
        handle = ctypes.c_void_p()
        lib.fire_create(self.context.handle, byref(params), byref(handle))
        super().__init__(handle, self.context)
        self._scene = scene
        self._slots = dict.fromkeys(_SHAPES, 0)
        if scene.get("wind"):
            check_keys("wind", scene["wind"], {"velocity"})
            self.set_wind(scene["wind"].get("velocity", (0, 0, 0)))
        for emitter in scene.get("emitters") or ():
            self.add_emitter(emitter)
        for collider in scene.get("colliders") or ():
            self.add_collider(collider)

    def add_emitter(self, emitter):
        """An emitter, a dict as in scenes; returns its number."""
        known = {"name", "points", "mesh", "position", "rotation", "velocity", "power", "multiplier", "tint", "brush_radius",
                 "temperature"}
        check_keys("emitter", emitter, known)
        points = np.ascontiguousarray(_points(emitter), np.float32)
        if points.ndim != 2 or points.shape[1] != 3:
            raise ArgumentError(f"emitter: points: the shape is {points.shape}: give [n, 3]")
        struct = STRUCTS["foehn_fire_emitter"]()
        struct.count, struct.points, struct.max_count = len(points), address(points), 1
        index = ctypes.c_int()
        lib.fire_add_emitter(self.handle, byref(struct), byref(index))
        proxy = lib.fire_proxy_default()
        for name in ("velocity", "power", "multiplier", "tint", "brush_radius", "temperature"):
            if name in emitter:
                put(proxy, name, emitter[name], "emitter")
        _pose(proxy.pose, emitter, "emitter")
        lib.fire_set_proxy(self.handle, index.value, 0, byref(proxy))
        return index.value

    def add_collider(self, collider):
        """A box or an ellipsoid in the way, a dict as in scenes; returns its slot."""
        check_keys("collider", collider, {"name", "shape", "size", "radii", "position", "rotation", "velocity"})
        shape = collider.get("shape", "box")
        kind = choice("collider: shape", shape, _SHAPES)
        struct = lib.fire_collider_default()
        extent = [0.5 * v for v in collider["size"]] if "size" in collider else collider.get("radii")
        if extent is None or ("size" in collider) != (shape == "box"):
            raise ArgumentError(f"collider: {shape}: give {'size' if shape == 'box' else 'radii'}: [x, y, z]")
        put(struct, "half", extent, "collider")
        if "velocity" in collider:
            put(struct, "velocity", collider["velocity"], "collider")
        _pose(struct.pose, collider, "collider")
        slot = self._slots[shape]
        lib.fire_set_collider(self.handle, kind, slot, byref(struct))
        self._slots[shape] += 1
        return slot

    def set_wind(self, velocity):
        """Wind at the sides, m/s along the world's axes: one vector, or [nz, ny, nx, 3] samples spread over the box."""
        velocity = np.ascontiguousarray(velocity, np.float32)
        velocity = velocity.reshape(1, 1, 1, 3) if velocity.shape == (3,) else velocity
        if velocity.ndim != 4 or velocity.shape[3] != 3:
            raise ArgumentError(f"wind: the shape is {velocity.shape}: give [3] or [nz, ny, nx, 3]")
        struct = STRUCTS["foehn_fire_wind"]()
        struct.nz, struct.ny, struct.nx = velocity.shape[:3]
        struct.velocity = address(velocity)
        lib.fire_set_wind(self.handle, byref(struct))

    def step(self, steps=1):
        """Fixed steps of 1/30 s of the caller's time."""
        for _ in range(steps):
            lib.fire_step(self.handle)

    def update(self, dt):
        """Let dt seconds pass: as many steps as have become whole."""
        lib.fire_update(self.handle, dt)

    def read(self, field, out=None):
        """A field, float32 [nz, ny, nx], of vectors [nz, ny, nx, 3].  Waits.  out: an array of that kind to read into."""
        index = choice("field", field, FIELDS)
        info = STRUCTS["foehn_fire_field_info"]()
        lib.fire_get_field(self.handle, index, byref(info))
        nx, ny, nz = info.cells
        out = _room(out, (nz, ny, nx) + ((3,) if info.components == 3 else ()), np.float32)
        lib.fire_read(self.handle, index, address(out))
        return out

    def measures(self):
        """max_temperature, plume_height (m), heat_release (kW), budgets, ..."""
        struct = STRUCTS["foehn_fire_measures"]()
        lib.fire_read_measures(self.handle, byref(struct))
        return as_dict(struct)

    def picture(self, **given):
        """The picture: uint8 [height, width, 4], rows from the top, sRGB with alpha.

        Keywords are those of a scene's camera and picture: size=(w, h), position, target, up, field_of_view, stops, look, ...
        """
        struct = new("foehn_fire_picture")
        wanted = {**(self._scene.get("camera") or {}), **(self._scene.get("picture") or {}), **given}
        members = {name for name, _ in struct._fields_} - {"struct_size", "width", "height", "background", "depth", "land"}
        check_keys("picture", wanted, members | {"size"})
        for name, value in wanted.items():
            if name == "size":
                struct.width, struct.height = value
            else:
                put(struct, name, choice(name, value, _LOOKS[name]) if name in _LOOKS else value, "picture")
        out = np.empty((struct.height, struct.width, 4), np.uint8)
        lib.fire_read_picture(self.handle, byref(struct), 1, address(out))
        return out

    @property
    def info(self):
        """Voxels, spacing (m), time (s), step, memory_bytes, ..."""
        struct = STRUCTS["foehn_fire_info"]()
        lib.fire_get_info(self.handle, byref(struct))
        return as_dict(struct)


def _params(scene):
    params = new("foehn_fire_params")
    given = dict(scene.get("fire") or {})
    mode = choice("fire: mode", given.pop("mode", "preset"), ("preset", "burn"))
    if mode:
        lib.fire_params_burn(byref(params))
    members = {name for name, _ in params._fields_} - {"struct_size", "size", "pose", "render_voxel", "physics_voxel", "mode"}
    check_keys("fire", given, members)
    fuel = given.pop("fuel", None)
    if fuel is not None:
        _fuel(params.fuel, fuel)
    for name, value in given.items():
        put(params, name, choice(name, value, _CHOICES[name]) if name in _CHOICES else value, "fire")
    box = scene.get("box") or {}
    check_keys("box", box, {"size", "center", "rotation", "voxel", "physics_voxel"})
    for key, name in (("size", "size"), ("voxel", "render_voxel"), ("physics_voxel", "physics_voxel")):
        if key in box:
            put(params, name, box[key], "box")
    params.pose.position[:] = box.get("center", (0, params.size[1] / 2, 0))
    if "rotation" in box:
        params.pose.rotation[:] = quaternion(box["rotation"])
    return params


def _fuel(struct, given):
    table = fuels()
    numbers = {"like": given} if isinstance(given, str) else dict(given)
    like = numbers.pop("like", "propane")
    choice("fuel", like, list(table))
    check_keys("fuel", numbers, table[like])
    for name, value in {**table[like], **numbers}.items():
        put(struct, name, value, "fuel")


def _points(emitter):
    """The emitter's own points, or those of a disk: a sunflower's seeds."""
    if ("points" in emitter and not np.isscalar(emitter["points"])) == ("mesh" in emitter):
        raise ArgumentError("emitter: give points, an array [n, 3], or mesh: {'shape': 'disk', 'radius': m}")
    mesh = emitter.get("mesh")
    if mesh is None:
        return emitter["points"]
    check_keys("mesh", mesh, {"shape", "radius"})
    choice("mesh: shape", mesh.get("shape"), ("disk",))
    i = np.arange(int(emitter.get("points", 400))) + 0.5
    radius, angle = mesh["radius"] * np.sqrt(i / len(i)), math.pi * (3 - math.sqrt(5)) * i
    return np.stack([radius * np.cos(angle), 0 * i, radius * np.sin(angle)], axis=1)


def quaternion(degrees):
    """(x, y, z, w) of turns about x, then y, then z."""
    q = np.array([0.0, 0.0, 0.0, 1.0])
    for axis, angle in enumerate(degrees):
        half = math.radians(angle) / 2
        turn = np.array([0.0, 0.0, 0.0, math.cos(half)])
        turn[axis] = math.sin(half)
        vector = turn[3] * q[:3] + q[3] * turn[:3] + np.cross(turn[:3], q[:3])
        q = np.append(vector, turn[3] * q[3] - turn[:3] @ q[:3])
    return q


def _pose(struct, given, what):
    if "position" in given:
        put(struct, "position", given["position"], what)
    if "rotation" in given:
        struct.rotation[:] = quaternion(given["rotation"])
