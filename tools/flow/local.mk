# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/flow.h \
  %D%/layer.c
if HAVE_YAML
foehn_SOURCES += \
  %D%/flow.c \
  %D%/measure.c \
  %D%/picture.c \
  %D%/run.c \
  %D%/scene.c \
  %D%/script.c \
  %D%/state.c
endif
