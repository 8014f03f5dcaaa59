/* SPDX-License-Identifier: MIT */
/*
 * The public interface of libgfe, and the only header that is installed.  All its names begin with
 * gfe_ or GFE_; the libraries export these functions and no others.
 *
 * A simulation replays a recorded command stream (.gft, made by `gfe record`) through a
 * register-level model of the GPU that it was recorded for.  A program can run it in steps, read
 * and write the GPU's registers and memory, and take and restore snapshots.  `gfe show` draws the
 * event log that a simulation writes:
 *
 *     char message[512];
 *     struct gfe_simulation *simulation =
 *         gfe_simulation_open("app.gft", NULL, message, sizeof message);
 *     gfe_simulation_run(simulation, UINT64_MAX);
 *     gfe_simulation_write_log(simulation, "app.gfl");
 *     gfe_simulation_close(simulation);
 *
 * Times are picoseconds (ps) of simulated time since the start of the recording.  No function
 * prints, exits or keeps global state.  Different threads may use different simulations.  Only one
 * thread at a time may use one simulation and its snapshots.
 *
 * "With a message" means one line that says what is wrong.  A function with the argument `message`
 * writes it there, terminated and cut to message_bytes, which may be 0.  For the other functions
 * gfe_simulation_message() returns it.
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

/* Returns the version of the library, such as "0.1.0".  The string is a constant; never NULL. */
GFE_API const char *gfe_version(void);

/* ---- a simulation ---------------------------------------------------------------------------- */

/* A simulation, made by gfe_simulation_open() and freed by gfe_simulation_close(). */
struct gfe_simulation;

/* Options of gfe_simulation_open().  Zero the struct, set `size`, then the members that you need.
 * Zero is the default of every member except `size`. */
struct gfe_options {
    size_t size; /* sizeof(struct gfe_options): later versions may add members at the end */
    /* name of a GPU, as `gfe gpus` lists them, or the path of a GPU file (docs/gpu-files.md); NULL:
     * the trace's own GPU */
    const char *gpu;
    uint64_t seed;        /* of the choice points that are decided at random */
    int open_loop;        /* nonzero: keep the program's recorded times */
    uint32_t batch_limit; /* most private steps of a unit in one event; 0: no limit.  It never
                             changes the event log */
    uint32_t reserved;    /* must be 0 */
    /* Limits of a run.  A run that would exceed one stops with a message.  0 means that the user
     * sets no limit. */
    uint64_t max_events;
    uint64_t max_time_ps;
    uint64_t max_memory_bytes; /* guest memory that was written to */
};

/* Opens a trace and makes a simulation of it at time 0.  `options` may be NULL for the defaults.
 * Returns a simulation that the caller closes, or NULL with one line in message. */
GFE_API struct gfe_simulation *gfe_simulation_open(const char *trace_path,
                                                   const struct gfe_options *options, char *message,
                                                   size_t message_bytes);
/* Runs all events before until_ps; UINT64_MAX runs to the end.  Returns 1 if events are left, and 0
 * if the simulation has ended.  Returns -1 if the run had to stop; gfe_simulation_message() says
 * why. */
GFE_API int gfe_simulation_run(struct gfe_simulation *simulation, uint64_t until_ps);
/* Handles one event.  Returns the same values as gfe_simulation_run(). */
GFE_API int gfe_simulation_step(struct gfe_simulation *simulation);
/* Returns the simulated time in ps of the last event that was handled. */
GFE_API uint64_t gfe_simulation_time_ps(const struct gfe_simulation *simulation);
/* Returns the message of the last run, step, write_log, take or restore as one line.  "" means that
 * it succeeded.  The simulation owns the string, which is valid until the next of these calls. */
GFE_API const char *gfe_simulation_message(const struct gfe_simulation *simulation);
/* Compares the replay with the completion values that the recording ended with.  *count is how many
 * of them were looked up, and *reached_count how many of these the replay reached.  Both are final
 * once gfe_simulation_run() has returned 0. */
