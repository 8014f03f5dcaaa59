/* SPDX-License-Identifier: MIT
 *
 * Records what NVIDIA's CUDA driver submits, on a machine with the real GPU: a library for
 * LD_PRELOAD that stands between the driver's user-mode part and the kernel.
 *
 *     cc -shared -fPIC -O1 -o capture_cuda.so capture_cuda.c -ldl
 *     GFE_CAPTURE=out LD_PRELOAD=./capture_cuda.so PROGRAM      # writes out.PID.jsonl
 *
 * How it sees a submission.  From Volta on user mode submits by itself: it writes pushbuffers,
 * a GP entry for each into the channel's ring, the new GP_PUT into USERD, and then the
 * channel's token to NOTIFY_CHANNEL_PENDING of the usermode page (open-gpu-doc, clc361.h,
 * clc86f.h).  The library finds the rings in the allocations of channels (open-gpu-kernel-modules,
 * alloc_channel.h), takes the access rights off the usermode page, and when a store to it
 * faults it reads every ring whose entries have changed, notes what they point to, and lets
 * that one instruction go on with the trap flag set.
 *
 * What is written is a line of JSON per event, and only of what is about submission: which
 * classes are allocated with the parameters of channels and their groups, the controls of
 * channels and groups, doorbells with their GP entries and pushbuffers, QMDs that lie in
 * memory.  Identities (UUIDs, serial numbers, bus addresses, names) are never asked for.
 *
 * A program that maps memory past this library (through libc itself, as Python's ctypes does) is
 * seen all the same: the mapping is looked for in /proc/self/maps when the next ioctl comes.
 *
 * Not seen: stores of a second thread in the few instructions for which the page is open
 * (they come with the next doorbell); pushbuffers in memory that the CPU cannot read;
 * what work on the GPU submits by itself.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    CHANNELS = 256,
    MAPPINGS = 512,
    PAGES = 8,
    RING_ENTRIES = 4096,
    SEGMENT_BYTES = 1 << 16, /* of a pushbuffer; longer ones are cut off and say so */
    QMD_BYTES = 256,
    ESCAPE_ALLOC = 0x2b,
    ESCAPE_CONTROL = 0x2a,
    ESCAPE_MAP_MEMORY = 0x4e,
    TRAP_FLAG = 0x100,
};

struct channel {
    uint32_t client, handle, parent, class_id, entries, engine, flags, token;
    uint64_t ring, userd;
    uint64_t shadow[RING_ENTRIES];
    uint32_t put;
};

struct mapping {
    uint32_t handle;
    uint64_t address;
};

static struct channel *channels[CHANNELS];
static unsigned channel_count;
static struct mapping mappings[MAPPINGS];
static unsigned mapping_count;
static struct {
    uint8_t *address;
    size_t size;
} pages[PAGES];
static unsigned page_count;
static uint32_t usermode[PAGES];
static unsigned usermode_count;
/* set by MAP_MEMORY, used by the mmap() of that file that follows it */
static uint32_t next_handle;
static int next_fd = -1;
static int log_fd = -1, pipe_fd[2] = {-1, -1};
static unsigned long sequence, doorbells;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* One process at a time writes to out.PID.jsonl. */
static char *text;
static size_t text_size, text_room;

static void put_text(const char *form, ...)
{
    va_list list;

    va_start(list, form);
    if (text_room - text_size > 512) {
        text_size += (size_t)vsnprintf(text + text_size, text_room - text_size, form, list);
    }
    va_end(list);
}

static void put_hex(const void *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *bytes = data;

    for (size_t i = 0; i < size && text_room - text_size > 512; i++) {
        text[text_size++] = digits[bytes[i] >> 4];
        text[text_size++] = digits[bytes[i] & 15];
    }
}

static void begin(const char *type)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    text_size = 0;
    put_text("{\"type\":\"%s\",\"seq\":%lu,\"ns\":%llu,\"thread\":%ld", type, sequence++,
             (unsigned long long)now.tv_sec * 1000000000ULL + (unsigned long long)now.tv_nsec,
             syscall(SYS_gettid));
}

static void end_line(void)
{
    put_text("}\n");
    for (size_t at = 0; at < text_size;) {
        ssize_t n = write(log_fd, text + at, text_size - at);

        if (n <= 0) {
            break;
        }
        at += (size_t)n;
    }
}

