# SPDX-License-Identifier: MIT
kernel_headers += \
  %D%/rays.h \
  %D%/sample.h \
  %D%/simplex.h \
  %D%/structs.h
kernel_sources += \
  %D%/air.cl \
  %D%/collide.cl \
  %D%/combustion.cl \
  %D%/dye.cl \
  %D%/light.cl \
  %D%/measure.cl \
  %D%/noise.cl \
  %D%/picture.cl
