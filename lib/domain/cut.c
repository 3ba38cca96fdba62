/* SPDX-License-Identifier: MIT */
/* Cutting a box into blocks. */
#include "domain/cut.h"

/* Where `count` blocks along an axis begin; false: one of them would be too narrow. */
static bool cut_axis(int n, int count, int unit, int least, int *at)
{
    for (int b = 0; b < count; b++)
        at[b] = (int)(((int64_t)n * b / count + unit / 2) / unit * unit);
    at[count] = n;
    for (int b = 0; b < count; b++)
        if (at[b + 1] - at[b] < (count > 1 ? least : 1))
            return false;
    return true;
}

/* The lattice of `parts` blocks with the shortest cuts; false: there is none. */
static bool find(const int n[2], int parts, const int unit[2], const int least[2], domain_cut *cut)
{
    int64_t shortest = INT64_MAX;
    domain_cut c;
    for (int x = 1; x <= parts; x++) {
        if (parts % x != 0)
            continue;
        const int z = parts / x;
        const int64_t length = (int64_t)(x - 1) * n[1] + (int64_t)(z - 1) * n[0];
        c.across[0] = x;
        c.across[1] = z;
        if (length < shortest && cut_axis(n[0], x, unit[0], least[0], c.at[0]) &&
            cut_axis(n[1], z, unit[1], least[1], c.at[1])) {
            shortest = length;
            *cut = c;
        }
    }
    return shortest < INT64_MAX;
}

foehn_status foehn_cut_make(const int n[2], int parts, const int unit[2], const int least[2],
                            domain_cut *cut)
{
    if (find(n, parts, unit, least, cut))
        return FOEHN_OK;
    int most = parts - 1;
    while (most > 1 && !find(n, most, unit, least, cut))
        most--;
    return foehn_fail(
        FOEHN_ERROR_ARGUMENT,
        "%d x %d columns cannot be cut into %d parts, which take at least %d x %d each: use %d",
        n[0], n[1], parts, least[0], least[1], most);
}

void foehn_cut_halve(domain_cut *cut, bool x, bool z, int nx, int nz)
{
    for (int b = 0; b < cut->across[0]; b++)
        cut->at[0][b] /= x ? 2 : 1;
    for (int b = 0; b < cut->across[1]; b++)
        cut->at[1][b] /= z ? 2 : 1;
    cut->at[0][cut->across[0]] = nx;
    cut->at[1][cut->across[1]] = nz;
}

foehn_domain_block foehn_cut_block(const domain_cut *cut, int part)
{
    const int x = part % cut->across[0], z = part / cut->across[0];
    return (foehn_domain_block){.x = cut->at[0][x],
                                .z = cut->at[1][z],
                                .nx = cut->at[0][x + 1] - cut->at[0][x],
                                .nz = cut->at[1][z + 1] - cut->at[1][z]};
}

int foehn_cut_beside(const domain_cut *cut, int part, int axis, int step)
{
    const int at[2] = {part % cut->across[0], part / cut->across[0]};
    const int to = at[axis] + step;
    if (to < 0 || to >= cut->across[axis])
        return -1;
    return part + step * (axis == 0 ? 1 : cut->across[0]);
}
