# SPDX-License-Identifier: MIT
# Tables that users may copy and change; the command has them built in, too.
roughness_tables = \
  %D%/roughness/corine.csv \
  %D%/roughness/nlcd.csv \
  %D%/roughness/worldcover.csv
roughnessdir = $(pkgdatadir)/roughness
dist_roughness_DATA = $(roughness_tables)
nodist_foehn_SOURCES += tools/terrain/tables.c
CLEANFILES += tools/terrain/tables.c
tools/terrain/tables.c: $(roughness_tables) tools/terrain/tables.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && \
	  $(AWK) -f tools/terrain/tables.awk $(roughness_tables)) > $@.tmp && mv $@.tmp $@
