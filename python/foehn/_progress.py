# SPDX-License-Identifier: MIT
"""How far a run is: a line that is rewritten, in Jupyter and on terminals; nothing of it in pipes."""
import sys
import time


class Progress:
    """progress  True: always; False: never; None: where somebody looks; a function: gets what is told."""

    def __init__(self, progress):
        self._function = progress if callable(progress) else None
        self._shown = self._handle = None
        self._last = 0.0
        self._jupyter = _in_jupyter()
        self._on = progress is True or (progress is None and (self._jupyter or sys.stderr.isatty()))

    def __call__(self, told):
        if self._function:
            return self._function(told)
        now = time.monotonic()
        if self._on and now - self._last > 0.2:
            self._last = now
            self._show(f"foehn: {told.get('text', '')}")
        return None

    def _show(self, text):
        if self._jupyter:
            from IPython.display import display

            data = {"text/plain": text}
            if self._handle is None:
                self._handle = display(data, raw=True, display_id=True)
            else:
                self._handle.update(data, raw=True)
        else:
            sys.stderr.write("\r\x1b[K" + text)
            sys.stderr.flush()
            self._shown = True

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        if self._handle is not None:
            self._handle.update({"text/plain": ""}, raw=True)


def _in_jupyter():
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell else None
    return shell is not None and hasattr(shell, "kernel")
