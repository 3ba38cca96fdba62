# SPDX-License-Identifier: MIT
dist_check_SCRIPTS += \
  %D%/format.sh \
  %D%/kernels.sh \
  %D%/layers.sh \
  %D%/mutants.sh \
  %D%/shaders.sh \
  %D%/symbols.sh
TESTS += $(dist_check_SCRIPTS)
EXTRA_DIST += \
  %D%/data \
  %D%/debian.sh \
  %D%/installed.sh \
  %D%/lsan.supp \
  %D%/mutations.sh \
  %D%/mutations.txt \
  %D%/oclgrind.sh
# PoCL offers no device when it cannot make its cache.
AM_TESTS_ENVIRONMENT = FOEHN_SRCDIR='$(abs_top_srcdir)' FOEHN_BUILDDIR='$(abs_top_builddir)' \
  FOEHN_HEADERS='$(foehninclude_HEADERS)' CLANG='$(CLANG)' NM='$(NM)' CC='$(CC)' PYTHON='$(PYTHON)' \
  LSAN_OPTIONS='suppressions=$(abs_top_srcdir)/tests/lsan.supp:print_suppressions=0'; \
  ASAN_OPTIONS='use_sigaltstack=0'; : LLVM gives threads a stack for signals of its own; \
  export FOEHN_SRCDIR FOEHN_BUILDDIR FOEHN_HEADERS CLANG NM CC PYTHON LSAN_OPTIONS ASAN_OPTIONS; \
  test -w "$${HOME-}" || { POCL_CACHE_DIR="$${POCL_CACHE_DIR-$(abs_top_builddir)/pocl-cache}"; \
  export POCL_CACHE_DIR; };

# After make install, with the same DESTDIR.
installcheck-local:
	$(AM_TESTS_ENVIRONMENT) CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' VERSION='$(VERSION)' \
	  DESTDIR='$(DESTDIR)' bindir='$(bindir)' docdir='$(docdir)' includedir='$(includedir)' \
	  libdir='$(libdir)' mandir='$(mandir)' $(srcdir)/%D%/installed.sh

test_programs =
if HAVE_CHECK
check_PROGRAMS += $(test_programs)
TESTS += $(test_programs)
AM_CFLAGS += $(CHECK_CFLAGS)
check_LTLIBRARIES = tests/libtesting.la
tests_libtesting_la_SOURCES = \
  %D%/emulate.h \
  %D%/testing.c \
  %D%/testing.h \
  %D%/wind/over.c \
  %D%/wind/over.h
tests_libtesting_la_LIBADD = libfoehn-all.la $(CHECK_LIBS)

# Slow, and not for everyone: on Oclgrind's interpreter.
check-oclgrind: tests/device/life $(test_programs)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/oclgrind.sh tests/device/life tests/device/test_grid \
	  tests/wind/test_faces tests/wind/test_kernels tests/wind/test_wind tests/flow/test_flow \
	  tests/flow/test_flow_checkpoint

# Slow, too: kernels broken on purpose, which tests must see.  MUTATIONS: a word, for some of them.
check-mutations: $(test_programs)
	$(AM_TESTS_ENVIRONMENT) $(srcdir)/tests/mutations.sh $(MUTATIONS)
else
check-local: check-TESTS
	@echo 'The unit tests were left out, as Check is not installed: install check (Debian, Ubuntu,'
	@echo 'Arch), check-devel (Fedora, openSUSE), configure again, make check.'
endif

include %D%/box/local.mk
include %D%/command/local.mk
include %D%/device/local.mk
include %D%/domain/local.mk
include %D%/fire/local.mk
include %D%/flow/local.mk
include %D%/fuzz/local.mk
include %D%/pressure/local.mk
include %D%/publish/local.mk
include %D%/validation/local.mk
include %D%/python/local.mk
include %D%/wind/local.mk
