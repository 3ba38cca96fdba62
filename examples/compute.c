/* SPDX-License-Identifier: MIT */
#include "compute.h"

#include <stdlib.h>
#include <string.h>

struct compute_run_state {
    VkBuffer buffer;
    VkDeviceMemory memory;
    void *mapped;
    VkSampler sampler;
    VkShaderModule module;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkDescriptorPool pool;
    VkDescriptorSet set;
    VkCommandPool command_pool;
    VkCommandBuffer commands;
    VkFence fence;
};

/* ---- a device ---- */

static int has_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    int found = 0;
    vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL);
    VkExtensionProperties *list = calloc(count ? count : 1, sizeof *list);
    if (list && vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list) == VK_SUCCESS)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(list[i].extensionName, name) == 0;
    free(list);
    return found;
}

static int find_family(VkPhysicalDevice physical, uint32_t *family)
{
    VkQueueFamilyProperties families[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    for (*family = 0; *family < count; ++*family)
        if (families[*family].queueFlags & VK_QUEUE_COMPUTE_BIT)
            return 1;
    return 0;
}

int compute_open(compute *c)
{
    static const char *const wanted[] = {"VK_KHR_external_memory_fd",
                                         "VK_KHR_external_semaphore_fd"};
    const char *extensions[2];
    uint32_t extension_count = 0, count = 1;
    const float priority = 1;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                           .pApplicationInfo = &application};
    memset(c, 0, sizeof *c);
    if (vkCreateInstance(&instance, NULL, &c->instance) != VK_SUCCESS ||
        vkEnumeratePhysicalDevices(c->instance, &count, &c->physical) < 0 || count == 0 ||
        !find_family(c->physical, &c->family))
        return 0;
    for (int i = 0; i < 2; i++)
        if (has_extension(c->physical, wanted[i]))
            extensions[extension_count++] = wanted[i];
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = c->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue,
                                       .enabledExtensionCount = extension_count,
                                       .ppEnabledExtensionNames = extensions};
    if (vkCreateDevice(c->physical, &device, NULL, &c->device) != VK_SUCCESS)
        return 0;
    vkGetDeviceQueue(c->device, c->family, 0, &c->queue);
    return 1;
}

void compute_close(compute *c)
{
    if (c->device)
        vkDestroyDevice(c->device, NULL);
    if (c->instance)
        vkDestroyInstance(c->instance, NULL);
    memset(c, 0, sizeof *c);
}

/* ---- a job: whatever fails leaves NULLs behind, and compute_end() reports it ---- */

static void open_buffer(const compute *c, const compute_job *job, compute_run_state *s)
{
    VkMemoryRequirements need;
    VkPhysicalDeviceMemoryProperties memory;
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = job->data_size,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT};
    VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
    vkCreateBuffer(c->device, &info, NULL, &s->buffer);
    vkGetBufferMemoryRequirements(c->device, s->buffer, &need);
    vkGetPhysicalDeviceMemoryProperties(c->physical, &memory);
    allocation.allocationSize = need.size;
    for (uint32_t i = memory.memoryTypeCount; i-- > 0;)
        if ((need.memoryTypeBits >> i & 1) &&
            (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            allocation.memoryTypeIndex = i;
    vkAllocateMemory(c->device, &allocation, NULL, &s->memory);
    vkBindBufferMemory(c->device, s->buffer, s->memory, 0);
    vkMapMemory(c->device, s->memory, 0, VK_WHOLE_SIZE, 0, &s->mapped);
    if (s->mapped)
        memcpy(s->mapped, job->data, job->data_size);
}

static void open_pipeline(const compute *c, const compute_job *job, compute_run_state *s)
{
    const VkShaderModuleCreateInfo module = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                             .codeSize = job->code_size,
                                             .pCode = job->code};
    const VkDescriptorSetLayoutBinding bindings[2] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, job->constants_size};
    vkCreateShaderModule(c->device, &module, NULL, &s->module);
    vkCreateDescriptorSetLayout(c->device, &set, NULL, &s->set_layout);
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &s->set_layout,
                                               .pushConstantRangeCount = job->constants_size > 0,
                                               .pPushConstantRanges = &range};
    vkCreatePipelineLayout(c->device, &layout, NULL, &s->layout);
    const VkComputePipelineCreateInfo pipeline = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = s->module,
                  .pName = "main"},
        .layout = s->layout};
    vkCreateComputePipelines(c->device, VK_NULL_HANDLE, 1, &pipeline, NULL, &s->pipeline);
}

