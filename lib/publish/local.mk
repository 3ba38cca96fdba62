# SPDX-License-Identifier: MIT
libfoehn_all_la_SOURCES += \
  %D%/external.c \
  %D%/gl.c \
  %D%/gl_api.c \
  %D%/gl_imported.c \
  %D%/gl_shared.c \
  %D%/gl_state.h \
  %D%/gl_texture.c \
  %D%/ring.c \
  %D%/ring.h \
  %D%/volume.c
if HAVE_VULKAN
libfoehn_all_la_SOURCES += \
  %D%/vulkan.c \
  %D%/vulkan_api.c \
  %D%/vulkan_image.c \
  %D%/vulkan_state.h
endif
