/* SPDX-License-Identifier: MIT */
/* What a PNG shows, for scripts that test pictures:
 *
 *      picture size FILE             width and height, pixels
 *      picture area FILE X Y W H     mean red, green and blue, 0 to 255, and the largest of their
 *                                    standard deviations, in a rectangle
 *      picture differ A B X Y W H    mean absolute difference of two pictures there, 0 to 255 */
#include <cairo.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct png {
    cairo_surface_t *surface;
    const unsigned char *data;
    int width, height, stride;
} png;

static int load(const char *path, png *p)
{
    p->surface = cairo_image_surface_create_from_png(path);
    if (cairo_surface_status(p->surface) != CAIRO_STATUS_SUCCESS)
        return fprintf(stderr, "%s: not a readable PNG\n", path), 1;
    p->data = cairo_image_surface_get_data(p->surface);
    p->width = cairo_image_surface_get_width(p->surface);
    p->height = cairo_image_surface_get_height(p->surface);
    p->stride = cairo_image_surface_get_stride(p->surface);
    return 0;
}

static double channel(const png *p, int x, int y, int k)
{
    uint32_t pixel;
    memcpy(&pixel, p->data + (size_t)y * (size_t)p->stride + 4 * (size_t)x, 4);
    return pixel >> (16 - 8 * k) & 0xff;
}

static int area(const png *p, const int r[4])
{
    double mean[3], spread = 0, n = (double)r[2] * r[3];
    for (int k = 0; k < 3; k++) {
        double sum = 0, square = 0;
        for (int y = r[1]; y < r[1] + r[3]; y++)
            for (int x = r[0]; x < r[0] + r[2]; x++) {
                double c = channel(p, x, y, k);
                sum += c;
                square += c * c;
            }
        mean[k] = sum / n;
        spread = fmax(spread, sqrt(fmax(0, square / n - mean[k] * mean[k])));
    }
    printf("%.1f %.1f %.1f %.1f\n", mean[0], mean[1], mean[2], spread);
    return 0;
}

static int differ(const png *a, const png *b, const int r[4])
{
    double sum = 0;
    for (int y = r[1]; y < r[1] + r[3]; y++)
        for (int x = r[0]; x < r[0] + r[2]; x++)
            for (int k = 0; k < 3; k++)
                sum += fabs(channel(a, x, y, k) - channel(b, x, y, k));
    printf("%.3f\n", sum / (3.0 * r[2] * r[3]));
    return 0;
}

int main(int argc, char **argv)
{
    png p[2];
    int r[4], status = 2;
    const char *what = argc > 1 ? argv[1] : "";
    int files = strcmp(what, "differ") == 0 ? 2 : 1;
    int numbers = strcmp(what, "size") == 0 ? 0 : 4;
    if (argc != 2 + files + numbers)
        return fprintf(stderr,
                       "usage: picture size FILE | area FILE X Y W H | differ A B X Y W H\n"),
               2;
    for (int i = 0; i < files; i++)
        if (load(argv[2 + i], &p[i]))
            return 1;
    for (int i = 0; i < numbers; i++)
        r[i] = atoi(argv[2 + files + i]);
    for (int i = 0; i < files && numbers; i++)
        if (r[0] < 0 || r[1] < 0 || r[2] < 1 || r[3] < 1 || r[0] + r[2] > p[i].width ||
            r[1] + r[3] > p[i].height)
            return fprintf(stderr, "%s: has only %d x %d pixels\n", argv[2 + i], p[i].width,
                           p[i].height),
                   1;
    if (!numbers)
        status = printf("%d %d\n", p[0].width, p[0].height) < 0;
    else
        status = files == 2 ? differ(&p[0], &p[1], r) : area(&p[0], r);
    for (int i = 0; i < files; i++)
        cairo_surface_destroy(p[i].surface);
    return status;
}
