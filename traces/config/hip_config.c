/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/config/hip_config.h"

#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "traces/config/examiner_config_spot.h"
#include "traces/config/examiner_text.h"

static char *hip_config_name_of(const char *filename)
{
    const char *slash = strrchr(filename, '/');
    const char *base = slash ? slash + 1 : filename;
    size_t length = strlen(base);

    if (length > 3 && strcmp(base + length - 3, ".so") == 0)
        length -= 3;
    return strndup(base, length);
}

/* A number, or up to three that are multiplied. */
static bool hip_config_product(const struct spot *object, const char *key, const char *what,
                               uint64_t highest, uint64_t *product)
{
    const struct spot spot = spot_member(object, key);
    size_t count;
    uint32_t number;

    *product = 1;
    if (!json_is_array(spot.json)) {
        if (!spot_number32(&spot, 1, INT32_MAX, what, &number))
            return false;
        *product = number;
    } else {
        if (!spot_array(&spot, 3, what, &count))
            return false;
        for (size_t i = 0; i < count; i++) {
            const struct spot element = spot_element(&spot, i);

            if (!spot_number32(&element, 1, INT32_MAX, what, &number))
                return false;
            if (*product > highest / number)
                return spot_wrong(&spot, "more than %llu", (unsigned long long)highest);
            *product *= number;
        }
    }
    return *product <= highest || spot_wrong(&spot, "more than %llu", (unsigned long long)highest);
}

/* As the tool has it: a list of booleans, and what it does not name is set. */
static bool hip_config_mask_list(const struct spot *spot, struct hip_plugin *plugin)
{
    const size_t count = json_array_size(spot->json);
    bool all = true;

    if (count > HIP_MASK_BITS_MAX)
        return spot_wrong(spot, "more than %d bits", HIP_MASK_BITS_MAX);
    memset(plugin->mask, 0xff, sizeof plugin->mask);
    for (size_t i = 0; i < count; i++) {
        const struct spot bit = spot_element(spot, i);

        if (!json_is_boolean(bit.json))
            return spot_is_not(&bit, "true or false");
        if (json_is_false(bit.json))
            plugin->mask[i / 32] &= ~(UINT32_C(1) << i % 32);
        all = all && json_is_true(bit.json);
    }
    plugin->mask_bits = all ? 0 : HIP_MASK_BITS_MAX;
    return true;
}

/* As the tool reads it: each digit is four bits, the first digit CUs 0 to 3, the digit's low bit
 * the first of them; what the string does not name is set. */
static bool hip_config_mask_hex(const struct spot *spot, const char *digits,
                                struct hip_plugin *plugin)
{
    const size_t count = strlen(digits);
    bool all = true;

    if (count == 0 || digits[strspn(digits, "0123456789abcdefABCDEF")] != 0)
        return spot_is_not(spot, "a mask in hexadecimal after 0x");
    if (count > HIP_MASK_BITS_MAX / 4)
        return spot_wrong(spot, "more than %d bits", HIP_MASK_BITS_MAX);
    memset(plugin->mask, 0xff, sizeof plugin->mask);
    for (size_t i = 0; i < count; i++) {
        const char digit[2] = {digits[i], 0};
        const uint32_t off = 15 - (uint32_t)strtoul(digit, NULL, 16);

        plugin->mask[i / 8] &= ~(off << i % 8 * 4);
        all = all && off == 0;
    }
    plugin->mask_bits = all ? 0 : HIP_MASK_BITS_MAX;
    return true;
}

static bool hip_config_mask(const struct spot *object, struct hip_plugin *plugin)
{
    const struct spot spot = spot_member(object, "compute_unit_mask");
    const char *text = json_string_value(spot.json);

    if (!spot.json)
        return true;
    if (json_is_array(spot.json))
        return hip_config_mask_list(&spot, plugin);
    if (text && strncmp(text, "0x", 2) == 0)
        return hip_config_mask_hex(&spot, text + 2, plugin);
    if (!text || *text == 0 || text[strspn(text, "01")] != 0)
        return spot_is_not(
            &spot, "a mask of digits 0 and 1, hexadecimal after 0x, or a list of true and false");
    if (strlen(text) > HIP_MASK_BITS_MAX)
        return spot_wrong(&spot, "more than %d bits", HIP_MASK_BITS_MAX);
    plugin->mask_bits = (uint32_t)strlen(text);
    for (uint32_t i = 0; i < plugin->mask_bits; i++)
        plugin->mask[i / 32] |= (uint32_t)(text[i] == '1') << i % 32;
    return true;
}

