/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_gpu.h"

#include <jansson.h>

#include "emu/base/args.h"
#include "emu/log/event_log.h"

static void file_take(struct cmd_gpu *to)
{
    const struct gpu *gpu = gpu_file_gpu(to->file);

    to->name = gpu->name;
    to->described = gpu->description ? gpu : NULL;
}

bool cmd_gpu_take(struct args *args, struct cmd_gpu *to)
{
    struct gfe_error error = {0};

    cmd_gpu_fini(to);
    to->name = args->value;
    if (!gpu_file_is(args->value))
        return true;
    to->file = gpu_file_load(args->value, &error);
    if (!to->file) {
        args_failed(args, &error);
        return false;
    }
    file_take(to);
    return true;
}

bool cmd_gpu_of_log(const struct event_log_reader *log, struct cmd_gpu *to, struct gfe_error *error)
{
    json_t *head = event_log_head_take(log);

    *to = (struct cmd_gpu){.name = event_log_run(log, "gpu")};
    to->file = gpu_file_of_head(head, event_log_name(log), error);
    json_decref(head);
    if (to->file)
        file_take(to);
    return to->file || error->kind == ERROR_NONE;
}

bool cmd_gpu_limits(const struct event_log_reader *log, struct check_limits *limits, bool *known,
                    struct gfe_error *error)
{
    struct cmd_gpu gpu CMD_GPU_OWNED = {0};

    if (!cmd_gpu_of_log(log, &gpu, error))
        return false;
    *known = gpu_find_limits(gpu.name, gpu.described, limits);
    return true;
}

void cmd_gpu_fini(struct cmd_gpu *of)
{
    gpu_file_free(of->file);
    *of = (struct cmd_gpu){0};
}
