# SPDX-License-Identifier: MIT
"""The library itself: found, declared to ctypes, its failures made exceptions."""
import ctypes
import ctypes.util
import os
import re
import threading
import weakref

from ._declarations import TEXT
from ._version import __version__


class FoehnError(RuntimeError):
    """A call of the library failed; the text is the library's.  status: its number."""

    status = 0


class ArgumentError(FoehnError, ValueError):
    """An argument is out of its range; the object is as it was."""


class OutOfMemoryError(FoehnError, MemoryError):
    """More than the device allows; nothing was allocated."""


class DeviceError(FoehnError):
    """No usable OpenCL device: the text says what to install."""


class OpenCLError(FoehnError):
    """The device failed; the object is of no use any more."""


class BuildError(FoehnError):
    """A kernel does not build on the device: choose another."""


class UnstableError(FoehnError, ArithmeticError):
    """The numbers blew up: use a smaller step and start again."""


class PartError(FoehnError):
    """Another part of a box that several keep has failed."""


class ForkError(FoehnError):
    """This process was forked after foehn had been used: OpenCL does not survive that."""


_ERRORS = {1: ArgumentError, 2: OutOfMemoryError, 3: DeviceError, 4: OpenCLError, 5: BuildError, 6: UnstableError, 7: PartError}
_TYPES = {"char": ctypes.c_char, "int": ctypes.c_int, "float": ctypes.c_float, "double": ctypes.c_double,
          "size_t": ctypes.c_size_t, "uint16_t": ctypes.c_uint16, "uint32_t": ctypes.c_uint32,
          "uint64_t": ctypes.c_uint64, "foehn_status": ctypes.c_int}


def _type_of(name, stars, structs):
    """The ctypes type of a declaration: texts are texts, all other pointers are addresses."""
    if stars:
        return ctypes.c_char_p if name == "const char" else ctypes.c_void_p
    name = name.replace("const ", "")
    return None if name == "void" else _TYPES.get(name) or structs[name]


def _members(body, structs):
    for line in filter(None, (part.strip() for part in body.split(";"))):
        name, names = re.match(r"((?:const )?\w+)\s+(.*)", line, re.S).groups()
        for declared in names.split(","):
            stars, member, count = re.match(r"\s*(\**)(\w+)(?:\[(\d+)\])?", declared).groups()
            kind = _type_of(name, stars, structs)
            yield member, kind * int(count) if count else kind