static bool hip_config_priority(const struct spot *object, struct hip_plugin *plugin)
{
    const struct spot spot = spot_member(object, "stream_priority");
    int64_t number = 0;

    if (spot.json && !spot_number(&spot, -1, 1, "a priority: -1, 0 or 1", &number))
        return false;
    plugin->priority = (int32_t)number;
    return plugin->priority == 0 || plugin->mask_bits == 0 ||
           spot_wrong(&spot, "HIP has no call that makes a stream with a priority and a CU mask");
}

/* Its own limits or the configuration's, which stand in *plugin. */
static bool hip_config_limits(const struct spot *object, struct hip_plugin *plugin)
{
    const struct spot iterations = spot_member(object, "max_iterations");
    int64_t number = -1;
    gfe_ps time_ps = 0;
    bool negative = true;
    const struct spot time = spot_member(object, "max_time");

    if (iterations.json &&
        !spot_number(&iterations, INT32_MIN, HIP_ITERATIONS_MAX, "a number of iterations", &number))
        return false;
    if (time.json && !spot_seconds(&time, &negative, &time_ps))
        return false;
    if (number >= 0)
        plugin->iterations = (uint32_t)number;
    if (!negative)
        plugin->time_ps = time_ps;
    return true;
}

/* A whole number of additional_info, or `otherwise` if it is not there. */
static bool hip_config_info(const struct spot *info, const char *key, uint64_t otherwise,
                            uint64_t *value)
{
    const struct spot spot = spot_member(info, key);
    int64_t number;

    *value = otherwise;
    if (!json_is_object(info->json) || !spot.json)
        return true;
    if (!spot_number(&spot, 1, INT32_MAX, "a number", &number))
        return false;
    *value = (uint64_t)number;
    return true;
}

static uint64_t hip_config_parts(uint64_t whole, uint64_t part)
{
    return (whole + part - 1) / part;
}

/* Plugins that make their grid of what they work on, a thread for each element: a matrix, an image,
 * a vector (src/matrix_multiply.cpp, mandelbrot.cpp, vector_add.cpp).  block_count is ignored
 * there; gfe's own configurations have no such size and say the blocks. */
static bool hip_config_grid(const struct spot *object, struct hip_plugin *plugin)
{
    const struct spot info = spot_member(object, "additional_info");
    const struct spot shape = spot_member(object, "thread_count");
    uint64_t width = 0, elements = 0, x = plugin->threads, y = 1;

    if (json_is_array(shape.json) && json_array_size(shape.json) > 1) {
        x = (uint64_t)json_integer_value(json_array_get(shape.json, 0));
        y = plugin->threads / (x ? x : 1);
    }
    if (strcmp(plugin->name, "matrix_multiply") == 0) {
        if (!hip_config_info(&info, "matrix_width", 0, &width))
            return false;
        if (width > 0 && x > 0 && y > 0)
            plugin->blocks = hip_config_parts(width, x) * hip_config_parts(width, y);
    } else if (strcmp(plugin->name, "mandelbrot") == 0) {
        if (!hip_config_info(&info, "image_width", 0, &width))
            return false;
        if (width > 0)
            plugin->blocks = hip_config_parts(width * width, plugin->threads);
    } else if (strcmp(plugin->name, "vector_add") == 0) {
        if (!hip_config_info(&info, "vector_length", 0, &elements))
            return false;
        if (elements > 0)
            plugin->blocks = hip_config_parts(elements, plugin->threads);
    }
    return plugin->blocks <= INT32_MAX || spot_wrong(&info, "more than %d blocks", INT32_MAX);
}

/* The tool refuses a deadline of 0 or less, and deadlines of threads: they are their process's. */
static bool hip_config_deadline(const struct spot *object, bool use_processes,
                                struct hip_plugin *plugin)
{
    const struct spot spot = spot_member(object, "job_deadline");

    if (!spot.json)
        return true;
    if (!spot_may_seconds(object, "job_deadline", &plugin->deadline_ps))
        return false;
    if (plugin->deadline_ps == 0)
        return spot_wrong(&spot, "a deadline is more than 0");
    return use_processes || spot_wrong(&spot, "only with use_processes: deadlines are a process's");
}