/* Reads memory that may not be there: through a pipe, whose write() says EFAULT. */
static bool peek(uint64_t address, void *to, size_t size)
{
    size_t done = 0;

    while (done < size) {
        size_t part = size - done < 4096 ? size - done : 4096;
        ssize_t n = write(pipe_fd[1], (const void *)(uintptr_t)(address + done), part);

        if (n <= 0 || read(pipe_fd[0], (uint8_t *)to + done, (size_t)n) != n) {
            return false;
        }
        done += (size_t)n;
    }
    return true;
}

/* The descriptors sent since the program last asked (gfe_capture_qmds). */
static uint64_t sent_qmds[64];
static unsigned sent_qmd_count;

/* The QMDs that a pushbuffer names by SEND_PCAS_A (0x02b4) of subchannel 1. */
static void put_qmds(const uint32_t *words, size_t count)
{
    uint8_t qmd[QMD_BYTES];
    bool first = true;

    put_text(",\"qmds\":[");
    for (size_t i = 0; i < count;) {
        uint32_t header = words[i], method = (header & 0xfff) * 4, n = header >> 16 & 0x1fff;

        i++;
        if (header >> 29 == 4) {
            continue;
        }
        if (method <= 0x2b4 && method + (n ? n - 1 : 0) * 4 >= 0x2b4 && (header >> 13 & 7) == 1 &&
            i + (0x2b4 - method) / 4 < count && header >> 29 == 1) {
            uint64_t at = (uint64_t)words[i + (0x2b4 - method) / 4] << 8;

            put_text("%s{\"va\":\"0x%llx\"", first ? "" : ",", (unsigned long long)at);
            first = false;
            if (sent_qmd_count < sizeof sent_qmds / sizeof *sent_qmds) {
                sent_qmds[sent_qmd_count++] = at;
            }
            if (at && peek(at, qmd, sizeof qmd)) {
                put_text(",\"hex\":\"");
                put_hex(qmd, sizeof qmd);
                put_text("\"}");
            } else {
                put_text(",\"unreadable\":true}");
            }
        }
        i += n;
    }
    put_text("]");
}

static void put_segment(uint64_t entry, bool first)
{
    static uint32_t words[SEGMENT_BYTES / 4];
    uint64_t va = entry & 0xfffffffffcULL;
    size_t size = (size_t)(entry >> 42 & 0x1fffff) * 4;
    size_t kept = size < SEGMENT_BYTES ? size : SEGMENT_BYTES;

    put_text("%s{\"entry\":\"0x%016llx\",\"va\":\"0x%llx\",\"bytes\":%zu", first ? "" : ",",
             (unsigned long long)entry, (unsigned long long)va, size);
    if (size && peek(va, words, kept)) {
        put_text(",\"hex\":\"");
        put_hex(words, kept);
        put_text("\"");
        put_qmds(words, kept / 4);
    } else if (size) {
        put_text(",\"unreadable\":true");
    }
    put_text("}");
}

/* Notes what is new in a channel's ring; GP_PUT of USERD says how far, where it can be read. */
static void sweep_channel(struct channel *c, unsigned long bell, uint32_t offset)
{
    static uint64_t now[RING_ENTRIES];
    uint32_t put = 0, n = c->entries < RING_ENTRIES ? c->entries : RING_ENTRIES;
    bool known = c->userd && peek(c->userd + 0x8c, &put, 4) && put < c->entries;
    bool first = true;

    if (!n || !peek(c->ring, now, n * 8)) {
        return;
    }
    if (known ? put == c->put : memcmp(now, c->shadow, n * 8) == 0) {
        return;
    }
    begin("doorbell");
    put_text(
        ",\"bell\":%lu,\"offset\":\"0x%x\",\"channel\":\"0x%x\",\"token\":\"0x%x\",\"gp_put\":%d,"
        "\"gp_put_before\":%u,\"segments\":[",
        bell, offset, c->handle, c->token, known ? (int)put : -1, c->put);
    if (known) {
        for (uint32_t i = c->put; i != put; i = (i + 1) % c->entries) {
            put_segment(now[i % n], first);
            first = false;
        }
        c->put = put;
    } else {
        for (uint32_t i = 0; i < n; i++) {
            if (now[i] != c->shadow[i]) {
                put_segment(now[i], first);
                first = false;
            }
        }
    }
    memcpy(c->shadow, now, n * 8);
    put_text("]");
    end_line();
}

static void sweep(uint32_t offset)
{
    unsigned long bell = doorbells++;

    for (unsigned i = 0; i < channel_count; i++) {
        sweep_channel(channels[i], bell, offset);
    }
}

