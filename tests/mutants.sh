#!/bin/sh
# SPDX-License-Identifier: MIT
# mutants.sh: what `make check-mutations` breaks is still there to be broken.
exec "$FOEHN_SRCDIR/tests/mutations.sh" --match
