/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_hip.h"
#include "tests/event_member.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "firmware-models/hip/hip_tables.h"

static void check_hip_set(struct machine *machine, const char *setting)
{
    const char *equals = strchr(setting, '=');
    char *id = strndup(setting, (size_t)(equals - setting));

    ck_assert_msg(machine_set_choice(machine, id, equals + 1) ||
                      machine_set_parameter(machine, id, strtoull(equals + 1, NULL, 10)),
                  "%s", setting);
    free(id);
}

bool check_hip_wire(struct check_hip *check, const char *text, const char *const *settings,
                    uint64_t seed, struct gfe_error *error)
{
    const struct amd_chip *chip = amd_chip_by_name("radeon-vii");
    const struct machine_config config = {.gpu = chip->name,
                                          .vram_bytes = chip->vram_bytes,
                                          .sysmem_bytes = chip->sysmem_bytes,
                                          .seed = seed};

    memset(check, 0, sizeof *check);
    check->config = hip_config_parse(text, strlen(text), "c.json", error);
    ck_assert_msg(check->config != NULL, "%s", error->text);
    check->machine = machine_new(&config, error);
    ck_assert_ptr_nonnull(check->machine);
    check->log.machine = check->machine;
    machine_add_tables(check->machine, &hip_tables);
    ck_assert(amd_node_wire(&check->node, check->machine, chip));
    hip_threads_wire(&check->threads, &check->node, check->config);
    for (; settings && *settings; settings++)
        check_hip_set(check->machine, *settings);
    ck_assert_msg(machine_seal(check->machine, error), "%s", error->text);
    return hip_threads_check(&check->threads, "c.json", error);
}

void check_hip_try(struct check_hip *check, const char *text, const char *const *settings,
                   uint64_t seed)
{
    struct gfe_error error = {0};

    ck_assert_msg(check_hip_wire(check, text, settings, seed, &error), "%s", error.text);
    (void)machine_run(check->machine, GFE_PS_NEVER);
    check_machine_read_log(&check->log);
}

void check_hip_run(struct check_hip *check, const char *text, const char *const *settings,
                   uint64_t seed)
{
    check_hip_try(check, text, settings, seed);
    ck_assert_msg(!machine_failed(check->machine), "%s", check->machine->error.text);
}

void check_hip_end(struct check_hip *check)
{
    free(check->log.events);
    hip_config_free(check->config);
    amd_node_unwire(&check->node);
    machine_free(check->machine);
    *check = (struct check_hip){0};
}

const struct log_event *check_hip_find(const struct check_hip *check, uint32_t kind, uint64_t first,
                                       uint32_t n)
{
    for (uint32_t i = 0; i < check->log.event_count; i++)
        if (check->log.events[i].kind == kind && event_first(&check->log.events[i]) == first &&
            n-- == 0)
            return &check->log.events[i];
    ck_abort_msg("no such event");
}
