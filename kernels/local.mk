# SPDX-License-Identifier: MIT
# OpenCL C, embedded as C strings.
kernel_headers = %D%/grid.h %D%/shared.h include/foehn/noise.h include/foehn/profile.h
kernel_sources =
include %D%/device/local.mk
include %D%/domain/local.mk
include %D%/transport/local.mk
include %D%/publish/local.mk
include %D%/pressure/local.mk
include %D%/wind/local.mk
include %D%/flow/local.mk
include %D%/fire/local.mk

EXTRA_DIST += $(kernel_headers) $(kernel_sources) %D%/embed.awk
CLEANFILES += $(kernel_sources:.cl=.cl.c)
SUFFIXES += .cl .cl.c
.cl.cl.c:
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	  $(AWK) -v path='$(top_srcdir)/kernels:$(top_srcdir)/include/foehn' \
	  -f $(top_srcdir)/kernels/embed.awk $< > $@.tmp && mv $@.tmp $@
$(kernel_sources:.cl=.cl.c): $(kernel_headers) kernels/embed.awk
