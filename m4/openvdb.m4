# SPDX-License-Identifier: MIT
# FOEHN_OPENVDB: OpenVDB comes without a pkg-config file, so this sets OPENVDB_CFLAGS and OPENVDB_LIBS,
# which FOEHN_OPTIONAL then takes.  Whoever links objects of C++ with a C compiler names the library of
# C++, too.
AC_DEFUN([FOEHN_OPENVDB], [
  AS_IF([test "x$with_openvdb" != xno],
    [PKG_CHECK_MODULES([IMATH], [Imath], [], [IMATH_LIBS=])
     foehn_libs=$LIBS foehn_flags=$CXXFLAGS
     LIBS="-lopenvdb -ltbb $IMATH_LIBS -lstdc++ $LIBS" CXXFLAGS="$CXXFLAGS -std=c++17"
     AC_LANG_PUSH([C++])
     AC_MSG_CHECKING([for OpenVDB and a compiler of C++17])
     AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <openvdb/Types.h>
       namespace openvdb { namespace OPENVDB_VERSION_NAME { void initialize(); } }]],
       [[openvdb::OPENVDB_VERSION_NAME::initialize();]])],
       [AC_MSG_RESULT([yes])
        OPENVDB_CFLAGS=" " OPENVDB_LIBS="-lopenvdb -ltbb $IMATH_LIBS -lstdc++"],
       [AC_MSG_RESULT([no])])
     AC_LANG_POP([C++])
     LIBS=$foehn_libs CXXFLAGS=$foehn_flags])
])
