# SPDX-License-Identifier: MIT
dist_man_MANS = %D%/foehn.1
dist_doc_DATA = \
  %D%/architecture.md \
  %D%/dependencies.md \
  %D%/fire-gallery.md \
  %D%/fire.md \
  %D%/flow.md \
  %D%/numerics.md \
  %D%/publishing.md \
  %D%/robustness.md \
  %D%/systems.md \
  %D%/terrain.md \
  %D%/validation-flow.md \
  %D%/validation.md
EXTRA_DIST += %D%/images
install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(docdir)/images"
	cd $(srcdir)/%D%/images && $(INSTALL_DATA) *.png *.svg "$(DESTDIR)$(docdir)/images"
uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)/images"