def declare(text):
    """structs, by name, and functions: name -> (result, arguments), of declarations in C."""
    structs, functions = {}, {}
    for name, body in re.findall(r"typedef struct (\w+) \{(.*?)\} \w+;", text, re.S):
        fields = list(_members(body, structs))
        structs[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    text = re.sub(r"typedef struct .*?\} \w+;", "", text, flags=re.S)
    for result, star, name, arguments in re.findall(r"((?:const )?\w+) (\*?)(foehn_\w+)\(([^)]*)\);", text):
        kinds = [re.match(r"\s*((?:const )?\w+) (\**)", a).groups() for a in arguments.split(",") if a != "void"]
        functions[name] = (_type_of(result, star, structs), [_type_of(n, s, structs) for n, s in kinds], result == "foehn_status")
    return structs, functions


STRUCTS, FUNCTIONS = declare(TEXT)


def _open():
    path = os.environ.get("FOEHN_LIBRARY") or ctypes.util.find_library("foehn")
    hint = "install libfoehn (make install, ldconfig), or let FOEHN_LIBRARY name libfoehn.so"
    try:
        return ctypes.CDLL(path or "libfoehn.so.0")
    except OSError as error:
        raise ImportError(f"foehn: the library cannot be loaded: {error}: {hint}") from None


class Library:
    """Functions of libfoehn as methods, without their prefix: a status that is not 0 raises."""

    def __init__(self):
        self._library = _open()
        self._process = None  # that made the first call
        self._lock = threading.Lock()
        for name, (result, arguments, checked) in FUNCTIONS.items():
            try:
                function = getattr(self._library, name)
            except AttributeError:
                raise ImportError(f"foehn: the library has no {name}: it is older than this package, {__version__}") from None
            function.restype, function.argtypes = result, arguments
            setattr(self, name[len("foehn_"):], self._checked(function) if checked else self._guarded(function))
        version = self._library.foehn_version().decode()
        if version.split(".")[:2] != __version__.split(".")[:2]:
            raise ImportError(f"foehn: the library is version {version}, this package {__version__}: install both anew")

    def survived(self):
        """Is this the process that made the first call, or has there been none?"""
        return self._process in (None, os.getpid())

    def _enter(self):
        if self._process != os.getpid():
            with self._lock:
                if not self.survived():
                    raise ForkError("this process was forked after foehn had been used in it, and OpenCL does not survive a "
                                    "fork: start processes by multiprocessing.get_context('spawn'), or fork before")
                self._process = os.getpid()

    def _guarded(self, function):
        def call(*arguments):
            self._enter()
            return function(*arguments)
        return call

    def _checked(self, function):
        def call(*arguments):
            self._enter()
            status = function(*arguments)
            if status:
                kind = _ERRORS.get(status, FoehnError)
                error = kind(self._library.foehn_last_error().decode(errors="replace"))
                error.status = status
                raise error
        return call


lib = Library()


def byref(value):
    return ctypes.byref(value)


def address(array):
    """Of a numpy array's memory."""
    return ctypes.c_void_p(array.ctypes.data)


def as_dict(struct):
    """A struct of numbers as a dict; arrays are tuples, structs dicts."""
    out = {}
    for name, _ in struct._fields_:
        value = getattr(struct, name)
        if isinstance(value, ctypes.Array) and not isinstance(value, bytes):
            value = tuple(value)
        elif isinstance(value, ctypes.Structure):
            value = as_dict(value)
        elif isinstance(value, bytes):
            value = value.decode(errors="replace")
        if name != "struct_size":
            out[name] = value
    return out


def new(name):
    """A struct of the library with its defaults."""
    struct = STRUCTS[name]()
    getattr(lib, name[len("foehn_"):] + "_init")(ctypes.byref(struct), ctypes.sizeof(struct))
    return struct


def choice(what, value, names):
    """The place of a name in a list; what is not there is refused with the nearest."""
    if value in names:
        return names.index(value)
    raise ArgumentError(f"{what}: {value!r}: give {', '.join(names)}{nearest(value, names)}")


def nearest(value, names):
    import difflib

    near = difflib.get_close_matches(str(value), names, 1)
    return f": did you mean {near[0]}?" if near else ""


def check_keys(what, given, known):
    """Refuse a key that is not known, with the nearest that is."""
    for key in given:
        if key not in known:
            raise ArgumentError(f"{what}: no such key as {key!r}{nearest(key, known)}; known are {', '.join(sorted(known))}")


def put(struct, name, value, what):
    """Set a member of a struct: a number, or numbers of an array."""
    try:
        current = getattr(struct, name)
        if isinstance(current, ctypes.Array):
            values = list(value)
            if len(values) != len(current):
                raise ArgumentError(f"{what}: {name} takes {len(current)} numbers, not {len(values)}")
            setattr(struct, name, type(current)(*values))
        else:
            setattr(struct, name, value)
    except TypeError as error:
        raise ArgumentError(f"{what}: {name}: {value!r}: {error}") from None


class Handle:
    """An object of the library: destroyed with this one, unless the process was forked since."""

    _destroy = ""

    def __init__(self, handle, parent=None):
        self._handle = handle
        self._children = weakref.WeakSet()
        if parent is not None:
            parent._children.add(self)

    def close(self):
        """Give the device's memory back now; closing twice is allowed."""
        handle, self._handle = getattr(self, "_handle", None), None
        for child in list(getattr(self, "_children", ())):
            child.close()
        if handle and lib.survived():
            getattr(lib, self._destroy)(handle)

    @property
    def handle(self):
        if not self._handle:
            raise FoehnError(f"{type(self).__name__}: is closed")
        return self._handle

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        try:
            self.close()
        except Exception:  # the interpreter is going down
            pass
