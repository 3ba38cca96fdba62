/* SPDX-License-Identifier: MIT */
/* foehn devices: what there is to compute on. */
#include "config.h"

#include "json.h"
#include "options.h"
#include "ranks.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_ICDS = 32 };

typedef struct devices_options {
    bool json;
} devices_options;

#define OPTIONS devices_options

static const option_row rows[] = {{"json", NULL, "as a JSON object", FLAG(json)}, END_OF_OPTIONS};

static const char *type_name(foehn_device_type type)
{
    return type == FOEHN_DEVICE_GPU ? "GPU" : type == FOEHN_DEVICE_CPU ? "CPU" : "other";
}

static const char *icd_folder(void)
{
    const char *folder = getenv("OCL_ICD_VENDORS");
    return folder && *folder ? folder : "/etc/OpenCL/vendors";
}

/* The drivers that the ICD loader is told of: inside a container they are what is often missing. */
static int list_icds(char names[MOST_ICDS][256])
{
    int count = 0;
    DIR *folder = opendir(icd_folder());
    if (!folder)
        return 0;
    for (struct dirent *entry; count < MOST_ICDS && (entry = readdir(folder)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".icd") == 0)
            snprintf(names[count++], 256, "%s", entry->d_name);
    }
    closedir(folder);
    return count;
}

#ifdef HAVE_VULKAN
static const bool has_vulkan = true;
#else
static const bool has_vulkan = false;
#endif

/* What its extensions allow; gl.h and vulkan.h say what else a path needs. */
static void list_paths(const foehn_device_info *info, size_t size, char *text)
{
    snprintf(text, size, "host; GL copied%s%s%s%s%s", info->gl_sharing ? ", shared" : "",
             has_vulkan && info->external_memory ? ", imported" : "",
             has_vulkan ? "; Vulkan copied" : "",
             has_vulkan && info->external_memory ? ", imported" : "",
             has_vulkan && info->external_memory && info->external_semaphore ? " with semaphores"
                                                                             : "");
}

static void print_text(size_t count, const foehn_device_info *infos, int chosen, const char *reason)
{
    for (size_t i = 0; i < count; i++) {
        const foehn_device_info *d = &infos[i];
        char paths[128];
        list_paths(d, sizeof paths, paths);
        printf("%c %zu  %s (%s, %u compute units)\n", (int)i == chosen ? '*' : ' ', i, d->name,
               type_name(d->type), d->compute_units);
        printf("      platform %s, %s, driver %s\n", d->platform, d->version, d->driver);
        printf("      memory %.2f GiB, largest allocation %.2f GiB\n",
               (double)d->memory_bytes / (1 << 30),
               (double)d->largest_allocation_bytes / (1 << 30));
        printf("      publishes by %s\n", paths);
    }
    if (chosen >= 0)
        printf("\n* is chosen: %s\n", reason);
}

static void print_json(size_t count, const foehn_device_info *infos, int chosen, const char *reason)
{
    char icds[MOST_ICDS][256];
    int icd_count = list_icds(icds);
    json j;
    json_begin(&j, stdout);
    json_object(&j, NULL);
    json_array(&j, "devices");
    for (size_t i = 0; i < count; i++) {
        const foehn_device_info *d = &infos[i];
        json_object(&j, NULL);
        json_count(&j, "index", i);
        json_text(&j, "name", d->name);
        json_text(&j, "type", type_name(d->type));
        json_text(&j, "platform", d->platform);
        json_text(&j, "vendor", d->vendor);
        json_text(&j, "version", d->version);
        json_text(&j, "driver", d->driver);
        json_count(&j, "compute_units", d->compute_units);
        json_count(&j, "clock_mhz", d->clock_mhz);
        json_count(&j, "memory_bytes", d->memory_bytes);
        json_count(&j, "largest_allocation_bytes", d->largest_allocation_bytes);
        json_count(&j, "local_memory_bytes", d->local_memory_bytes);
        json_count(&j, "largest_work_group", d->largest_work_group);
        json_truth(&j, "chosen", (int)i == chosen);
        json_object(&j, "publish");
        json_truth(&j, "host_copy", true);
        json_truth(&j, "gl_copied", true);
        json_truth(&j, "vulkan_copied", has_vulkan);
        json_truth(&j, "gl_sharing", d->gl_sharing);
        json_truth(&j, "external_memory", d->external_memory);
        json_truth(&j, "external_semaphore", d->external_semaphore);
        json_truth(&j, "image_writes_3d", d->image_writes_3d);
        json_close(&j, '}');
        json_close(&j, '}');
    }
    json_close(&j, ']');
    if (chosen >= 0)
        json_count(&j, "chosen", (uint64_t)chosen);
    else
        json_text(&j, "chosen", NULL);
    json_text(&j, "reason", chosen >= 0 ? reason : foehn_last_error());
    json_text(&j, "icd_folder", icd_folder());
    json_array(&j, "icd_files");
    for (int i = 0; i < icd_count; i++)
        json_text(&j, NULL, icds[i]);
    json_close(&j, ']');
    json_close(&j, '}');
    json_end(&j);
}

