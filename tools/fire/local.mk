# SPDX-License-Identifier: MIT
foehn_SOURCES += \
  %D%/fire.h \
  %D%/landings.h \
  %D%/mesh.h \
  %D%/mesh_source.h \
  %D%/wind_file.h
if HAVE_YAML
foehn_SOURCES += \
  %D%/exr.c \
  %D%/field.c \
  %D%/files.c \
  %D%/fire.c \
  %D%/firebrands.c \
  %D%/flipbook.c \
  %D%/ground.c \
  %D%/landings.c \
  %D%/landings_netcdf.c \
  %D%/landings_png.c \
  %D%/landings_tif.c \
  %D%/mesh.c \
  %D%/mesh_gltf.c \
  %D%/mesh_obj.c \
  %D%/mesh_ply.c \
  %D%/mesh_read.c \
  %D%/mesh_shape.c \
  %D%/mesh_source.c \
  %D%/mesh_stl.c \
  %D%/motion.c \
  %D%/objects.c \
  %D%/picture.c \
  %D%/raw.c \
  %D%/reach.c \
  %D%/run.c \
  %D%/scene.c \
  %D%/scene_picture.c \
  %D%/setup.c \
  %D%/state.c \
  %D%/vdb.c \
  %D%/vtkhdf.c \
  %D%/wind.c \
  %D%/wind_file.c
endif
