/* SPDX-License-Identifier: MIT */
/* read_vdb FILE.vdb            say what is in it, a line a grid
 * read_vdb FILE.vdb FILE.raw   also compare density and temperature with the halves of a raw file
 *
 * What OpenVDB itself reads, as a test of what the command writes. */
#include <openvdb/openvdb.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

namespace
{

double half(uint16_t h)
{
    int exponent = h >> 10 & 31, mantissa = h & 1023;
    double m = exponent ? std::ldexp(1024 + mantissa, exponent - 25) : std::ldexp(mantissa, -24);
    return h & 0x8000 ? -m : m;
}

void describe(const openvdb::GridBase &grid)
{
    openvdb::Vec3d at = grid.indexToWorld(openvdb::Coord(0, 0, 0));
    double step[3];
    for (int axis = 0; axis < 3; axis++) {
        openvdb::Coord next(axis == 0, axis == 1, axis == 2);
        step[axis] = (grid.indexToWorld(next) - at).length();
    }
    openvdb::CoordBBox box = grid.evalActiveVoxelBoundingBox();
    std::printf("%s type=%s class=%s half=%d voxels=%llu at=%.9g,%.9g,%.9g "
                "step=%.9g,%.9g,%.9g last=%d,%d,%d",
                grid.getName().c_str(), grid.valueType().c_str(),
                openvdb::GridBase::gridClassToString(grid.getGridClass()).c_str(),
                static_cast<int>(grid.saveFloatAsHalf()),
                static_cast<unsigned long long>(grid.activeVoxelCount()), at[0], at[1], at[2],
                step[0], step[1], step[2], box.max()[0], box.max()[1], box.max()[2]);
    if (const auto *values = dynamic_cast<const openvdb::FloatGrid *>(&grid)) {
        openvdb::Vec3d sum(0);
        double weight = 0, least = HUGE_VAL, most = 0;
        for (auto i = values->cbeginValueOn(); i; ++i) {
            double value = static_cast<double>(*i);
            sum += grid.indexToWorld(i.getCoord()) * value;
            weight += value;
            least = std::fmin(least, value);
            most = std::fmax(most, value);
        }
        sum /= weight;
        std::printf(" mean=%.6g,%.6g,%.6g least=%.6g most=%.6g", sum[0], sum[1], sum[2], least,
                    most);
    }
    for (const char *name : {"fps", "time", "units", "vector_type", "file_compression"})
        if (grid[name])
            std::printf(" %s=%s", name, grid[name]->str().c_str());
    std::printf("\n");
}

/* Every cell of a channel; cells that the tree leaves out must hold next to nothing. */
bool compare(const openvdb::FloatGrid &grid, const std::vector<uint16_t> &raw, const int n[3],
             int channel)
{
    openvdb::FloatGrid::ConstAccessor at = grid.getConstAccessor();
    size_t c = 0, filled = 0;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++)
            for (int i = 0; i < n[0]; i++, c++) {
                double wanted = half(raw[4 * c + static_cast<size_t>(channel)]);
                double got = static_cast<double>(at.getValue(openvdb::Coord(i, j, k)));
                filled += got != 0;
                if (got == wanted || (got == 0 && std::fabs(wanted) <= 1.01e-4))
                    continue;
                std::printf("%s: cell %d %d %d is %g, not %g\n", grid.getName().c_str(), i, j, k,
                            got, wanted);
                return false;
            }
    std::printf("%s: %zu of %zu cells filled, all equal\n", grid.getName().c_str(), filled, c);
    return filled > 0;
}

bool read_raw(const char *path, size_t cells, std::vector<uint16_t> &out)
{
    FILE *stream = std::fopen(path, "rb");
    std::vector<unsigned char> bytes(8 * cells);
    bool good = stream && std::fread(bytes.data(), 1, bytes.size(), stream) == bytes.size() &&
                std::fgetc(stream) == EOF;
    if (stream)
        std::fclose(stream);
    out.resize(4 * cells);
    for (size_t i = 0; i < out.size(); i++)
        out[i] = static_cast<uint16_t>(bytes[2 * i] | bytes[2 * i + 1] << 8);
    return good;
}

int run(int argc, char **argv)
{
    if (argc != 2 && argc != 6)
        return std::fprintf(stderr, "read_vdb FILE.vdb [FILE.raw NX NY NZ]\n"), 2;
    openvdb::initialize();
    openvdb::io::File file(argv[1]);
    file.open();
    openvdb::GridPtrVecPtr grids = file.getGrids();
    bool good = true;
    for (const openvdb::GridBase::Ptr &grid : *grids)
        describe(*grid);
    if (argc < 6)
        return 0;
    std::vector<uint16_t> raw;
    int n[3];
    size_t cells = 1;
    for (int k = 0; k < 3; k++)
        cells *= static_cast<size_t>(n[k] = std::atoi(argv[3 + k]));
    if (!read_raw(argv[2], cells, raw))
        return std::printf("%s: not of %zu cells\n", argv[2], cells), 1;
    int channel = 0;
    for (const char *name : {"density", "temperature"}) {
        auto grid = openvdb::gridPtrCast<openvdb::FloatGrid>(file.readGrid(name));
        good = grid && compare(*grid, raw, n, channel++) && good;
    }
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char **argv)
{
    try {
        return run(argc, argv);
    } catch (const std::exception &problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 1;
    }
}
