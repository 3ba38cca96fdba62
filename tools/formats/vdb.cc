/* SPDX-License-Identifier: MIT */
/* Writing OpenVDB.  Names and metadata are those that Blender, Houdini and Unreal look for. */
#include "config.h"

#include "formats/vdb.h"

#include <openvdb/io/Archive.h>
#include <openvdb/openvdb.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>

/* The library has these already: a compiler that makes them again takes four times as long. */
#ifdef HAVE_OPENVDB_GRIDS
extern template class openvdb::Grid<openvdb::FloatTree>;
extern template class openvdb::Grid<openvdb::Vec3STree>;
extern template class openvdb::tree::Tree<openvdb::FloatTree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::Vec3STree::RootNodeType>;
#endif

namespace
{

/* Cells that hold nothing stay out of the tree. */
template <typename Grid, typename Value>
typename Grid::Ptr sparse(const vdb_grid &g, Value (*value)(const float *, size_t))
{
    typename Grid::Ptr grid = Grid::create();
    typename Grid::Accessor at = grid->getAccessor();
    size_t c = 0;
    for (int k = 0; k < g.nz; k++)
        for (int j = 0; j < g.ny; j++)
            for (int i = 0; i < g.nx; i++, c++) {
                const Value v = value(g.values, c);
                if (g.present ? g.present[c] != 0 : v != openvdb::zeroVal<Value>())
                    at.setValue(openvdb::Coord(i, j, k), v);
            }
    return grid;
}

float one(const float *values, size_t c)
{
    return values[c];
}

openvdb::Vec3s three(const float *values, size_t c)
{
    return openvdb::Vec3s(values[3 * c], values[3 * c + 1], values[3 * c + 2]);
}

/* OpenVDB multiplies row vectors from the left. */
openvdb::math::Transform::Ptr transform_of(const vdb_grid &g)
{
    openvdb::math::Mat4d m = openvdb::math::Mat4d::identity();
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 3; k++)
            m[axis][k] = g.spacing[axis] * g.rotation[k][axis];
    m.setTranslation(openvdb::Vec3d(g.first[0], g.first[1], g.first[2]));
    return openvdb::math::Transform::createLinearTransform(m);
}

openvdb::GridBase::Ptr make_grid(const vdb_grid &g, double fps, double time)
{
    openvdb::GridBase::Ptr grid;
    if (g.components == 3) {
        grid = sparse<openvdb::Vec3SGrid, openvdb::Vec3s>(g, three);
        grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    } else
        grid = sparse<openvdb::FloatGrid, float>(g, one);
    grid->setName(g.name);
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    grid->setSaveFloatAsHalf(true);
    grid->setTransform(transform_of(g));
    grid->setCreator("foehn");
    if (fps > 0)
        grid->insertMeta("fps", openvdb::DoubleMetadata(fps));
    grid->insertMeta("time", openvdb::DoubleMetadata(time));
    grid->insertMeta("units", openvdb::StringMetadata(g.units));
    return grid;
}

/* openvdb::io::File::write() does not look at its stream: on a full disk it says nothing. */
class Archive : public openvdb::io::Archive
{
  public:
    bool write_file(const char *path, const openvdb::GridCPtrVec &grids) const
    {
        std::ofstream stream(path, std::ios::binary | std::ios::trunc);
        write(stream, grids, /*seekable=*/true);
        stream.close();
        return !stream.fail();
    }
};

/* The header: magic number (8 bytes), three version numbers (4 each), a flag, then 36 characters of
 * UUID.  They become two hashes of all that follows. */
bool name_by_content(const char *path)
{
    const std::streamoff UUID = 21, AFTER = UUID + 36;
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    uint64_t a = UINT64_C(14695981039346656037), b = a ^ UINT64_C(0x5bd1e995);
    char bytes[4096];
    for (file.seekg(AFTER); file.read(bytes, sizeof bytes), file.gcount() > 0;)
        for (std::streamsize n = 0; n < file.gcount(); n++) {
            a = (a ^ static_cast<unsigned char>(bytes[n])) * UINT64_C(1099511628211); /* FNV-1a */
            b = (b ^ static_cast<unsigned char>(bytes[n])) * UINT64_C(1099511628211) ^ b >> 47;
        }
    char uuid[40];
    std::snprintf(uuid, sizeof uuid, "%08llx-%04llx-4%03llx-8%03llx-%012llx",
                  static_cast<unsigned long long>(a >> 32),
                  static_cast<unsigned long long>(a >> 16 & 0xffff),
                  static_cast<unsigned long long>(a & 0xfff),
                  static_cast<unsigned long long>(b >> 48 & 0xfff),
                  static_cast<unsigned long long>(b & UINT64_C(0xffffffffffff)));
    file.clear();
    file.seekp(UUID);
    file.write(uuid, 36);
    file.close();
    return !file.fail();
}

} // namespace

int vdb_write(const char *path, size_t count, const vdb_grid *grids, double fps, double time,
              size_t size, char *text)
{
    try {
        openvdb::initialize();
        openvdb::GridCPtrVec list;
        for (size_t n = 0; n < count; n++)
            list.push_back(make_grid(grids[n], fps, time));
        if (Archive().write_file(path, list) && name_by_content(path))
            return 0;
        std::snprintf(text, size, "is the disk full?");
    } catch (const std::exception &problem) {
        std::snprintf(text, size, "%s", problem.what());
    }
    return -1;
}