static int fail_without_device(void)
{
    char icds[MOST_ICDS][256], list[1024] = "";
    int count = list_icds(icds);
    for (int i = 0; i < count; i++) {
        strncat(list, i ? ", " : "", sizeof list - strlen(list) - 1);
        strncat(list, icds[i], sizeof list - strlen(list) - 1);
    }
    return fail(STATUS_NO_DEVICE, "%s; ICD files seen in %s: %s", foehn_last_error(), icd_folder(),
                count ? list : "none");
}

/* Of a run like this one: what each rank would take. */
static int list_ranks(void)
{
    enum { WIDTH = 400 };
    char own[WIDTH] = "", host[64] = "";
    const char *spec;
    int index;
    gethostname(host, sizeof host - 1);
    int status = ranks_device(NULL, NULL, &spec);
    if (status == STATUS_OK)
        status = fail_library(foehn_device_choose(spec, &index, 0, NULL));
    size_t count = 0;
    foehn_device_info *infos = NULL;
    if (status == STATUS_OK)
        status = list_devices(&infos, &count);
    if (status == STATUS_OK)
        snprintf(own, sizeof own, "rank %d on %s: %d  %s (%s)", ranks_number(), host, index,
                 infos[index].name, infos[index].platform);
    free(infos);
    status = ranks_agree(status);
    char *all = status == STATUS_OK ? calloc((size_t)ranks_count(), sizeof own) : NULL;
    if (status == STATUS_OK && !all)
        status = fail_memory();
    if (status == STATUS_OK)
        status = fail_library(foehn_domain_gather(ranks_domain(), sizeof own, own, all));
    for (int n = 0; n < ranks_count() && status == STATUS_OK && ranks_is_first(); n++)
        puts(all + (size_t)n * sizeof own);
    free(all);
    return status;
}

int devices_main(int argc, char **argv)
{
    devices_options o = {0};
    const option_table tables[] = {{rows, &o}, {NULL, NULL}};
    int status = options_parse("devices", argc, argv, tables, NULL, NULL);
    if (status == OPTIONS_HELP) {
        puts("Usage: foehn devices [--json]\n\nList OpenCL devices and say which would be chosen, "
             "and why.\nFOEHN_DEVICE overrides the choice: an index, cpu, gpu, or part of a "
             "name.\n");
        options_print(rows);
        return STATUS_OK;
    }
    if (status != STATUS_OK)
        return status;
    if (ranks_count() > 1)
        return list_ranks();

    size_t count;
    foehn_device_info *infos;
    status = list_devices(&infos, &count);
    if (status != STATUS_OK)
        return status;

    int chosen = -1;
    char reason[512] = "";
    foehn_status choice = foehn_device_choose(NULL, &chosen, sizeof reason, reason);
    if (choice != FOEHN_OK)
        chosen = -1;
    if (o.json)
        print_json(count, infos, chosen, reason);
    else
        print_text(count, infos, chosen, reason);
    free(infos);
    return choice == FOEHN_OK ? STATUS_OK : fail_without_device();
}
