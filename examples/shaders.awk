# SPDX-License-Identifier: MIT
# Turns words of SPIR-V (od -An -v -tx4) into a C array.  Set name, source and sum: the name of the
# array, the file of the shader and its cksum, which tests/shaders.sh compares.
BEGIN {
    print "/* SPDX-License-Identifier: MIT */"
    print "/* SPIR-V of " source ", cksum " sum ".  Made by `make shaders`, which needs glslangValidator. */"
    print "static const uint32_t " name "[] = {"
}
{
    line = ""
    for (i = 1; i <= NF; i++) line = line " 0x" $i ","
    print "   " line
}
END { print "};" }