static void open_descriptors(const compute *c, const compute_job *job, compute_run_state *s)
{
    const VkSamplerCreateInfo sampler = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                         .magFilter = VK_FILTER_LINEAR,
                                         .minFilter = VK_FILTER_LINEAR,
                                         .addressModeU = job->addressing,
                                         .addressModeV = job->addressing,
                                         .addressModeW = job->addressing};
    const VkDescriptorPoolSize sizes[2] = {{VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1},
                                           {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    vkCreateSampler(c->device, &sampler, NULL, &s->sampler);
    vkCreateDescriptorPool(c->device, &pool, NULL, &s->pool);
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = s->pool,
                                             .descriptorSetCount = 1,
                                             .pSetLayouts = &s->set_layout};
    vkAllocateDescriptorSets(c->device, &set, &s->set);
    const VkDescriptorImageInfo image = {s->sampler, job->view, job->layout};
    const VkDescriptorBufferInfo buffer = {s->buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet writes[2] = {
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = s->set,
         .dstBinding = 0,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
         .pImageInfo = &image},
        {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
         .dstSet = s->set,
         .dstBinding = 1,
         .descriptorCount = 1,
         .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
         .pBufferInfo = &buffer}};
    vkUpdateDescriptorSets(c->device, 2, writes, 0, NULL);
}

static void submit(const compute *c, const compute_job *job, compute_run_state *s)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = c->family};
    vkCreateCommandPool(c->device, &pool, NULL, &s->command_pool);
    const VkCommandBufferAllocateInfo allocation = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = s->command_pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    vkAllocateCommandBuffers(c->device, &allocation, &s->commands);
    vkBeginCommandBuffer(s->commands, &begin);
    vkCmdBindPipeline(s->commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->pipeline);
    vkCmdBindDescriptorSets(s->commands, VK_PIPELINE_BIND_POINT_COMPUTE, s->layout, 0, 1, &s->set,
                            0, NULL);
    if (job->constants_size)
        vkCmdPushConstants(s->commands, s->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                           job->constants_size, job->constants);
    vkCmdDispatch(s->commands, job->groups[0], job->groups[1], 1);
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(s->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
    vkEndCommandBuffer(s->commands);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &s->commands};
    vkCreateFence(c->device, &fence, NULL, &s->fence);
    if (vkQueueSubmit(c->queue, 1, &info, s->fence) != VK_SUCCESS) {
        vkDestroyFence(c->device, s->fence, NULL);
        s->fence = VK_NULL_HANDLE;
    }
}

compute_run_state *compute_begin(const compute *c, const compute_job *job)
{
    compute_run_state *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    open_buffer(c, job, s);
    open_pipeline(c, job, s);
    open_descriptors(c, job, s);
    if (s->mapped && s->pipeline && s->set)
        submit(c, job, s);
    return s;
}

int compute_end(const compute *c, const compute_job *job, compute_run_state *s)
{
    if (!s)
        return 0;
    int done =
        s->fence && vkWaitForFences(c->device, 1, &s->fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS;
    if (done)
        memcpy(job->data, s->mapped, job->data_size);
    vkDestroyCommandPool(c->device, s->command_pool, NULL);
    vkDestroyFence(c->device, s->fence, NULL);
    vkDestroyDescriptorPool(c->device, s->pool, NULL);
    vkDestroySampler(c->device, s->sampler, NULL);
    vkDestroyPipeline(c->device, s->pipeline, NULL);
    vkDestroyPipelineLayout(c->device, s->layout, NULL);
    vkDestroyDescriptorSetLayout(c->device, s->set_layout, NULL);
    vkDestroyShaderModule(c->device, s->module, NULL);
    vkDestroyBuffer(c->device, s->buffer, NULL);
    vkFreeMemory(c->device, s->memory, NULL);
    free(s);
    return done;
}

int compute_run(const compute *c, const compute_job *job)
{
    return compute_end(c, job, compute_begin(c, job));
}
