# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/camera.h \
  %D%/canvas.h \
  %D%/ground.h \
  %D%/lines.h \
  %D%/overlay.h \
  %D%/page_fire.h \
  %D%/page_flow.h \
  %D%/page_wind.h \
  %D%/streaks.h \
  %D%/textures.h \
  %D%/view.c \
  %D%/view.h
if HAVE_VIEW
foehn_SOURCES += \
  %D%/camera.c \
  %D%/canvas.c \
  %D%/events.c \
  %D%/ground.c \
  %D%/lines.c \
  %D%/overlay.c \
  %D%/page_wind.c \
  %D%/page_wind_bars.c \
  %D%/page_wind_draw.c \
  %D%/page_wind_set.c \
  %D%/screenshot.c \
  %D%/script.c \
  %D%/streaks.c \
  %D%/textures.c \
  %D%/viewer.c \
  %D%/widgets.c \
  %D%/window.c
if HAVE_YAML
foehn_SOURCES += \
  %D%/hand.c \
  %D%/page_fire.c \
  %D%/page_fire_draw.c \
  %D%/page_fire_scene.c \
  %D%/page_fire_set.c \
  %D%/page_flow.c \
  %D%/page_flow_bars.c \
  %D%/page_flow_draw.c \
  %D%/page_flow_set.c
endif
endif
