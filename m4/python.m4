# SPDX-License-Identifier: MIT
# FOEHN_PYTHON: the Python that tests the package in python/, which needs none of this to be installed.
AC_DEFUN([FOEHN_PYTHON], [
  AC_ARG_WITH([python], [AS_HELP_STRING([--with-python=PYTHON], [test the Python package, by this Python])], [], [with_python=auto])
  AS_CASE([$with_python], [no], [PYTHON=], [yes|auto], [PYTHON=python3], [PYTHON=$with_python])
  foehn_python=no
  # Another python3 may come first in the path than the one that packages are for.
  for foehn_candidate in $PYTHON ${PYTHON:+/usr/bin/python3}; do
    AS_IF([test $foehn_python = no && $foehn_candidate -c 'import numpy, xarray' >&AS_MESSAGE_LOG_FD 2>&AS_MESSAGE_LOG_FD],
      [foehn_python=yes PYTHON=$foehn_candidate])
    AS_CASE([$with_python], [yes|auto], [], [break])
  done
  AC_SUBST([PYTHON])
  AS_IF([test $foehn_python = no && test "x$with_python" != xauto && test "x$with_python" != xno],
    [AC_MSG_ERROR([--with-python: ${PYTHON:-python3} cannot import numpy and xarray: install python3-numpy python3-xarray, or name another Python])])
  AS_IF([test $foehn_python = yes], [foehn_in="$foehn_in
    python: tests of the Python package"],
    [foehn_out="$foehn_out
    python: tests of the Python package (install python3-numpy python3-xarray)"])
  AM_CONDITIONAL([HAVE_PYTHON], [test $foehn_python = yes])
])
