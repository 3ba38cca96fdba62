/* SPDX-License-Identifier: MIT */
/* Units of height, as files and users write them. */
#include "config.h"

#include "terrain/terrain.h"

#include <ctype.h>
#include <string.h>

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || (unsigned char)c >= 0x80;
}

/* Metres per unit that a text names: the first word that is a unit, as long as nothing makes it
 * another one (a power, a quotient).  0: unknown. */
double terrain_unit(const char *text)
{
    static const struct {
        const char *names;
        double metres;
    } units[] = {
        {" m metre metres meter meters metri metro metros m\xc3\xa8tre m\xc3\xa8tres gpm ", 1},
        {" ft foot feet fuss pied pieds ift ", 0.3048},
        {" usft ftus sft usfoot usfeet ", 1200.0 / 3937.0},
        {" dm decimetre decimetres decimeter decimeters ", 0.1},
        {" cm centimetre centimetres centimeter centimeters ", 0.01},
        {" mm millimetre millimetres millimeter millimeters ", 0.001},
        {" km kilometre kilometres kilometer kilometers ", 1000},
        {" yd yard yards ", 0.9144},
        {" fathom fathoms ftm ", 1.8288},
    };
    double found = 0;
    bool survey = false;
    while (*text) {
        char word[32] = " ";
        size_t n = 1;
        bool bracket = *text == '(' && found > 0; /* what follows a unit explains it */
        if (bracket || *text == ',')
            break;
        if (strchr("/^*", *text) || isdigit((unsigned char)*text))
            return 0;
        for (; is_letter(*text) || (n > 1 && isdigit((unsigned char)*text)); text++)
            if (n + 2 < sizeof word)
                word[n++] = (char)tolower((unsigned char)*text);
        if (n == 1) {
            text++;
            continue;
        }
        word[n] = ' ';
        word[n + 1] = 0;
        survey = survey || strcmp(word, " us ") == 0 || strcmp(word, " survey ") == 0;
        for (size_t i = 0; i < sizeof units / sizeof units[0] && found == 0; i++)
            if (strstr(units[i].names, word))
                found = units[i].metres;
    }
    return found == 0.3048 && survey ? 1200.0 / 3937.0 : found;
}
