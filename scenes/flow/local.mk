# SPDX-License-Identifier: MIT
flow_scenes = \
  %D%/box.yaml \
  %D%/cavity.yaml \
  %D%/cylinder.yaml \
  %D%/dfg-2d1.yaml \
  %D%/dfg-2d2.yaml \
  %D%/line-across.yaml \
  %D%/naca-0012.yaml \
  %D%/pressure-off.yaml \
  %D%/sixteen-switches.yaml \
  %D%/stir.yaml \
  %D%/taylor-green.yaml \
  %D%/vortex-pair.yaml \
  %D%/wing.yaml
flowscenesdir = $(docdir)/scenes/flow
dist_flowscenes_DATA = $(flow_scenes)
if HAVE_YAML
nodist_foehn_SOURCES += tools/flow/scenes.c
CLEANFILES += tools/flow/scenes.c
tools/flow/scenes.c: $(flow_scenes) tools/formats/scenes.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && \
	  $(AWK) -v table=flow_scenes -f tools/formats/scenes.awk $(flow_scenes)) > $@.tmp && \
	  mv $@.tmp $@
endif
