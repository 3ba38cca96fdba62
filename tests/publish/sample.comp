#version 450
// SPDX-License-Identifier: MIT
// Samples a volume at points: xyz in, the texel there out.
layout(local_size_x = 64) in;
layout(binding = 0) uniform sampler3D volume;
layout(binding = 1) buffer Points { vec4 points[]; };

void main()
{
    uint n = gl_GlobalInvocationID.x;
    points[n] = textureLod(volume, points[n].xyz, 0.0);
}
