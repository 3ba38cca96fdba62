# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += %D%/test_box_files.sh
TESTS += %D%/test_box_files.sh
EXTRA_DIST += %D%/read.py
if HAVE_CHECK
if HAVE_FFTW
test_programs += %D%/test_box
tests_box_test_box_SOURCES = \
  %D%/test_box.c \
  tools/file.c \
  tools/stop.c \
  tools/target.c \
  tools/tool.c
tests_box_test_box_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
tests_box_test_box_CFLAGS = $(AM_CFLAGS) $(FFTW_CFLAGS)
tests_box_test_box_LDADD = tests/libtesting.la libbox.la
endif
endif