GFE_API void gfe_simulation_fences(const struct gfe_simulation *simulation, uint32_t *count,
                                   uint32_t *reached_count);
/* Writes the event log so far to a file (.gfl), which appears only once it is complete.  Returns 0,
 * or -1 with a message. */
GFE_API int gfe_simulation_write_log(struct gfe_simulation *simulation, const char *path);
/* Closes and frees the simulation.  NULL is allowed. */
GFE_API void gfe_simulation_close(struct gfe_simulation *simulation);

/* ---- registers and memory -------------------------------------------------------------------- */

enum gfe_aperture { GFE_VIDEO_MEMORY, GFE_SYSTEM_MEMORY };

/* Read and write a register of BAR0, with all side effects that the CPU's access would have.
 * `offset` is in bytes from the beginning of BAR0, a multiple of 4. */
GFE_API uint32_t gfe_simulation_read_register(struct gfe_simulation *simulation, uint32_t offset);
GFE_API void gfe_simulation_write_register(struct gfe_simulation *simulation, uint32_t offset,
                                           uint32_t value);
/* Read and write guest memory by physical address.  Return 0, or -1 if the range lies outside the
 * aperture. */
GFE_API int gfe_simulation_read_memory(struct gfe_simulation *simulation,
                                       enum gfe_aperture aperture, uint64_t address, void *data,
                                       size_t bytes);
GFE_API int gfe_simulation_write_memory(struct gfe_simulation *simulation,
                                        enum gfe_aperture aperture, uint64_t address,
                                        const void *data, size_t bytes);

/* ---- snapshots ------------------------------------------------------------------------------- */

/* A snapshot, made by gfe_simulation_take() or gfe_snapshot_load() and freed by
 * gfe_snapshot_free().
 */
struct gfe_snapshot;

/* Takes a snapshot of the whole state with memory and the log so far, between two events.  Its cost
 * grows with the changes since the last snapshot that was taken or restored.  Returns NULL with a
 * message if memory is short.  The caller frees the snapshot; it stays valid after the simulation
 * was closed. */
GFE_API struct gfe_snapshot *gfe_simulation_take(struct gfe_simulation *simulation);
/* Restores a snapshot into the simulation that it was taken of, or into another one of the same
 * trace, GPU, seed, open_loop and version.  The simulation then goes on as the first did.  Returns
 * 0, or -1 with a message.  If the snapshot does not fit, the simulation is unchanged.  If memory
 * is short, the simulation can only be restored again or closed. */
GFE_API int gfe_simulation_restore(struct gfe_simulation *simulation,
                                   const struct gfe_snapshot *snapshot);
/* Writes a snapshot to a file (.gfs), which appears only once it is complete.  Returns 0, or -1
 * with one line in message. */
GFE_API int gfe_snapshot_save(const struct gfe_snapshot *snapshot, const char *path, char *message,
                              size_t message_bytes);
/* Reads a snapshot from a file, for gfe_simulation_restore() in this or another process on the same
 * kind of machine.  Returns a snapshot that the caller frees.  Returns NULL with one line in
 * message if the file is no snapshot or is damaged.  The contents of the file are trusted like the
 * program's own memory: load only files from people whose programs you would run. */
GFE_API struct gfe_snapshot *gfe_snapshot_load(const char *path, char *message,
                                               size_t message_bytes);
/* Returns the simulated time in ps at which the snapshot was taken. */
GFE_API uint64_t gfe_snapshot_time_ps(const struct gfe_snapshot *snapshot);
/* Frees the snapshot.  NULL is allowed. */
GFE_API void gfe_snapshot_free(struct gfe_snapshot *snapshot);
/* Writes the SHA-256 of the simulation's state and memory as 64 hexadecimal digits and a
 * terminator. Writes "" if memory is short. */
GFE_API void gfe_simulation_hash(struct gfe_simulation *simulation, char hex[65]);

#ifdef __cplusplus
}
#endif

#endif
