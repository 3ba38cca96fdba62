# SPDX-License-Identifier: MIT
# FOEHN_HYPRE: --with-hypre builds bench/pfmg, which compares; nothing else needs it.  Debian's hypre has
# no pkg-config file, and its headers are in a folder of their own.
AC_DEFUN([FOEHN_HYPRE], [
  AC_ARG_WITH([hypre], [AS_HELP_STRING([--with-hypre], [make bench/pfmg: hypre's multigrid beside this one])],
    [], [with_hypre=no])
  AC_ARG_VAR([HYPRE_CFLAGS], [C compiler flags for hypre (-isystem /usr/include/hypre)])
  AC_ARG_VAR([HYPRE_LIBS], [linker flags for hypre (-lHYPRE)])
  AS_IF([test "x$with_hypre" != xno],
    [AS_IF([test "x$with_mpi" != xyes], [AC_MSG_ERROR([--with-hypre: needs MPI: install libopenmpi-dev openmpi-bin])])
     : ${HYPRE_CFLAGS=-isystem /usr/include/hypre} # whose headers have warnings
     : ${HYPRE_LIBS=-lHYPRE}
     foehn_libs=$LIBS foehn_cppflags=$CPPFLAGS
     LIBS="$HYPRE_LIBS $MPI_LIBS -lm $LIBS" CPPFLAGS="$CPPFLAGS $HYPRE_CFLAGS $MPI_CFLAGS"
     AC_LINK_IFELSE([AC_LANG_PROGRAM([[#include <HYPRE_struct_ls.h>]],
       [[HYPRE_StructSolver s; return HYPRE_StructPFMGCreate(0, &s);]])], [],
       [AC_MSG_ERROR([--with-hypre: hypre not found: install libhypre-dev, or set HYPRE_CFLAGS and HYPRE_LIBS])])
     LIBS=$foehn_libs CPPFLAGS=$foehn_cppflags])
  AM_CONDITIONAL([HAVE_HYPRE], [test "x$with_hypre" != xno])
])
