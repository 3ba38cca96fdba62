/* SPDX-License-Identifier: MIT */
/* Files that GDAL writes in memory. */
#include "config.h"

#ifdef HAVE_GDAL

#include "formats/memory_file.h"

#include "tool.h"

#include <cpl_conv.h>
#include <cpl_vsi.h>
#include <errno.h>
#include <string.h>

int memory_file_keep(const char *memory, const char *path, const char *temporary)
{
    vsi_l_offset size = 0;
    GByte *bytes = VSIGetMemFileBuffer(memory, &size, TRUE);
    FILE *stream = bytes ? fopen(temporary, "wb") : NULL;
    bool done = stream && fwrite(bytes, 1, (size_t)size, stream) == (size_t)size;
    done = stream && fclose(stream) == 0 && done;
    CPLFree(bytes);
    return done ? STATUS_OK
                : fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
}

#endif
