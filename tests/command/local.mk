# SPDX-License-Identifier: MIT
EXTRA_DIST += %D%/cli.sh %D%/atlas.py
command_tests = \
  %D%/test_atlas.sh \
  %D%/test_cli.sh \
  %D%/test_cover.sh \
  %D%/test_files.sh \
  %D%/test_les.sh \
  %D%/test_momentum.sh \
  %D%/test_netcdf.sh \
  %D%/test_no_device.sh \
  %D%/test_options.sh \
  %D%/test_parts.sh \
  %D%/test_ranges.sh \
  %D%/test_sectors.sh \
  %D%/test_stations.sh \
  %D%/test_strangers.sh \
  %D%/test_terrain.sh \
  %D%/test_view.sh \
  %D%/test_weather.sh
dist_check_SCRIPTS += $(command_tests)
if HAVE_YAML
dist_check_SCRIPTS += %D%/test_fire_cli.sh %D%/test_fire_ground.sh
endif
if HAVE_VIEW
check_PROGRAMS += %D%/picture
tests_command_picture_SOURCES = %D%/picture.c
tests_command_picture_CFLAGS = $(FOEHN_CFLAGS) $(CAIRO_CFLAGS)
tests_command_picture_LDADD = $(CAIRO_LIBS)
endif
