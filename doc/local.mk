# SPDX-License-Identifier: MIT
man_MANS = %D%/foehn.1
option_tables = tools/bench/bench.c tools/box/command.c tools/fire/fire.c tools/flow/flow.c tools/options.c tools/wind/wind.c
%D%/foehn.1: %D%/foehn.1.in %D%/manual.awk $(option_tables)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && $(AWK) -v root='$(top_srcdir)' -f $(srcdir)/doc/manual.awk \
	  $(srcdir)/doc/foehn.1.in $(srcdir)/doc/foehn.1.in > $@.tmp && mv $@.tmp $@
CLEANFILES += %D%/foehn.1
dist_doc_DATA = \
  %D%/architecture.md \
  %D%/box.md \
  %D%/dependencies.md \
  %D%/domain.md \
  %D%/fire-gallery.md \
  %D%/fire.md \
  %D%/flow.md \
  %D%/numerics.md \
  %D%/publishing.md \
  %D%/site.md \
  %D%/python.md \
  %D%/robustness.md \
  %D%/systems.md \
  %D%/terrain.md \
  %D%/validation-fire.md \
  %D%/validation-flow.md \
  %D%/validation-momentum.md \
  %D%/validation.md
EXTRA_DIST += %D%/images %D%/foehn.1.in %D%/manual.awk
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(docdir)/images"
	cd $(srcdir)/%D%/images && $(INSTALL_DATA) *.png *.svg "$(DESTDIR)$(docdir)/images"
uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)/images"
