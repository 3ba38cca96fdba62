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
     AS_IF([test $foehn_found = yes],
       [AC_MSG_CHECKING([whether OpenVDB lends the grids that it has made])
        LIBS="$OPENVDB_LIBS $foehn_libs"
        AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <openvdb/version.h>
          #include <ostream>
          namespace openvdb { namespace OPENVDB_VERSION_NAME {
          namespace tree {
          template <typename, unsigned> class LeafNode; template <typename, unsigned> class InternalNode;
          template <typename> class RootNode; template <typename> class Tree; }
          template <typename> struct Grid { void writeBuffers(std::ostream &) const; }; } }]],
          [[using namespace openvdb::OPENVDB_VERSION_NAME;
            using namespace openvdb::OPENVDB_VERSION_NAME::tree;
            typedef Grid<Tree<RootNode<InternalNode<InternalNode<LeafNode<float, 3>, 4>, 5> > > > grid;
            void (grid::*volatile of)(std::ostream &) const = &grid::writeBuffers;
            return !of;]])],
          [AC_MSG_RESULT([yes])
           AC_DEFINE([HAVE_OPENVDB_GRIDS], [1], [OpenVDB exports its grids of floats and vectors])],
          [AC_MSG_RESULT([no])])])
     AC_LANG_POP([C++])
     LIBS=$foehn_libs CXXFLAGS=$foehn_flags])
])
