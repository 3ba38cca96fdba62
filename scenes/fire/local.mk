# SPDX-License-Identifier: MIT
fire_scenes = \
  %D%/burner.yaml \
  %D%/campfire.yaml \
  %D%/campfire-burn.yaml \
  %D%/candle.yaml \
  %D%/crib.yaml \
  %D%/explosion.yaml \
  %D%/gap.yaml \
  %D%/moving-torch.yaml \
  %D%/pool.yaml \
  %D%/smoulder.yaml \
  %D%/teapot.yaml \
  %D%/torch.yaml \
  %D%/two-resolutions.yaml \
  %D%/wall.yaml \
  %D%/wind-torch.yaml
firescenesdir = $(docdir)/scenes/fire
dist_firescenes_DATA = $(fire_scenes) %D%/everything.yaml %D%/slope.yaml
if HAVE_YAML
nodist_foehn_SOURCES += tools/fire/scenes.c
CLEANFILES += tools/fire/scenes.c
tools/fire/scenes.c: $(fire_scenes) tools/formats/scenes.awk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && (cd $(srcdir) && \
	  $(AWK) -v table=fire_scenes -f tools/formats/scenes.awk $(fire_scenes)) > $@.tmp && \
	  mv $@.tmp $@
endif
