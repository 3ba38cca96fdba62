# SPDX-License-Identifier: MIT
# FOEHN_FLAGS: own flags live apart from CFLAGS, which is the user's.
AC_DEFUN([FOEHN_FLAGS], [
  FOEHN_CFLAGS="-std=c11 -fvisibility=hidden -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes"
  AC_ARG_ENABLE([werror], [AS_HELP_STRING([--enable-werror], [make warnings errors])])
  AS_IF([test "x$enable_werror" = xyes], [FOEHN_CFLAGS="$FOEHN_CFLAGS -Werror"])
  AC_ARG_ENABLE([sanitizers], [AS_HELP_STRING([--enable-sanitizers], [build with ASan and UBSan])],
    [AS_IF([test "x$enableval" = xyes],
      [FOEHN_CFLAGS="$FOEHN_CFLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer"])])
  AC_SUBST([FOEHN_CFLAGS])
  # OpenVDB crashes where its templates are hidden.
  AC_SUBST([FOEHN_CXXFLAGS], [$(AS_ECHO(["$FOEHN_CFLAGS"]) |
    $SED 's/c11/c++17/; s/-fvisibility=hidden//; s/-W[[a-z]]*-prototypes//g')])
])
