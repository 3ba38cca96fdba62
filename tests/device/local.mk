# SPDX-License-Identifier: MIT
check_PROGRAMS += %D%/life
TESTS += %D%/life
tests_device_life_SOURCES = %D%/life.c
tests_device_life_LDADD = libfoehn-all.la
if HAVE_CHECK
test_programs += \
  %D%/test_device \
  %D%/test_failures \
  %D%/test_grid \
  %D%/test_hostile \
  %D%/test_noise
tests_device_test_device_SOURCES = \
  %D%/device_building.c \
  %D%/test_device.c
tests_device_test_device_LDADD = tests/libtesting.la
tests_device_test_grid_LDADD = tests/libtesting.la
tests_device_test_hostile_LDADD = tests/libtesting.la
tests_device_test_noise_LDADD = tests/libtesting.la
tests_device_test_failures_SOURCES = \
  %D%/failing_calls.c \
  %D%/failing_calls.h \
  %D%/test_failures.c
tests_device_test_failures_LDADD = tests/libtesting.la
# Every call of the driver and every allocation goes through the test, which makes it fail.
tests_device_test_failures_LDFLAGS = \
  -Wl,--wrap=clGetPlatformIDs \
  -Wl,--wrap=clGetDeviceIDs \
  -Wl,--wrap=clCreateContext \
  -Wl,--wrap=clCreateCommandQueue \
  -Wl,--wrap=clCreateProgramWithSource \
  -Wl,--wrap=clBuildProgram \
  -Wl,--wrap=clCreateKernel \
  -Wl,--wrap=clCreateBuffer \
  -Wl,--wrap=clCreateSubBuffer \
  -Wl,--wrap=clEnqueueCopyBuffer \
  -Wl,--wrap=clSetKernelArg \
  -Wl,--wrap=clEnqueueNDRangeKernel \
  -Wl,--wrap=clEnqueueReadBuffer \
  -Wl,--wrap=clEnqueueWriteBuffer \
  -Wl,--wrap=clEnqueueReadBufferRect \
  -Wl,--wrap=clEnqueueWriteBufferRect \
  -Wl,--wrap=clEnqueueMarkerWithWaitList \
  -Wl,--wrap=clFinish \
  -Wl,--wrap=clWaitForEvents \
  -Wl,--wrap=clReleaseContext \
  -Wl,--wrap=clReleaseCommandQueue \
  -Wl,--wrap=clReleaseProgram \
  -Wl,--wrap=clReleaseKernel \
  -Wl,--wrap=clReleaseMemObject \
  -Wl,--wrap=clReleaseEvent \
  -Wl,--wrap=malloc \
  -Wl,--wrap=calloc \
  -Wl,--wrap=realloc
endif
