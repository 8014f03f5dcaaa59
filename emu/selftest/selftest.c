/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/selftest.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "emu/base/retry.h"

enum { MILLION = 1000000 };

const char *selftest_name(const struct selftest_verdict *verdict)
{
    switch (verdict->result) {
    case SELFTEST_HOLDS:
        return "holds";
    case SELFTEST_BROKEN:
        return invariants[verdict->invariant].name;
    case SELFTEST_REFUSED:
        return "refused";
    case SELFTEST_NO_TRY:
        return "memory";
    default:
        return "crash";
    }
}

/* ---- here ------------------------------------------------------------------------------------ */

static void refuse(struct selftest_verdict *verdict, const struct gfe_error *error)
{
    verdict->result = error->kind == ERROR_SYSTEM ? SELFTEST_NO_TRY : SELFTEST_REFUSED;
    (void)snprintf(verdict->says, sizeof verdict->says, "%.230s", error->text);
}

static void judge(const struct world_run *run, struct selftest_verdict *verdict)
{
    for (uint32_t i = 0; i < invariant_count; i++) {
        if (invariants[i].needs_end && run->stopped.kind != ERROR_NONE)
            continue;
        if (invariants[i].holds(run, verdict->says))
            continue;
        verdict->result = SELFTEST_BROKEN;
        verdict->invariant = i;
        return;
    }
    verdict->result = SELFTEST_HOLDS;
}

/* "snapshot": where the snapshot is taken, in millionths of the run's events. */
static uint64_t snapshot_at(const json_t *world, uint64_t event_count)
{
    const json_int_t ppm = json_integer_value(json_object_get(world, "snapshot"));

    return event_count * (uint64_t)(ppm < 0 || ppm > MILLION ? 0 : ppm) / MILLION;
}

void selftest_try(const json_t *world, struct selftest_verdict *verdict)
{
    struct world_loaded loaded = {.fd = -1};
    struct world_run run = {.log_fd = -1};
    struct gfe_error error = {0};
    const char *gpu = world_gpu(world);

    *verdict = (struct selftest_verdict){.kind = world_kind(world),
                                         .disturbance = world_disturbance(world)};
    (void)snprintf(verdict->gpu, sizeof verdict->gpu, "%s", gpu ? gpu : "");
    if (!world_load(&loaded, world, &error) || !world_run_make(&run, &loaded, &error)) {
        refuse(verdict, &error);
    } else {
        verdict->event_count = machine_event_count(run.simulation.machine);
        run.snapshot_at = snapshot_at(world, verdict->event_count);
        judge(&run, verdict);
    }
    world_run_fini(&run);
    world_unload(&loaded);
}

/* ---- in a child process ---------------------------------------------------------------------- */

static void child(uint64_t seed, const json_t *world, struct selftest_verdict *verdict)
{
    const struct rlimit core = {0}, processor = {SELFTEST_SECONDS, SELFTEST_SECONDS + 5};
    struct selftest_verdict mine = {.result = SELFTEST_CRASH};
    struct gfe_error error = {0};
    json_t *made = NULL;

    (void)setrlimit(RLIMIT_CORE, &core);
    (void)setrlimit(RLIMIT_CPU, &processor);
    if (!world)
        world = made = world_make(seed, &error);
    if (world)
        selftest_try(world, &mine);
    else
        refuse(&mine, &error);
    json_decref(made);
    *verdict = mine;
}

/* The child writes its verdict into memory that both share; if it dies, the verdict is a crash. */
static bool guarded(uint64_t seed, const json_t *world, struct selftest_verdict *verdict,
                    struct gfe_error *error)
{
    struct selftest_verdict *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;
    pid_t pid, ended;

    if (shared == MAP_FAILED)
        return error_set_errno(error, errno, "no memory for a verdict");
    (void)fflush(NULL);
    pid = fork();
    if (pid == 0) {
        child(seed, world, shared);
        _exit(0);
    }
    if (pid > 0)
        RETRY(ended, waitpid(pid, &status, 0));
    else
        error_set_errno(error, errno, "no process for a world");
    *verdict = *shared;
    if (verdict->result == SELFTEST_CRASH && WIFSIGNALED(status))
        (void)snprintf(verdict->says, sizeof verdict->says, "the process died of signal %d, %s",
                       WTERMSIG(status), strsignal(WTERMSIG(status)));
    (void)munmap(shared, sizeof *shared);
    return pid > 0;
}

bool selftest_seed(uint64_t seed, struct selftest_verdict *verdict, struct gfe_error *error)
{
    return guarded(seed, NULL, verdict, error);
}

bool selftest_world(const json_t *world, struct selftest_verdict *verdict, struct gfe_error *error)
{
    return guarded(0, world, verdict, error);
}
