# SPDX-License-Identifier: MIT
if HAVE_OPENVDB
check_PROGRAMS += %D%/read_vdb
tests_fire_read_vdb_SOURCES = %D%/read_vdb.cc
tests_fire_read_vdb_CXXFLAGS = $(FOEHN_CXXFLAGS) -O0
tests_fire_read_vdb_LDADD = $(OPENVDB_LIBS)
endif
if HAVE_OPENEXR
check_PROGRAMS += %D%/read_exr
tests_fire_read_exr_SOURCES = %D%/read_exr.c
tests_fire_read_exr_CFLAGS = $(FOEHN_CFLAGS) $(OPENEXR_CFLAGS)
tests_fire_read_exr_LDADD = $(OPENEXR_LIBS) -lm
endif
if HAVE_CHECK
test_programs += %D%/test_fire
tests_fire_test_fire_SOURCES = \
  %D%/fire_air.c \
  %D%/fire_budget.c \
  %D%/fire_checkpoint.c \
  %D%/fire_colliders.c \
  %D%/fire_emitters.c \
  %D%/fire_pictures.c \
  %D%/fire_pressure.c \
  %D%/fire_read.c \
  %D%/fire_steps.c \
  %D%/fire_transport.c \
  %D%/fires.c \
  %D%/fires.h
tests_fire_test_fire_LDADD = tests/libtesting.la
test_programs += %D%/test_burn %D%/test_gas %D%/test_light %D%/test_outdoors %D%/test_firebrands %D%/test_moving_box
tests_fire_test_gas_SOURCES = %D%/test_gas.c
tests_fire_test_gas_LDADD = tests/libtesting.la
tests_fire_test_light_SOURCES = %D%/test_light.c
tests_fire_test_light_LDADD = tests/libtesting.la
tests_fire_test_firebrands_SOURCES = %D%/test_firebrands.c
tests_fire_test_firebrands_LDADD = tests/libtesting.la
tests_fire_test_moving_box_SOURCES = %D%/test_moving_box.c
tests_fire_test_moving_box_LDADD = tests/libtesting.la
tests_fire_test_outdoors_SOURCES = %D%/test_outdoors.c
tests_fire_test_outdoors_LDADD = tests/libtesting.la
tests_fire_test_burn_SOURCES = \
  %D%/burn_budgets.c \
  %D%/burn_gas.c \
  %D%/burns.c \
  %D%/burns.h
tests_fire_test_burn_LDADD = tests/libtesting.la
if HAVE_YAML
test_programs += %D%/test_mesh
tests_fire_test_mesh_SOURCES = \
  %D%/mesh_motion.c \
  %D%/test_mesh.c \
  tools/file.c \
  tools/fire/mesh.c \
  tools/fire/mesh_gltf.c \
  tools/fire/mesh_obj.c \
  tools/fire/mesh_ply.c \
  tools/fire/mesh_read.c \
  tools/fire/mesh_shape.c \
  tools/fire/mesh_source.c \
  tools/fire/mesh_stl.c \
  tools/fire/motion.c \
  tools/formats/attribute.c \
  tools/formats/schema.c \
  tools/formats/state.c \
  tools/guard.c \
  tools/stop.c \
  tools/target.c \
  tools/tool.c
tests_fire_test_mesh_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tools
tests_fire_test_mesh_CFLAGS = $(AM_CFLAGS) $(HDF5_CFLAGS) $(YAML_CFLAGS)
tests_fire_test_mesh_LDADD = tests/libtesting.la $(HDF5_LIBS) $(YAML_LIBS)
endif
endif
