/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_workers.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emu/faults/campaign_prune.h"

/* A range is to take about RANGE_MS: long enough to find experiments with the same start, and short
 * enough for all to end at about the same time; and it is at most that part of what is left. */
enum {
    RANGE_MIN = 16,
    RANGE_FIRST = 64,
    RANGE_MS = 100,
    SHARES = 4,
    LOOK_MS = 100,
    SEND_MS = 50,
    BATCH_BYTES = 1 << 16,
    PIPE_BYTES = 1 << 20, /* so that a worker goes on while we wait for the disk */
};

/* ---- one experiment -------------------------------------------------------------------------- */

/* Others of the owner's kind that were affected. */
static void row_victims(struct campaign_row *row, const struct outcome *outcome)
{
    if (!(outcome->classes >> OUTCOME_COLLATERAL & 1))
        return;
    for (uint32_t i = 0; i < outcome->victim_count && i < OUTCOME_VICTIMS_MAX; i++)
        if (outcome->victims[i].reach != OUTCOME_REACH_NONE) {
            row->reaches[row->victim_count] = outcome->victims[i].reach;
            row->victims[row->victim_count++] = outcome->victims[i].who;
        }
}

static void row_set(struct campaign_row *row, const struct campaign_result *result)
{
    const struct outcome *outcome = &result->outcome;

    row->outcome = outcome->most;
    row->classes = outcome->classes;
    row->recovered = outcome->recovered;
    row->different = outcome->different;
    row->missing = outcome->missing;
    row->extra = outcome->extra;
    row->late = outcome->late;
    row->acted = result->acted;
    row->activated = result->activated;
    row->first_ps = result->acted > 0 ? result->first_ps : GFE_PS_NEVER;
    row->latency_ps = outcome->latency_ps;
    row->latest_ps = outcome->latest_ps;
    row->memory_words = outcome->memory_words;
    row->reach = outcome->reach;
    row->owners = result->owners;
    row->pruned = result->pruned;
    if (outcome->detected_by)
        (void)snprintf(row->detected_by, sizeof row->detected_by, "%s", outcome->detected_by);
    row_victims(row, outcome);
}

/* The faults of an experiment, and the run that they are for. */
static bool work_faults(const struct campaign_space *space, uint64_t id, uint32_t *stratum,
                        char text[INJECT_SET_MAX], struct inject_fault *faults, uint32_t *count,
                        struct gfe_error *error)
{
    const struct machine *machine;

    *count = 0;
    *stratum = campaign_space_fault(space, id, text);
    machine = space->runs[space->strata[*stratum].program]->simulation.machine;
    return inject_parse_set(machine, &machine->inject->sites, text, faults, count,
                            INJECT_FAULTS_MAX, error);
}

bool campaign_work_one(const struct campaign_space *space, uint64_t id, struct campaign_row *row,
                       struct gfe_error *error)
{
    struct inject_fault faults[INJECT_FAULTS_MAX];
    struct campaign_result result;
    uint32_t count;

    memset(row, 0, offsetof(struct campaign_row, fault)); /* the text is long, and written next */
    row->id = id;
    if (!work_faults(space, id, &row->stratum, row->fault, faults, &count, error) ||
        !campaign_run_make(space->runs[space->strata[row->stratum].program], faults, count, &result,
                           error))
        return false;
    row_set(row, &result);
    return true;
}

/* ---- their order ----------------------------------------------------------------------------- */

struct place {
    uint64_t id;
    uint32_t program, point;
};

static int place_order(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->program != y->program)
        return x->program < y->program ? -1 : 1;
    if (x->point != y->point)
        return x->point < y->point ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

void campaign_work_order(const struct campaign_space *space, uint64_t first, uint64_t last,
                         uint64_t *ids)
{
    struct place places[CAMPAIGN_RANGE_MAX];
    const uint32_t count = (uint32_t)(last - first);
    char text[INJECT_SET_MAX];
    struct gfe_error error = {0};
    struct inject_fault faults[INJECT_FAULTS_MAX];

    assert(count <= CAMPAIGN_RANGE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t stratum, fault_count;
        const bool good =
            work_faults(space, first + i, &stratum, text, faults, &fault_count, &error);
        const uint32_t program = space->strata[stratum].program;

        places[i] = (struct place){.id = first + i, .program = program};
        if (good)
            places[i].point = campaign_start(space->runs[program], faults, fault_count).point;
    }
    qsort(places, count, sizeof places[0], place_order);
    for (uint32_t i = 0; i < count; i++)
        ids[i] = places[i].id;
}

/* ---- pipes ----------------------------------------------------------------------------------- */

static bool write_all(int fd, const void *data, size_t bytes)
{
    const char *at = data;

    while (bytes > 0) {
        const ssize_t count = write(fd, at, bytes);

        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0) {
            at += count;
            bytes -= (size_t)count;
        }
    }
    return true;
}