static bool hip_config_plugin_read(const struct spot *object, struct hip_plugin *plugin)
{
    // clang-format off
    static const char *const keys[] = {
        "filename",          "log_name",        "label",    "thread_count", "block_count",
        "data_size",         "max_iterations",  "max_time", "cpu_core",     "release_time",
        "compute_unit_mask", "additional_info", "stream_priority", "job_deadline",
        "initialization_delay", NULL};
    // clang-format on
    const struct spot file = spot_member(object, "filename");
    char *filename = NULL;
    uint64_t threads;

    if (!spot_object(object, keys) || !spot_string(&file, &filename))
        return false;
    plugin->name = hip_config_name_of(filename);
    free(filename);
    if (!plugin->name)
        return error_set(object->reader->error, ERROR_SYSTEM, "out of memory");
    if (!spot_may_string(object, "label", &plugin->label) ||
        !hip_config_product(object, "thread_count", "a number of threads", HIP_THREADS_MAX,
                            &threads) ||
        !hip_config_product(object, "block_count", "a number of blocks", INT32_MAX,
                            &plugin->blocks) ||
        !hip_config_limits(object, plugin) || !hip_config_mask(object, plugin) ||
        !hip_config_priority(object, plugin) ||
        !spot_may_seconds(object, "release_time", &plugin->release_ps))
        return false;
    plugin->threads = (uint32_t)threads;
    if (!hip_config_grid(object, plugin))
        return false;
    if (!plugin->label)
        plugin->label = strdup(plugin->name);
    return plugin->label || error_set(object->reader->error, ERROR_SYSTEM, "out of memory");
}

/* Something must come to its end. */
static bool hip_config_ends(const struct spot *list, const struct hip_config *config)
{
    for (uint32_t i = 0; i < config->plugin_count; i++)
        if (config->plugins[i].iterations != 0 || config->plugins[i].time_ps != 0)
            return true;
    return spot_wrong(list, "no plugin has max_iterations or max_time: it would never end");
}

static bool hip_config_read(const struct spot *whole, struct hip_config *config)
{
    static const char *const keys[] = {"name",
                                       "max_iterations",
                                       "max_time",
                                       "use_processes",
                                       "gpu_device_id",
                                       "base_result_directory",
                                       "pin_cpus",
                                       "do_warmup",
                                       "omit_block_times",
                                       "sync_every_iteration",
                                       "plugins",
                                       NULL};
    const struct spot name = spot_member(whole, "name"), list = spot_member(whole, "plugins");
    struct hip_plugin common = {0};
    size_t count;

    if (!spot_object(whole, keys) || !spot_string(&name, &config->name) ||
        !hip_config_limits(whole, &common) ||
        !spot_may_bool(whole, "use_processes", &config->use_processes) ||
        !spot_may_bool(whole, "sync_every_iteration", &config->meets))
        return false;
    if (!spot_array(&list, HIP_PLUGINS_MAX, "a list of plugins", &count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct spot element = spot_element(&list, i);

        config->plugins[i] = common;
        config->plugin_count++;
        if (!hip_config_plugin_read(&element, &config->plugins[i]) ||
            !hip_config_deadline(&element, config->use_processes, &config->plugins[i]))
            return false;
        if (config->meets && spot_member(&element, "max_iterations").json)
            return spot_wrong(&element, "a plugin with max_iterations of its own cannot have "
                                        "sync_every_iteration, as in the tool");
    }
    return hip_config_ends(&list, config);
}

bool hip_config_is(const char *text, size_t bytes)
{
    json_error_t cause;
    json_t *root = json_text_load(text, bytes, 0, &cause);
    const bool is = json_object_get(root, "plugins") != NULL;

    json_decref(root);
    return is;
}

struct hip_config *hip_config_parse(const char *text, size_t bytes, const char *name,
                                    struct gfe_error *error)
{
    struct examiner_reader reader = {.name = name, .error = error};
    json_t *root = examiner_text_json(text, bytes, HIP_TEXT_BYTES_MAX, name, error);
    const struct spot whole = {.reader = &reader, .json = root};
    struct hip_config *config = root ? calloc(1, sizeof *config) : NULL;
    bool good = config != NULL;

    if (root && !config)
        (void)error_set(error, ERROR_SYSTEM, "out of memory");
    good = good && hip_config_read(&whole, config);
    json_decref(root);
    if (good)
        return config;
    hip_config_free(config);
    return NULL;
}

void hip_config_free(struct hip_config *config)
{
    if (!config)
        return;
    for (uint32_t i = 0; i < config->plugin_count; i++) {
        free(config->plugins[i].name);
        free(config->plugins[i].label);
    }
    free(config->name);
    free(config);
}
