# SPDX-License-Identifier: MIT
# FOEHN_OPTIONAL(name, VARIABLE, module, help, package): what the command and the tests can do
# without.  --with-NAME insists, --without-NAME leaves it out; HAVE_VARIABLE tells files and makefiles;
# foehn_in and foehn_out collect lines for the summary.
AC_DEFUN([FOEHN_OPTIONAL], [
  AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [$4])], [], [with_$1=auto])
  AS_IF([test "x$with_$1" != xno],
    [PKG_CHECK_MODULES([$2], [$3], [with_$1=yes],
      [AS_IF([test "x$with_$1" = xyes],
         [AS_IF([test -z "$PKG_CONFIG"], [AC_MSG_ERROR([--with-$1: no pkg-config: install it])],
           [AC_MSG_ERROR([--with-$1: $3 not found: install $5])])])
       with_$1=no])])
  AS_IF([test "x$with_$1" = xyes],
    [AC_DEFINE([HAVE_$2], [1], [$4])
     foehn_in="$foehn_in
    $1: $4"],
    [foehn_out="$foehn_out
    $1: $4 (install $foehn_first$5)"])
  AM_CONDITIONAL([HAVE_$2], [test "x$with_$1" = xyes])
])
