# SPDX-License-Identifier: MIT
# Minutes a reader, or FUZZ_RUNS executions: make check-fuzz FUZZ_READERS=mesh FUZZ_SECONDS=600
EXTRA_DIST += %D%/fuzz.sh %D%/seeds %D%/target.c
FUZZ_READERS =
FUZZ_SECONDS = 60
FUZZ_RUNS = -1
if HAVE_FUZZER
check-fuzz: foehn
	CLANG='$(CLANG)' FOEHN_SRCDIR='$(abs_top_srcdir)' FUZZ_SOURCES='$(foehn_SOURCES) $(nodist_foehn_SOURCES)' \
	  FUZZ_FLAGS='$(DEFS) $(DEFAULT_INCLUDES) $(foehn_CPPFLAGS) $(AM_CPPFLAGS) $(foehn_CFLAGS)' \
	  FUZZ_LIBS='$(patsubst %.la,.libs/%.a,$(patsubst libfoehn.la,libfoehn-all.la,$(foehn_LDADD))) $(FFTW_LIBS) $(OPENCL_LIBS)' \
	  FUZZ_SECONDS='$(FUZZ_SECONDS)' FUZZ_RUNS='$(FUZZ_RUNS)' $(srcdir)/tests/fuzz/fuzz.sh $(FUZZ_READERS)
else
check-fuzz:
	@echo 'check-fuzz is left out: configure found no clang with -fsanitize=fuzzer (Debian: clang, libclang-rt-dev)'
endif
.PHONY: check-fuzz
