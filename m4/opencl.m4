# SPDX-License-Identifier: MIT
# FOEHN_OPENCL: the library's only dependency beside libm, by pkg-config or where compilers look.
AC_DEFUN([FOEHN_OPENCL], [
  AC_SEARCH_LIBS([pow], [m])
  PKG_CHECK_MODULES([OPENCL], [OpenCL], [OPENCL_MODULE=OpenCL],
    [AC_CHECK_HEADER([CL/cl.h], [], [AC_MSG_ERROR([no OpenCL headers: install ocl-icd-opencl-dev (Debian, Ubuntu), ocl-icd-devel (Fedora, openSUSE) or ocl-icd opencl-headers (Arch)])])
     AC_CHECK_LIB([OpenCL], [clGetPlatformIDs], [OPENCL_LIBS=-lOpenCL OPENCL_PRIVATE=-lOpenCL],
       [AC_MSG_ERROR([no OpenCL loader: install ocl-icd-opencl-dev (Debian, Ubuntu), ocl-icd-devel (Fedora, openSUSE) or ocl-icd (Arch)])])])
  AC_SUBST([OPENCL_MODULE])
  AC_SUBST([OPENCL_PRIVATE])
])
