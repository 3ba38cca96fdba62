# SPDX-License-Identifier: MIT
shaders += %D%/sample.comp
if HAVE_CHECK
sharing_sources = \
  %D%/published.c \
  %D%/published.h \
  %D%/sharing.c \
  %D%/sharing.h \
  examples/offscreen.c \
  examples/offscreen.h
if HAVE_VULKAN
sharing_sources += %D%/exporter.c %D%/exporter.h
endif
sharing_cflags = $(AM_CFLAGS) $(EGL_CFLAGS) $(CAIRO_CFLAGS)
sharing_libs = tests/libtesting.la $(EGL_LIBS) $(VULKAN_LIBS) $(CAIRO_LIBS)
# What a driver offers and does is told by the tests.
sharing_wraps = \
  -Wl,--wrap=clGetDeviceInfo \
  -Wl,--wrap=clCreateContext \
  -Wl,--wrap=clGetExtensionFunctionAddressForPlatform \
  -Wl,--wrap=clCreateFromGLTexture \
  -Wl,--wrap=clEnqueueAcquireGLObjects \
  -Wl,--wrap=clEnqueueReleaseGLObjects \
  -Wl,--wrap=clEnqueueCopyBufferToImage \
  -Wl,--wrap=clCreateBufferWithProperties \
  -Wl,--wrap=clEnqueueCopyBuffer \
  -Wl,--wrap=clEnqueueReadBuffer \
  -Wl,--wrap=clSetKernelArg \
  -Wl,--wrap=clFinish
if HAVE_EGL
test_programs += %D%/test_gl
tests_publish_test_gl_SOURCES = \
  %D%/gl_errors.c \
  %D%/gl_frames.c \
  %D%/gl_shared.c \
  %D%/gl_texels.c \
  %D%/gls.c \
  %D%/gls.h \
  $(sharing_sources)
tests_publish_test_gl_CFLAGS = $(sharing_cflags)
tests_publish_test_gl_LDADD = $(sharing_libs)
tests_publish_test_gl_LDFLAGS = $(sharing_wraps)
# The same in a process whose GL is 2.1: Mesa asks the environment once.
test_programs += %D%/test_gl_legacy
tests_publish_test_gl_legacy_SOURCES = $(tests_publish_test_gl_SOURCES)
tests_publish_test_gl_legacy_CPPFLAGS = $(AM_CPPFLAGS) -DTEST_LEGACY
tests_publish_test_gl_legacy_CFLAGS = $(sharing_cflags)
tests_publish_test_gl_legacy_LDADD = $(sharing_libs)
tests_publish_test_gl_legacy_LDFLAGS = $(sharing_wraps)
endif
if HAVE_VULKAN
test_programs += %D%/test_vulkan
tests_publish_test_vulkan_SOURCES = \
  %D%/sample.comp.h \
  %D%/test_vulkan.c \
  %D%/vulkan_frames.c \
  %D%/vulkan_shared.c \
  %D%/vulkans.c \
  %D%/vulkans.h \
  examples/compute.c \
  examples/compute.h \
  $(sharing_sources)
tests_publish_test_vulkan_CFLAGS = $(sharing_cflags)
tests_publish_test_vulkan_LDADD = $(sharing_libs)
tests_publish_test_vulkan_LDFLAGS = $(sharing_wraps)
endif
endif
