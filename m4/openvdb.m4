# SPDX-License-Identifier: MIT
# FOEHN_OPENVDB: OpenVDB comes without a pkg-config file, so this sets OPENVDB_CFLAGS and OPENVDB_LIBS,
# which FOEHN_OPTIONAL then takes.  Its headers use the halves of Imath, once of IlmBase.  Whoever links
# objects of C++ with a C compiler names the library of C++, too.
AC_DEFUN([FOEHN_OPENVDB], [
  AS_IF([test "x$with_openvdb" != xno],
    [PKG_CHECK_MODULES([IMATH], [Imath], [], [IMATH_LIBS=])
     foehn_libs=$LIBS foehn_flags=$CXXFLAGS CXXFLAGS="$CXXFLAGS -std=c++17"
     AC_LANG_PUSH([C++])
     AC_MSG_CHECKING([for OpenVDB and a compiler of C++17])
     foehn_found=no
     for foehn_half in "$IMATH_LIBS" -lImath -lHalf; do
       AS_IF([test $foehn_found = no],
         [LIBS="-lopenvdb -ltbb $foehn_half -lstdc++ $foehn_libs"
          AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <openvdb/io/Compression.h>
            namespace openvdb { namespace OPENVDB_VERSION_NAME { void initialize(); } }]],
            [[volatile float x = 1;
              openvdb::OPENVDB_VERSION_NAME::initialize();
              return (int)(float)openvdb::io::RealToHalf<float>::convert(x);]])],
            [foehn_found=yes OPENVDB_CFLAGS=" "
             OPENVDB_LIBS="-lopenvdb -ltbb $foehn_half -lstdc++"])])
     done
     AC_MSG_RESULT([$foehn_found])
     AC_LANG_POP([C++])
     LIBS=$foehn_libs CXXFLAGS=$foehn_flags])
])
