# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/blackbody.h \
  %D%/books.h \
  %D%/collide.cl \
  %D%/emit.cl \
  %D%/measure.cl \
  %D%/overlap.h \
  %D%/land.h \
  %D%/rays.h \
  %D%/sample.h \
  %D%/simplex.h \
  %D%/structs.h \
  %D%/trace.h
kernel_sources += \
  %D%/air.cl \
  %D%/blocks.cl \
  %D%/box.cl \
  %D%/carry.cl \
  %D%/combustion.cl \
  %D%/dye.cl \
  %D%/firebrands.cl \
  %D%/inertia.cl \
  %D%/light.cl \
  %D%/noise.cl \
  %D%/optics.cl \
  %D%/picture.cl