/* Reads all bytes.  Returns false if the other side has closed the pipe. */
static bool read_all(int fd, void *data, size_t bytes)
{
    char *at = data;

    while (bytes > 0) {
        const ssize_t count = read(fd, at, bytes);

        if (count == 0 || (count < 0 && errno != EINTR))
            return false;
        if (count > 0) {
            at += count;
            bytes -= (size_t)count;
        }
    }
    return true;
}

/* ---- the workers' side ----------------------------------------------------------------------- */

struct range {
    uint64_t first, last;
};

static int64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What goes back at once: rows one behind the other, each without the unused end of its text. */
struct batch {
    uint64_t bytes;
    uint8_t data[BATCH_BYTES];
};

static void batch_send(struct batch *batch, int to)
{
    if (batch->bytes > 0 &&
        !write_all(to, batch, offsetof(struct batch, data) + (size_t)batch->bytes))
        _exit(1); /* the parent has closed the pipe */
    batch->bytes = 0;
}

static void batch_add(struct batch *batch, const struct campaign_row *row, int to)
{
    const size_t bytes = offsetof(struct campaign_row, fault) + strlen(row->fault) + 1;

    if (bytes > BATCH_BYTES - batch->bytes)
        batch_send(batch, to);
    memcpy(batch->data + batch->bytes, row, bytes);
    batch->bytes += bytes;
}

/* The next row of a batch from *at on. */
static void batch_next(const struct batch *batch, uint64_t *at, struct campaign_row *row)
{
    const size_t head = offsetof(struct campaign_row, fault);

    memcpy(row, batch->data + *at, head);
    (void)snprintf(row->fault, sizeof row->fault, "%s", (const char *)batch->data + *at + head);
    *at += head + strlen(row->fault) + 1;
}

/* `at` is where we say, for who finds us dead, which experiment is being made. */
static _Noreturn void worker_main(const struct campaign_space *space, int from, int to,
                                  volatile uint64_t *at)
{
    struct batch batch = {.bytes = 0};
    struct gfe_error error = {0};
    uint64_t ids[CAMPAIGN_RANGE_MAX];
    struct campaign_row row;
    struct range range;

    while (read_all(from, &range, sizeof range)) {
        const uint64_t count = range.last - range.first;
        int64_t sent_ms = now_ms();

        campaign_work_order(space, range.first, range.last, ids);
        for (uint64_t i = 0; i < count; i++) {
            *at = ids[i];
            if (!campaign_work_one(space, ids[i], &row, &error)) {
                fprintf(stderr, "gfe: experiment %" PRIu64 ": %s\n", ids[i], error.text);
                _exit(1);
            }
            batch_add(&batch, &row, to);
            if (i + 1 == count || now_ms() - sent_ms >= SEND_MS) {
                batch_send(&batch, to);
                sent_ms = now_ms();
            }
        }
    }
    _exit(0);
}

/* ---- our side -------------------------------------------------------------------------------- */

struct worker {
    pid_t pid;
    int to, from;  /* pipes; -1: closed */
    uint64_t left; /* of its ranges, what it has not given back */
    uint64_t last; /* length of the last one */
    uint64_t most; /* of the next one */
    int64_t fed_ms;
    volatile uint64_t *at; /* shared with it */
};

static bool worker_start(struct worker *workers, uint32_t index, const struct campaign_space *space,
                         struct gfe_error *error)
{
    struct worker *worker = &workers[index];
    int there[2] = {-1, -1}, back[2] = {-1, -1};

    if (pipe(there) != 0 || pipe(back) != 0 || (worker->pid = fork()) < 0) {
        error_set_errno(error, errno, "cannot start a process for experiments");
        for (int i = 0; i < 2; i++) {
            (void)close(there[i]);
            (void)close(back[i]);
        }
        worker->pid = 0;
        return false;
    }
    if (worker->pid == 0) {
        for (uint32_t i = 0; i < index; i++) {
            (void)close(workers[i].to);
            (void)close(workers[i].from);
        }
        (void)close(there[1]);
        (void)close(back[0]);
        worker_main(space, there[0], back[1], worker->at);
    }
#ifdef F_SETPIPE_SZ
    (void)fcntl(back[0], F_SETPIPE_SZ, PIPE_BYTES); /* or it stays as it is */
#endif
    (void)close(there[0]);
    (void)close(back[1]);
    worker->to = there[1];
    worker->from = back[0];
    return true;
}

/* How long the next range is to be.  What is left is shared out in smaller and smaller pieces, so
 * that all end at about the same time. */
