/* SPDX-License-Identifier: MIT */
/* Attributes of HDF5 objects. */
#include "config.h"

#ifdef HAVE_HDF5

#include "formats/attribute.h"

#include <string.h>

bool attribute_put(hid_t object, const char *name, hid_t stored, hid_t given, hsize_t count,
                   const void *values)
{
    hid_t space = count ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
    bool done = attribute >= 0 && H5Awrite(attribute, given, values) >= 0;
    H5Aclose(attribute);
    H5Sclose(space);
    return done;
}

bool attribute_put_text(hid_t object, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) ? strlen(text) : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, H5T_CSET_ASCII);
    bool done = attribute_put(object, name, type, type, 0, text);
    H5Tclose(type);
    return done;
}

#else

typedef int attribute_nothing_without_hdf5;

#endif
