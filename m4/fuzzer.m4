# SPDX-License-Identifier: MIT
# FOEHN_FUZZER: whether clang makes fuzzers, for make check-fuzz; foehn_no_fuzzer is what the summary says if not.
AC_DEFUN([FOEHN_FUZZER], [
  AC_CACHE_CHECK([for clang -fsanitize=fuzzer], [foehn_cv_fuzzer], [foehn_cv_fuzzer=no
    echo 'int LLVMFuzzerTestOneInput(const char *b, long n); int LLVMFuzzerTestOneInput(const char *b, long n) { return 0 * (b && n); }' > conftest.c
    AS_IF([test -n "$CLANG" && $CLANG -fsanitize=fuzzer,address conftest.c -o conftest 2>&AS_MESSAGE_LOG_FD], [foehn_cv_fuzzer=yes])
    rm -f conftest conftest.c])
  AM_CONDITIONAL([HAVE_FUZZER], [test "x$foehn_cv_fuzzer" = xyes])
  AS_IF([test "x$foehn_cv_fuzzer" = xno], [foehn_no_fuzzer='
      check-fuzz (fuzzers of the readers of files): install clang'])
])
