/* SPDX-License-Identifier: MIT */
/*
 * OpenGL's calls that wait for the GPU.  The driver waits in user mode, by polling memory, so
 * without these nothing in the trace would tell that the program waited.
 *
 * Seen are calls through the dynamic linker and through eglGetProcAddress().  Not seen is a
 * function that a program got with dlsym() from a library it opened itself: dlsym() finds its
 * caller by the return address, so a function in between would change what RTLD_NEXT means.
 * Replay then infers the wait.
 */
#include <config.h>

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "traces/record/record_preload.h"
#include "traces/record/record_process.h"

/* OpenGL's types and numbers, from the Khronos registry. */
typedef uint32_t gl_enum;
typedef void gl_procedure(void);
enum {
    GL_PIXEL_PACK_BUFFER_BINDING = 0x88ed,
    GL_ALREADY_SIGNALED = 0x911a,
    GL_CONDITION_SATISFIED = 0x911c,
};

RECORD_EXPORT void glFinish(void);
RECORD_EXPORT gl_enum glClientWaitSync(void *sync, uint32_t flags, uint64_t timeout_ns);
RECORD_EXPORT void glReadPixels(int32_t x, int32_t y, int32_t width, int32_t height, gl_enum format,
                                gl_enum type, void *pixels);
RECORD_EXPORT gl_procedure *eglGetProcAddress(const char *name);

/* The library's function; it may have been opened so that only its opener sees it. */
static void *next_find(const char *name)
{
    static const char *const libraries[] = {"libGLESv2.so.2", "libOpenGL.so.0", "libGL.so.1",
                                            "libEGL.so.1"};
    void *found = dlsym(RTLD_NEXT, name);

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0] && !found; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

        if (!library)
            continue;
        found = dlsym(library, name);
        dlclose(library); /* our reference; the program has its own */
    }
    return found;
}

void glFinish(void)
{
    struct record_process_wait wait;
    void *found = next_find("glFinish");
    void (*next)(void);

    memcpy(&next, &found, sizeof next);
    if (!next)
        return;
    if (!record_process_wait_begin(&wait)) {
        next();
        return;
    }
    next();
    record_process_wait_end(&wait, "glFinish");
}

gl_enum glClientWaitSync(void *sync, uint32_t flags, uint64_t timeout_ns)
{
    struct record_process_wait wait;
    void *found = next_find("glClientWaitSync");
    gl_enum (*next)(void *, uint32_t, uint64_t);
    bool recording;
    gl_enum result;

    memcpy(&next, &found, sizeof next);
    if (!next)
        return 0;
    recording = record_process_wait_begin(&wait);
    result = next(sync, flags, timeout_ns);
    /* A timeout, or a question with timeout 0 and the answer no, saw no completion. */
    if (recording && (result == GL_ALREADY_SIGNALED || result == GL_CONDITION_SATISFIED))
        record_process_wait_end(&wait, "glClientWaitSync");
    return result;
}

/* Returns true if a pixel pack buffer is bound: the GPU copies then, and the call does not wait. */
static bool pack_buffer_bound(void)
{
    void *found = next_find("glGetIntegerv");
    void (*get)(gl_enum, int32_t *);
    int32_t buffer = 0;

    memcpy(&get, &found, sizeof get);
    if (get)
        get(GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
    return buffer != 0;
}

void glReadPixels(int32_t x, int32_t y, int32_t width, int32_t height, gl_enum format, gl_enum type,
                  void *pixels)
{
    struct record_process_wait wait;
    void *found = next_find("glReadPixels");
    void (*next)(int32_t, int32_t, int32_t, int32_t, gl_enum, gl_enum, void *);
    bool recording;

    memcpy(&next, &found, sizeof next);
    if (!next)
        return;
    recording = record_process_wait_begin(&wait) && !pack_buffer_bound();
    next(x, y, width, height, format, type, pixels);
    if (recording)
        record_process_wait_end(&wait, "glReadPixels");
}

/* The functions above, for what the library would have returned. */
static gl_procedure *hooked(const char *name)
{
    if (strcmp(name, "glFinish") == 0)
        return (gl_procedure *)glFinish;
    if (strcmp(name, "glClientWaitSync") == 0)
        return (gl_procedure *)glClientWaitSync;
    if (strcmp(name, "glReadPixels") == 0)
        return (gl_procedure *)glReadPixels;
    return NULL;
}

gl_procedure *eglGetProcAddress(const char *name)
{
    void *found = next_find("eglGetProcAddress");
    gl_procedure *(*next)(const char *);
    gl_procedure *result, *ours;

    memcpy(&next, &found, sizeof next);
    if (!next)
        return NULL;
    result = next(name);
    ours = result && name ? hooked(name) : NULL;
    /* Ours only if it can find its way on. */
    return ours && next_find(name) ? ours : result;
}
