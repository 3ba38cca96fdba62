#version 450
// SPDX-License-Identifier: MIT
// A map of the wind 10 m above a hill: colours of the speed, streaked along the flow by line
// integral convolution (Cabral and Leedom 1993) of white noise, with contours of the hill.
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler3D wind;
layout(binding = 1) buffer Picture { uint pixels[]; };
layout(push_constant) uniform Constants {
    vec4 extent; // m
    vec4 turns;  // of the hill's foot in the repeating texture
    uint side;   // pixels
};

float hill(vec2 p) // metres from its foot
{
    return 30.0 * exp(-dot(p, p) / 2000.0);
}

vec3 velocity(vec2 p)
{
    vec3 at = vec3(p.x, hill(p) + 10.0, p.y);
    return textureLod(wind, at / extent.xyz + turns.xyz, 0.0).xyz;
}

float noise(ivec2 n)
{
    uint h = uint(n.x) * 0x9e3779b1u ^ uint(n.y) * 0x85ebca77u;
    h = (h ^ h >> 15) * 0xc2b2ae3du;
    return float((h ^ h >> 13) & 255u) / 255.0;
}

float streak(vec2 p, float way, float pixel)
{
    float sum = 0.0;
    for (int i = 0; i < 14; i++) {
        sum += noise(ivec2(floor(p / pixel)));
        p += way * pixel * normalize(velocity(p).xz);
    }
    return sum / 14.0;
}

void main()
{
    uvec2 at = gl_GlobalInvocationID.xy;
    float pixel = 0.9 * extent.x / float(side);
    vec2 p = (vec2(at) + 0.5 - 0.5 * float(side)) * pixel;
    float s = clamp((length(velocity(p)) - 3.0) / 11.0, 0.0, 1.0);
    vec3 color = mix(mix(vec3(0.1, 0.2, 0.5), vec3(0.2, 0.7, 0.6), min(2.0 * s, 1.0)),
                     vec3(1.0, 0.8, 0.2), max(2.0 * s - 1.0, 0.0));
    float line = 0.5 * (streak(p, 1.0, pixel) + streak(p, -1.0, pixel));
    float slope = hill(p) * length(p) / 1000.0, height = hill(p) / 10.0; // contours of 5, 15, 25 m
    float contour = abs(height - floor(height) - 0.5) * 10.0 < slope * pixel ? 0.4 : 1.0;
    pixels[at.y * side + at.x] = packUnorm4x8(vec4(color * (0.25 + 1.5 * line) * contour, 1.0));
}
