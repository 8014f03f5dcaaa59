/* SPDX-License-Identifier: MIT */
/*
 * The public interface of libgfe, and the only header that is installed. Everything that it
 * declares begins with gfe_ or GFE_; the libraries export these symbols and no others.
 *
 * A simulation replays a recorded command stream (.gft, made by `gfe record`) through a
 * register-level model of the GPU that it was recorded for. It can be run in steps, looked into and
 * poked through registers and memory, taken and restored, and its event log written to a file that
 * `gfe show` draws:
 *
 *     char message[512];
 *     struct gfe_simulation *simulation =
 *         gfe_simulation_open("app.gft", NULL, message, sizeof message);
 *     gfe_simulation_run(simulation, UINT64_MAX);
 *     gfe_simulation_write_log(simulation, "app.gfl");
 *     gfe_simulation_close(simulation);
 *
 * Times are picoseconds of simulated time since the start of the recording. Nothing here prints,
 * exits or keeps global state; different simulations may be used from different threads, one
 * simulation and its snapshots from one at a time.
 */
#ifndef GFE_H
#define GFE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GFE_API __attribute__((visibility("default")))
#else
#define GFE_API
#endif

/* The version of the library, such as "0.1.0". A constant; never NULL. */
GFE_API const char *gfe_version(void);

/* ---- a simulation ---------------------------------------------------------------------------- */

struct gfe_simulation;

struct gfe_options {
    size_t size;          /* sizeof(struct gfe_options): members may be added at the end */
    const char *gpu;      /* NULL: the one that the trace names */
    uint64_t seed;        /* of the choice points that are decided by chance */
    int open_loop;        /* nonzero: keep the program's recorded times */
    uint32_t batch_limit; /* private steps of a unit per event; 0: no limit */
    uint32_t reserved;    /* 0 */
    /* A run that would pass one of these stops with a message; 0: no bound of the user's. */
    uint64_t max_events;
    uint64_t max_time_ps;
    uint64_t max_memory_bytes; /* guest memory that was written to */
};

/* Opens a trace and wires a machine; options may be NULL. On failure returns NULL and writes one
 * line into message (message_bytes may be 0). */
GFE_API struct gfe_simulation *gfe_simulation_open(const char *trace_path,
                                                   const struct gfe_options *options, char *message,
                                                   size_t message_bytes);
/* Runs all events before until_ps (UINT64_MAX: to the end). Returns 1 when events are left, 0 when
 * nothing is left to do, -1 when the run had to stop: gfe_simulation_message() says why. */
GFE_API int gfe_simulation_run(struct gfe_simulation *simulation, uint64_t until_ps);
/* Handles one event. Returns as gfe_simulation_run(). */
GFE_API int gfe_simulation_step(struct gfe_simulation *simulation);
/* Simulated time of the last event handled. */
GFE_API uint64_t gfe_simulation_time_ps(const struct gfe_simulation *simulation);
/* The last failure as one line, "" when there was none. Owned by the simulation. */
GFE_API const char *gfe_simulation_message(const struct gfe_simulation *simulation);
/* Of the completion values that the recording ended with: how many were looked up, and how many the
 * replay reached. Complete when gfe_simulation_run() has returned 0. */
GFE_API void gfe_simulation_fences(const struct gfe_simulation *simulation, uint32_t *count,
                                   uint32_t *reached_count);
/* Writes the event log so far (.gfl); the file appears when it is complete. 0, or -1 with a
 * message. */
GFE_API int gfe_simulation_write_log(struct gfe_simulation *simulation, const char *path);
/* Frees it; NULL is allowed. */
GFE_API void gfe_simulation_close(struct gfe_simulation *simulation);

/* ---- looking into it ------------------------------------------------------------------------- */

enum gfe_aperture { GFE_VIDEO_MEMORY, GFE_SYSTEM_MEMORY };

/* A register of BAR0, with all side effects that the CPU's access would have. offset is a multiple
 * of 4. */
GFE_API uint32_t gfe_simulation_read_register(struct gfe_simulation *simulation, uint32_t offset);
GFE_API void gfe_simulation_write_register(struct gfe_simulation *simulation, uint32_t offset,
                                           uint32_t value);
/* Guest memory by physical address. 0, or -1 when the range lies outside the aperture. */
GFE_API int gfe_simulation_read_memory(struct gfe_simulation *simulation,
                                       enum gfe_aperture aperture, uint64_t address, void *data,
                                       size_t bytes);
GFE_API int gfe_simulation_write_memory(struct gfe_simulation *simulation,
                                        enum gfe_aperture aperture, uint64_t address,
                                        const void *data, size_t bytes);

/* ---- snapshots ------------------------------------------------------------------------------- */

struct gfe_snapshot;

/* The whole state with memory and the log so far, between two events. It costs what has changed
 * since the last snapshot taken or restored. NULL with a message when memory is short. The caller
 * frees it, also after the simulation was closed. */
GFE_API struct gfe_snapshot *gfe_simulation_take(struct gfe_simulation *simulation);
/* Into the simulation that it was taken of, or another of the same trace, GPU, seed, loop and
 * version, which then goes on as the first did. 0, or -1 with a message: it does not fit (nothing
 * is changed), or memory is short (the simulation can then only be restored again or closed). */
GFE_API int gfe_simulation_restore(struct gfe_simulation *simulation,
                                   const struct gfe_snapshot *snapshot);
/* Writes a snapshot to a file (.gfs), which appears when it is complete. 0, or -1 with one line in
 * message (message_bytes may be 0). */
GFE_API int gfe_snapshot_save(const struct gfe_snapshot *snapshot, const char *path, char *message,
                              size_t message_bytes);
/* Reads one, for gfe_simulation_restore() in this or another process on the same kind of machine.
 * NULL with one line in message when it is none or damaged. A file's contents are believed as a
 * program's own memory is: load only files of those whose programs you would run. */
GFE_API struct gfe_snapshot *gfe_snapshot_load(const char *path, char *message,
                                               size_t message_bytes);
/* Simulated time at which it was taken. */
GFE_API uint64_t gfe_snapshot_time_ps(const struct gfe_snapshot *snapshot);
/* Frees it; NULL is allowed. */
GFE_API void gfe_snapshot_free(struct gfe_snapshot *snapshot);
/* SHA-256 of state and memory as 64 hexadecimal digits and a terminator; "" when memory is short.
 */
GFE_API void gfe_simulation_hash(struct gfe_simulation *simulation, char hex[65]);

#ifdef __cplusplus
}
#endif

#endif
