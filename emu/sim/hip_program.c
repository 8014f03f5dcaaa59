/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/hip_program.h"

#include <jansson.h>

#include "emu/base/json_text.h"

static json_t *hip_program_task(const struct hip_plugin *plugin, uint32_t index, uint32_t process)
{
    return json_pack("{ss ss si sI si si sI sI}", "name", plugin->label, "benchmark", plugin->name,
                     "process", (int)process, "release_ps", (json_int_t)plugin->release_ps,
                     "first_call", (int)index, "call_count", 1, "thread_count",
                     (json_int_t)plugin->threads, "block_count", (json_int_t)plugin->blocks);
}

static json_t *hip_program_call(const struct hip_plugin *plugin, uint32_t index)
{
    return json_pack("{ss ss si ss sI sI}", "kind", "kernel", "phase", "execute", "stream",
                     (int)index, "name", plugin->label, "block_count", (json_int_t)plugin->blocks,
                     "thread_count", (json_int_t)plugin->threads);
}

char *hip_program_json(const struct hip_config *config)
{
    json_t *tasks = json_array(), *calls = json_array();
    json_t *root = json_pack("{ss sO* sO*}", "name", config->name, "tasks", tasks, "calls", calls);
    bool good = root && tasks && calls;
    char *text = NULL;

    for (uint32_t i = 0; i < config->plugin_count && good; i++)
        good = json_array_append_new(tasks, hip_program_task(&config->plugins[i], i,
                                                             config->use_processes ? i : 0)) == 0 &&
               json_array_append_new(calls, hip_program_call(&config->plugins[i], i)) == 0;
    if (good)
        text = json_text(root, JSON_COMPACT);
    json_decref(root);
    json_decref(tasks);
    json_decref(calls);
    return text;
}
