# SPDX-License-Identifier: MIT
"""Devices, the context that owns one, and published volumes."""
import atexit
import ctypes
import threading
import weakref

import numpy as np

from ._library import STRUCTS, ArgumentError, Handle, address, as_dict, byref, lib, new

_default = threading.local()
_contexts = weakref.WeakSet()


@atexit.register
def _close_all():
    """Before the drivers go: what is left would be destroyed after them."""
    for one in list(_contexts):
        one.close()


def devices():
    """Every OpenCL device as a dict: name, platform, driver, type (0 other, 1 CPU, 2 GPU), memory_bytes, ..."""
    count = ctypes.c_size_t()
    lib.devices_get(0, None, byref(count))
    infos = (STRUCTS["foehn_device_info"] * max(1, count.value))()
    infos[0].struct_size = ctypes.sizeof(STRUCTS["foehn_device_info"])
    lib.devices_get(count.value, infos, byref(count))
    return [as_dict(info) for info in infos[:count.value]]


class Context(Handle):
    """A device and its queue.  It and what is made from it belong to one thread at a time.

    device  index of devices(), "cpu", "gpu", or part of a name; None: $FOEHN_DEVICE, else the best
    """

    _destroy = "context_destroy"

    def __init__(self, device=None):
        params = new("foehn_context_params")
        params.device = None if device is None else str(device).encode()
        handle = ctypes.c_void_p()
        lib.context_create(byref(params), byref(handle))
        super().__init__(handle)
        _contexts.add(self)

    @property
    def device(self):
        """What it runs on, as devices() has it."""
        info = STRUCTS["foehn_device_info"]()
        info.struct_size = ctypes.sizeof(info)
        lib.context_get_device(self.handle, byref(info))
        return as_dict(info)

    @property
    def reason(self):
        """Why this device was chosen."""
        return lib.context_get_reason(self.handle).decode()

    @property
    def memory_bytes(self):
        """Device memory that its objects hold."""
        return lib.context_get_memory(self.handle)

    def wait(self):
        """Until the device has done all that was asked of it."""
        lib.context_wait(self.handle)

    def __repr__(self):
        return f"<foehn.Context on {self.device['name']}>" if self._handle else "<foehn.Context, closed>"


def context(given=None):
    """A Context: the given one, or one of a given device, or this thread's own."""
    if isinstance(given, Context):
        return given
    if given is not None:
        return Context(given)
    if not lib.survived() or getattr(_default, "context", None) is None:
        _default.context = Context()
    return _default.context


class Volume(Handle):
    """What a wind, fire or flow publishes: four half floats a voxel, for renderers and other arrays.

    shape  (nz, ny, nx)
    """

    _destroy = "volume_destroy"

    def __init__(self, shape, context_=None):
        if len(shape) != 3:
            raise ArgumentError(f"Volume: shape {shape!r}: give (nz, ny, nx)")
        self.context = context(context_)
        self.shape = tuple(int(n) for n in shape)
        nz, ny, nx = self.shape
        handle = ctypes.c_void_p()
        lib.volume_create(self.context.handle, nx, ny, nz, byref(handle))
        super().__init__(handle, self.context)

    @property
    def info(self):
        """Voxels, origin, extent, spacing (m), step and time of the newest content."""
        info = STRUCTS["foehn_volume_info"]()
        lib.volume_get_info(self.handle, byref(info))
        return as_dict(info)

    def read(self, out=None):
        """The newest content: float16 [nz, ny, nx, 4], wrapped as volume.h says.  Waits.

        out  an array of that kind to read into, C-contiguous
        """
        out = _room(out, self.shape + (4,), np.float16)
        lib.volume_read_halves(self.handle, address(out))
        return out

    def watch(self, seconds=0.0):
        """Copy to the host in the background, at most once in this many seconds; negative: never."""
        lib.volume_set_snapshots(self.handle, seconds)

    def snapshot(self):
        """The last copy that has arrived, without a wait and without another copy: float16 [nz, ny, nx, 4] on the
        library's own memory, good until the next snapshot() or close(); None: there is none yet."""
        snapshot = STRUCTS["foehn_snapshot"]()
        lib.volume_get_snapshot(self.handle, byref(snapshot))
        if not snapshot.halves:
            return None
        count = int(np.prod(self.shape)) * 4
        memory = (ctypes.c_uint16 * count).from_address(snapshot.halves)
        memory.owner = self  # the volume lives as long as the array
        return np.frombuffer(memory, np.float16).reshape(self.shape + (4,))

    def __dlpack__(self, **options):
        """The newest content on the host, for torch, jax and others: float16 [nz, ny, nx, 4]."""
        return self.read().__dlpack__(**options)

    def __dlpack_device__(self):
        return (1, 0)  # kDLCPU

    def __array__(self, dtype=None, copy=None):
        array = self.read()
        return array if dtype is None else array.astype(dtype, copy=False)


def _room(out, shape, dtype):
    """`out`, if it fits, or a new array."""
    if out is None:
        return np.empty(shape, dtype)
    if out.shape != tuple(shape) or out.dtype != dtype or not out.flags.c_contiguous or not out.flags.writeable:
        raise ArgumentError(f"out: give a writeable, C-contiguous {np.dtype(dtype)} array of shape {tuple(shape)}")
    return out