static uint64_t worker_most(struct worker *worker, const struct campaign_work *work, uint32_t count)
{
    const int64_t now = now_ms(), took_ms = now - worker->fed_ms;
    const uint64_t share = work->left(work->context) / ((uint64_t)SHARES * count);

    if (worker->most == 0)
        worker->most = RANGE_FIRST;
    else if (took_ms < RANGE_MS / 2 && worker->most < CAMPAIGN_RANGE_MAX)
        worker->most *= 2;
    else if (took_ms > 2 * RANGE_MS && worker->most > RANGE_MIN)
        worker->most /= 2;
    worker->fed_ms = now;
    return share >= worker->most ? worker->most : share > RANGE_MIN ? share : RANGE_MIN;
}

/* Sends the worker its next range ahead of time, so that it never waits for one.  If no range is
 * left, closes the pipe. */
static void worker_feed(struct worker *worker, const struct campaign_work *work, uint32_t count)
{
    struct range range;

    while (worker->to >= 0 && worker->left <= worker->last) {
        if (work->next(work->context, worker_most(worker, work, count), &range.first,
                       &range.last)) {
            worker->last = range.last - range.first;
            worker->left += worker->last;
            (void)write_all(worker->to, &range, sizeof range);
        } else {
            (void)close(worker->to);
            worker->to = -1;
        }
    }
}

/* It has closed its side: at its end, or in the middle of an experiment. */
static bool worker_ends(struct worker *worker, const struct campaign_work *work,
                        struct gfe_error *error)
{
    char text[INJECT_SET_MAX];
    int status = 0;

    while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    worker->pid = 0;
    (void)close(worker->from);
    worker->from = -1;
    if (worker->left == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    (void)campaign_space_fault(work->space, *worker->at, text);
    return error_set(error, ERROR_SYSTEM,
                     "experiment %" PRIu64 ", '%.120s', ended its process (%s %d)", *worker->at,
                     text, WIFSIGNALED(status) ? "signal" : "status",
                     WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static bool worker_hear(struct worker *worker, const struct campaign_work *work, uint32_t count,
                        struct gfe_error *error)
{
    struct batch batch;
    struct campaign_row row;
    uint64_t at = 0;

    if (!read_all(worker->from, &batch.bytes, sizeof batch.bytes) ||
        !read_all(worker->from, batch.data, (size_t)batch.bytes))
        return worker_ends(worker, work, error);
    while (at < batch.bytes) {
        batch_next(&batch, &at, &row);
        worker->left--;
        if (!work->done(work->context, &row, error))
            return false;
    }
    worker_feed(worker, work, count);
    return true;
}

static bool workers_poll(struct worker *workers, uint32_t count, const struct campaign_work *work,
                         bool *any, struct gfe_error *error)
{
    struct pollfd polled[CAMPAIGN_WORKERS_MAX];

    *any = false;
    for (uint32_t i = 0; i < count; i++) {
        polled[i] = (struct pollfd){.fd = workers[i].from, .events = POLLIN};
        *any |= workers[i].from >= 0;
    }
    if (!*any)
        return true;
    if (poll(polled, count, LOOK_MS) < 0 && errno != EINTR)
        return error_set_errno(error, errno, "cannot hear of experiments");
    for (uint32_t i = 0; i < count; i++)
        if (workers[i].from >= 0 && (polled[i].revents & (POLLIN | POLLHUP)) &&
            !worker_hear(&workers[i], work, count, error))
            return false;
    return work->look(work->context, error);
}

static void workers_stop(struct worker *workers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (workers[i].to >= 0)
            (void)close(workers[i].to);
        if (workers[i].from >= 0)
            (void)close(workers[i].from);
        if (workers[i].pid <= 0)
            continue;
        (void)kill(workers[i].pid, SIGKILL);
        (void)waitpid(workers[i].pid, NULL, 0);
    }
}

bool campaign_work(const struct campaign_work *work, uint32_t count, struct gfe_error *error)
{
    struct worker workers[CAMPAIGN_WORKERS_MAX];
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    bool good = true, any = true;
    uint32_t started = 0;
    volatile uint64_t *at = mmap(NULL, CAMPAIGN_WORKERS_MAX * sizeof *at, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED)
        return error_set_errno(error, errno, "cannot start processes for experiments");
    (void)sigaction(SIGPIPE, &ignore, &before);
    for (; good && started < count; started++) {
        workers[started] = (struct worker){.to = -1, .from = -1, .at = &at[started]};
        good = worker_start(workers, started, work->space, error);
        if (good)
            worker_feed(&workers[started], work, count);
    }
    while (good && any)
        good = workers_poll(workers, count, work, &any, error);
    workers_stop(workers, started);
    (void)munmap((void *)(uintptr_t)at, CAMPAIGN_WORKERS_MAX * sizeof *at);
    (void)sigaction(SIGPIPE, &before, NULL);
    return good;
}