static int page_of(const void *address)
{
    const uint8_t *at = address;

    for (unsigned i = 0; i < page_count; i++) {
        if (at >= pages[i].address && at < pages[i].address + pages[i].size) {
            return (int)i;
        }
    }
    return -1;
}

static struct sigaction before_segv, before_trap;
static volatile int open_page = -1;

static void on_segv(int number, siginfo_t *info, void *context)
{
    ucontext_t *user = context;
    int page = page_of(info->si_addr);

    if (page < 0) {
        sigaction(SIGSEGV, &before_segv, NULL);
        return;
    }
    (void)number;
    /* REG_ERR bit 1: a store */
    if (user->uc_mcontext.gregs[REG_ERR] & 2) {
        int saved = errno;

        pthread_mutex_lock(&lock);
        sweep((uint32_t)((const uint8_t *)info->si_addr - pages[page].address));
        pthread_mutex_unlock(&lock);
        errno = saved;
    }
    mprotect(pages[page].address, pages[page].size, PROT_READ | PROT_WRITE);
    open_page = page;
    user->uc_mcontext.gregs[REG_EFL] |= TRAP_FLAG;
}

static void on_trap(int number, siginfo_t *info, void *context)
{
    ucontext_t *user = context;

    (void)number;
    (void)info;
    if (open_page < 0) {
        sigaction(SIGTRAP, &before_trap, NULL);
        return;
    }
    mprotect(pages[open_page].address, pages[open_page].size, PROT_NONE);
    open_page = -1;
    user->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)TRAP_FLAG;
}

