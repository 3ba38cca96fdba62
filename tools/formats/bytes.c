/* SPDX-License-Identifier: MIT */
/* Little-endian files that appear whole. */
#include "config.h"

#include "formats/bytes.h"

#include "file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

int bytes_open(const char *path, bytes_file *f)
{
    *f = (bytes_file){.path = path};
    int status = file_begin(path, &f->temporary);
    if (status != STATUS_OK)
        return status;
    f->stream = fopen(f->temporary, "wb");
    if (f->stream)
        return STATUS_OK;
    status = fail(STATUS_FAILED, "%s: cannot be written: %s", path, strerror(errno));
    file_discard(f->temporary);
    return status;
}

void bytes_byte(bytes_file *f, unsigned char byte)
{
    putc_unlocked(byte, f->stream);
}

static void put(bytes_file *f, uint32_t bits, int count)
{
    for (int i = 0; i < count; i++)
        putc_unlocked((int)(bits >> (8 * i) & 255), f->stream);
}

void bytes_int16(bytes_file *f, int value)
{
    put(f, (uint32_t)value, 2);
}

void bytes_int32(bytes_file *f, int32_t value)
{
    put(f, (uint32_t)value, 4);
}

void bytes_float(bytes_file *f, double value)
{
    float number = (float)value;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    put(f, bits, 4);
}

int bytes_round(double value)
{
    double whole = floor(value + 0.5);
    return whole > 32767 ? 32767 : whole < -32768 ? -32768 : (int)whole;
}

int bytes_close_all(int count, bytes_file *files, int status)
{
    for (int i = 0; i < count; i++) {
        bool good = !ferror(files[i].stream);
        good = fclose(files[i].stream) == 0 && good;
        if (!good && status == STATUS_OK)
            status =
                fail(STATUS_FAILED, "%s: cannot be written: %s", files[i].path, strerror(errno));
    }
    for (int i = 0; i < count; i++)
        if (status == STATUS_OK)
            status = file_commit(files[i].temporary);
        else
            file_discard(files[i].temporary);
    return status;
}

int bytes_close(bytes_file *f)
{
    return bytes_close_all(1, f, STATUS_OK);
}
