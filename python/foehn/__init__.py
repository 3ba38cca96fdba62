# SPDX-License-Identifier: MIT
"""Wind over terrain, fire and smoke, and 2-D flow, on any OpenCL device: libfoehn as numpy and xarray.

    import foehn
    ds = foehn.wind(heights, spacing=20, u10=8.9, direction=210)      # an xarray.Dataset
    with foehn.Flow({"sides": {"left": {"kind": "inflow", "speed": 0.3}, "right": "outflow"},
                     "obstacles": [{"shape": "cylinder", "center": [0.5, 0.5], "size": 0.16}]}) as flow:
        flow.step(1 / 60, 600)
        vorticity = flow.read("vorticity")                            # float32 [ny, nx]

The library is found by the loader, or named by FOEHN_LIBRARY.  Failures are exceptions with the library's text.  A process that was
forked after the first call gets a ForkError.  Objects of a Context belong to one thread at a time.
"""
from ._context import Context, Volume, devices
from ._fire import Fire, fuels
from ._flow import Flow
from ._library import (ArgumentError, BuildError, DeviceError, FoehnError, ForkError, OpenCLError, OutOfMemoryError, PartError,
                       UnstableError, lib)
from ._version import __version__
from ._wind import Wind, wind

__all__ = ["ArgumentError", "BuildError", "Context", "DeviceError", "Fire", "Flow", "FoehnError", "ForkError", "OpenCLError",
           "OutOfMemoryError", "PartError", "UnstableError", "Volume", "Wind", "devices", "fuels", "library_version", "wind"]


def library_version():
    """Version of the library that runs."""
    return lib.version().decode()