static void start(void)
{
    const char *prefix = getenv("GFE_CAPTURE");
    char name[4096];
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_NODEFER};

    if (!prefix) {
        return;
    }
    snprintf(name, sizeof name, "%s.%d.jsonl", prefix, (int)getpid());
    log_fd =
        (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    text_room = 64 << 20;
    text = mmap(NULL, text_room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (log_fd < 0 || text == MAP_FAILED || pipe2(pipe_fd, O_CLOEXEC) != 0) {
        log_fd = -1;
        return;
    }
    action.sa_sigaction = on_segv;
    sigaction(SIGSEGV, &action, &before_segv);
    action.sa_sigaction = on_trap;
    sigaction(SIGTRAP, &action, &before_trap);
}

static void in_child(void)
{
    log_fd = -1;
}

static void __attribute__((constructor)) constructor(void)
{
    start();
    pthread_atfork(NULL, NULL, in_child);
}

static void __attribute__((destructor)) destructor(void)
{
    if (log_fd >= 0) {
        pthread_mutex_lock(&lock);
        sweep(0);
        begin("end");
        put_text(",\"doorbells\":%lu", doorbells - 1);
        end_line();
        pthread_mutex_unlock(&lock);
    }
}

/* A program's own notes: found with dlsym(RTLD_DEFAULT, "gfe_capture_mark"). */
void gfe_capture_mark(const char *note);
void gfe_capture_mark(const char *note)
{
    if (log_fd >= 0) {
        pthread_mutex_lock(&lock);
        begin("mark");
        put_text(",\"text\":\"%s\"", note);
        end_line();
        pthread_mutex_unlock(&lock);
    }
}

/* Addresses of the descriptors sent since the last call, at most `room`; returns how many.  They
 * lie where the CPU cannot read, but a kernel of the program can: it writes down what it finds
 * there with gfe_capture_memory().  Both are found with dlsym(RTLD_DEFAULT, ...). */
unsigned gfe_capture_qmds(uint64_t *to, unsigned room);
unsigned gfe_capture_qmds(uint64_t *to, unsigned room)
{
    unsigned n;

    pthread_mutex_lock(&lock);
    n = sent_qmd_count < room ? sent_qmd_count : room;
    memcpy(to, sent_qmds, n * sizeof *to);
    sent_qmd_count = 0;
    pthread_mutex_unlock(&lock);
    return n;
}

void gfe_capture_memory(uint64_t va, const void *data, size_t bytes);
void gfe_capture_memory(uint64_t va, const void *data, size_t bytes)
{
    if (log_fd >= 0) {
        pthread_mutex_lock(&lock);
        begin("memory");
        put_text(",\"va\":\"0x%llx\",\"bytes\":%zu,\"hex\":\"", (unsigned long long)va, bytes);
        put_hex(data, bytes);
        put_text("\"");
        end_line();
        pthread_mutex_unlock(&lock);
    }
}

/* ---- the kernel's interface ---- */

static uint32_t word(const uint8_t *data, size_t at)
{
    uint32_t value;

    memcpy(&value, data + at, 4);
    return value;
}

static uint64_t wide(const uint8_t *data, size_t at)
{
    uint64_t value;

    memcpy(&value, data + at, 8);
    return value;
}

static bool is_channel(uint32_t class_id)
{
    return (class_id & 0xff) == 0x6f && (class_id >> 8) >= 0xa0;
}

static uint64_t mapped_at(uint32_t handle)
{
    for (unsigned i = mapping_count; i-- > 0;) {
        if (mappings[i].handle == handle) {
            return mappings[i].address;
        }
    }
    return 0;
}

static void note_channel(uint32_t client, uint32_t parent, uint32_t handle, uint32_t class_id,
                         const uint8_t *p)
{
    struct channel *c;
    uint64_t userd = mapped_at(word(p, 32));

    if (channel_count == CHANNELS || (c = mmap(NULL, sizeof *c, PROT_READ | PROT_WRITE,
                                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) == MAP_FAILED) {
        return;
    }
    *c = (struct channel){.client = client,
                          .handle = handle,
                          .parent = parent,
                          .class_id = class_id,
                          .ring = wide(p, 8),
                          .entries = word(p, 16),
                          .flags = word(p, 20),
                          .engine = word(p, 128)};
    c->userd = userd ? userd + wide(p, 64) : c->ring + (uint64_t)c->entries * 8;
    peek(c->ring, c->shadow, (c->entries < RING_ENTRIES ? c->entries : RING_ENTRIES) * 8);
    channels[channel_count++] = c;
    put_text(",\"gp_fifo\":\"0x%llx\",\"entries\":%u,\"flags\":\"0x%x\",\"engine\":%u,\"cid\":%u,"
             "\"context_share\":\"0x%x\",\"userd_memory\":\"0x%x\",\"userd_offset\":\"0x%llx\","
             "\"userd_mapped\":%s",
             (unsigned long long)c->ring, c->entries, c->flags, c->engine, word(p, 132),
             word(p, 24), word(p, 32), (unsigned long long)wide(p, 64), userd ? "true" : "false");
}

/* NVOS21 or NVOS64, after the call. */
static void note_alloc(const uint8_t *a, size_t size)
{
    uint32_t class_id = word(a, 12), status = word(a, size >= 48 ? 40 : 28);
    uint64_t params = wide(a, 16);
    uint8_t p[256];

    begin("alloc");
    put_text(",\"class\":\"0x%x\",\"client\":\"0x%x\",\"parent\":\"0x%x\",\"object\":\"0x%x\","
             "\"status\":\"0x%x\"",
             class_id, word(a, 0), word(a, 4), word(a, 8), status);
    if (!status && is_channel(class_id) && peek(params, p, sizeof p)) {
        note_channel(word(a, 0), word(a, 4), word(a, 8), class_id, p);
    } else if (!status && class_id == 0xa06c && peek(params, p, 24)) {
        put_text(",\"engine\":%u,\"params\":\"", word(p, 12));
        put_hex(p, 24);
        put_text("\"");
    } else if (!status && class_id == 0x9067 && peek(params, p, 12)) {
        put_text(",\"params\":\"");
        put_hex(p, 12);
        put_text("\"");
    } else if (!status && (class_id & 0xff) == 0xb5 && peek(params, p, 8)) {
        put_text(",\"params\":\"");
        put_hex(p, 8);
        put_text("\"");
    }
    if (!status && (class_id & 0xff) == 0x61 && usermode_count < PAGES) {
        usermode[usermode_count++] = word(a, 8);
    }
    end_line();
}

/* Which controls' parameters are of channels, groups and their scheduling. */
static bool control_is_kept(uint32_t command)
{
    uint32_t class_id = command >> 16;

    if (class_id == 0x2080) { /* of a subdevice those of its FIFO */
        return (command & 0xff00) == 0x1100;
    }
    return class_id == 0xa06c || class_id == 0x9067 || is_channel(class_id);
}

static void note_control(const uint8_t *a)
{
    uint32_t command = word(a, 8), size = word(a, 24);
    uint8_t p[1024];

    begin("control");
    put_text(",\"command\":\"0x%x\",\"object\":\"0x%x\",\"bytes\":%u,\"status\":\"0x%x\"", command,
             word(a, 4), size, word(a, 28));
    if (control_is_kept(command) && size && size <= sizeof p && peek(wide(a, 16), p, size)) {
        put_text(",\"params\":\"");
        put_hex(p, size);
        put_text("\"");
        if ((command & 0xffff) == 0x0108 && is_channel(command >> 16)) {
            for (unsigned i = 0; i < channel_count; i++) {
                if (channels[i]->handle == word(a, 4) && channels[i]->client == word(a, 0)) {
                    channels[i]->token = word(p, 0);
                }
            }
        }
    }
    end_line();
}

static void note_mapping(void *address, size_t size, int fd)
{
    bool bell = false;

    if (fd < 0 || fd != next_fd) {
        return;
    }
    for (unsigned i = 0; i < usermode_count; i++) {
        bell |= usermode[i] == next_handle;
    }
    if (mapping_count < MAPPINGS) {
        mappings[mapping_count++] = (struct mapping){next_handle, (uintptr_t)address};
    }
    begin("mmap");
    put_text(",\"memory\":\"0x%x\",\"address\":\"0x%llx\",\"bytes\":%zu,\"usermode\":%s",
             next_handle, (unsigned long long)(uintptr_t)address, size, bell ? "true" : "false");
    end_line();
    next_fd = -1;
    if (bell && page_count < PAGES) {
        pages[page_count].address = address;
        pages[page_count++].size = size;
        mprotect(address, size, PROT_NONE);
    }
}

/* Looks for the mapping of `next_fd` that mmap() here did not see: one of that file, at an address
 * that is not known yet. */
static void find_mapping(void)
{
    char link[64], file[256], line[512];
    ssize_t length;
    FILE *maps;

    snprintf(link, sizeof link, "/proc/self/fd/%d", next_fd);
    if (next_fd < 0 || (length = readlink(link, file, sizeof file - 1)) <= 0 ||
        !(maps = fopen("/proc/self/maps", "re"))) {
        return;
    }
    file[length] = 0;
    while (next_fd >= 0 && fgets(line, sizeof line, maps)) {
        unsigned long long start, end;
        char *path = strchr(line, '/');
        bool known = false;

        if (!path || sscanf(line, "%llx-%llx", &start, &end) != 2 ||
            strncmp(path, file, (size_t)length) != 0 || path[length] != '\n') {
            continue;
        }
        for (unsigned i = 0; i < mapping_count; i++) {
            known |= mappings[i].address == start;
        }
        if (!known) {
            note_mapping((void *)(uintptr_t)start, (size_t)(end - start), next_fd);
        }
    }
    fclose(maps);
}

static void note_call(int fd, unsigned long request, const void *argument, int result)
{
    unsigned number = request & 0xff;
    size_t size = request >> 16 & 0x3fff;
    uint8_t a[64] = {0};

    if ((request >> 8 & 0xff) != 'F' || result < 0 ||
        !peek((uintptr_t)argument, a, size < sizeof a ? size : sizeof a)) {
        return;
    }
    (void)fd;
    find_mapping();
    if (number == ESCAPE_ALLOC) {
        note_alloc(a, size);
    } else if (number == ESCAPE_CONTROL) {
        note_control(a);
    } else if (number == ESCAPE_MAP_MEMORY && size >= 52) {
        next_handle = word(a, 8);
        next_fd = (int)word(a, 48);
        begin("map");
        put_text(",\"memory\":\"0x%x\",\"offset\":\"0x%llx\",\"bytes\":%llu,\"status\":\"0x%x\"",
                 next_handle, (unsigned long long)wide(a, 16), (unsigned long long)wide(a, 24),
                 word(a, 40));
        end_line();
    }
}

int ioctl(int fd, unsigned long request, ...)
{
    static int (*next)(int, unsigned long, ...);
    va_list list;
    void *argument;
    int result;

    va_start(list, request);
    argument = va_arg(list, void *);
    va_end(list);
    if (!next) {
        next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    }
    result = next(fd, request, argument);
    if (log_fd >= 0) {
        int saved = errno;

        pthread_mutex_lock(&lock);
        note_call(fd, request, argument, result);
        pthread_mutex_unlock(&lock);
        errno = saved;
    }
    return result;
}

void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    void *result = (void *)syscall(SYS_mmap, address, size, protection, flags, fd, offset);

    if (log_fd >= 0 && result != MAP_FAILED && fd >= 0) {
        int saved = errno;

        pthread_mutex_lock(&lock);
        note_mapping(result, size, fd);
        pthread_mutex_unlock(&lock);
        errno = saved;
    }
    return result;
}

void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return mmap(address, size, protection, flags, fd, offset);
}
