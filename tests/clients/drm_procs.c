/* SPDX-License-Identifier: MIT */
/*
 * A program that talks to the nouveau kernel interface itself and does with processes what programs
 * may do: each mode is one thing, named by the first argument.  It looks at what the kernel
 * promises (a completion value is there, a handle means what it meant) and fails if that does not
 * hold.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "traces/record/nouveau/record_uapi.h"

enum { PAGE = 4096, FENCE_OFFSET = 0x800, ROUNDS = 5, PROCESSES = 4, THREADS = 8 };

#define NODE          "/dev/dri/renderD128"
#define DRM(nr, type) _IOC(_IOC_READ | _IOC_WRITE, UAPI_DRM_TYPE, (nr), sizeof(struct uapi_##type))
#define NEED(...)     need((__VA_ARGS__), #__VA_ARGS__, __LINE__)

static unsigned long calls, kill_at; /* kill_at: before that call of call(), 0: never */

static void need(int holds, const char *what, int line)
{
    if (holds)
        return;
    fprintf(stderr, "drm_procs:%d: %s does not hold (%s)\n", line, what, strerror(errno));
    _exit(99);
}

static int call(int fd, unsigned long request, void *argument)
{
    if (++calls == kill_at)
        kill(getpid(), SIGKILL);
    return ioctl(fd, request, argument);
}

/* One channel with a page for its commands and completions. */
struct client {
    int fd;
    int32_t channel;
    struct uapi_gem_info page;
    volatile uint32_t *dwords;
    uint32_t value;
};

static struct uapi_gem_info object_new(int fd, uint64_t bytes)
{
    struct uapi_gem_new new = {.info = {.size = bytes, .domain = UAPI_DOMAIN_GART}};

    NEED(call(fd, DRM(UAPI_GEM_NEW, gem_new), &new) == 0);
    return new.info;
}

static void *object_map(int fd, const struct uapi_gem_info *info)
{
    void *at =
        mmap(NULL, info->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)info->map_handle);

    NEED(at != MAP_FAILED);
    return at;
}

static void client_begin(struct client *client, int fd)
{
    struct uapi_channel_alloc alloc = {.fb_ctxdma = UINT32_MAX, .tt_ctxdma = 1};

    NEED(fd >= 0);
    client->fd = fd;
    client->value = 0;
    NEED(call(fd, DRM(UAPI_CHANNEL_ALLOC, channel_alloc), &alloc) == 0);
    client->channel = alloc.channel;
    client->page = object_new(fd, PAGE);
    client->dwords = object_map(fd, &client->page);
}

enum { STREAM_DWORDS = 7 };

/* Commands that write a value. */
static void stream_put(volatile uint32_t *to, uint64_t va, uint32_t value)
{
    const uint32_t stream[STREAM_DWORDS] = {0x20010000,   0xc197, 0x200406c0, (uint32_t)(va >> 32),
                                            (uint32_t)va, value,  0x1000f010};

    memcpy((void *)(uintptr_t)to, stream, sizeof stream);
}

/* A completion value goes to `place`, an object of this file. */
static void client_submit_to(struct client *client, const struct uapi_gem_info *place,
                             volatile const uint32_t *seen)
{
    const uint32_t value = ++client->value;
    struct uapi_pushbuf_buffer buffers[] = {{.handle = client->page.handle},
                                            {.handle = place->handle}};
    struct uapi_pushbuf_push push = {.length = STREAM_DWORDS * sizeof(uint32_t)};
    struct uapi_gem_pushbuf pushbuf = {
        .channel = (uint32_t)client->channel,
        .buffer_count = place->handle == client->page.handle ? 1 : 2,
        .push_count = 1,
        .buffers = (uintptr_t)buffers,
        .pushes = (uintptr_t)&push,
    };

    stream_put(client->dwords, place->offset + FENCE_OFFSET, value);
    NEED(call(client->fd, DRM(UAPI_GEM_PUSHBUF, gem_pushbuf), &pushbuf) == 0);
    NEED(seen[FENCE_OFFSET / 4] == value);
}

static void client_submit(struct client *client)
{
    client_submit_to(client, &client->page, client->dwords);
}

static void client_end(struct client *client)
{
    struct uapi_channel_free end = {client->channel};
    struct uapi_gem_close gone = {.handle = client->page.handle};

    NEED(call(client->fd, DRM(UAPI_CHANNEL_FREE, channel_free), &end) == 0);
    NEED(call(client->fd, DRM(UAPI_GEM_CLOSE, gem_close), &gone) == 0);
}

static void client_rounds(struct client *client)
{
    for (int i = 0; i < ROUNDS; i++)
        client_submit(client);
}

static void children_wait(int count)
{
    for (int i = 0; i < count; i++) {
        int status = -1;

        NEED(wait(&status) > 0);
        NEED(status == 0);
    }
}

/* ---- modes ----------------------------------------------------------------------------------- */

/* Processes at once, each with a file of its own. */
static void mode_several(void)
{
    for (int i = 0; i < PROCESSES; i++)
        if (fork() == 0) {
            struct client client;

            client_begin(&client, open(NODE, O_RDWR | O_CLOEXEC));
            client_rounds(&client);
            client_end(&client);
            exit(0);
        }
    children_wait(PROCESSES);
}

/* Children use the file, and the channel, that the parent had opened: one client. */
static void mode_fork(void)
{
    struct client client;

    client_begin(&client, open(NODE, O_RDWR));
    client_submit(&client);
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() == 0) {
            struct client own;

            client_rounds(&client);
            client_begin(&own, client.fd); /* another channel of the same file */
            client_rounds(&own);
            client_end(&own);
            _exit(0);
        }
        children_wait(1);
        client.value += ROUNDS;
    }
    client_rounds(&client);
    client_end(&client);
}

/* The descriptor, the channel and the handles outlive exec(2); the pid stays. */
static void mode_exec(char **argv)
{
    char text[5][24];
    struct client client;

    if (argv[2] && argv[2][0] == '+') {
        client = (struct client){.fd = atoi(argv[3]), .channel = atoi(argv[4])};
        client.page.handle = (uint32_t)atoi(argv[5]);
        client.value = (uint32_t)atoi(argv[6]);
        NEED(call(client.fd, DRM(UAPI_GEM_INFO, gem_info), &client.page) == 0);
        client.dwords = object_map(client.fd, &client.page);
        NEED(client.dwords[FENCE_OFFSET / 4] == client.value);
        client_rounds(&client);
        client_end(&client);
        return;
    }
    client_begin(&client, open(NODE, O_RDWR));
    client_rounds(&client);
    snprintf(text[0], sizeof text[0], "%d", client.fd);
    snprintf(text[1], sizeof text[1], "%d", client.channel);
    snprintf(text[2], sizeof text[2], "%u", client.page.handle);
    snprintf(text[3], sizeof text[3], "%u", client.value);
    execl("/proc/self/exe", argv[0], "exec", "+", text[0], text[1], text[2], text[3], (char *)NULL);
    need(0, "execl", __LINE__);
}

static void fd_send(int socket, int fd)
{
    char byte = 0, room[CMSG_SPACE(sizeof fd)] = {0};
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);

    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    NEED(sendmsg(socket, &message, 0) == 1);
}

static int fd_receive(int socket)
{
    char byte, room[CMSG_SPACE(sizeof(int))];
    struct iovec data = {&byte, 1};
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = room, .msg_controllen = sizeof room};
    int fd = -1;

    NEED(recvmsg(socket, &message, 0) == 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof fd);
    return fd;
}

enum { COMMANDS_OFFSET = 0x400, COMMANDS_FENCE = 0x900 };

/* A buffer object goes to a child that has a file of its own: both see the same memory, and it
 * lives as long as the descriptor. */
static void prime_commands(struct client *client, const struct uapi_gem_info *shared)
{
    struct uapi_pushbuf_buffer buffer = {.handle = shared->handle};
    struct uapi_pushbuf_push push = {.offset = COMMANDS_OFFSET,
                                     .length = STREAM_DWORDS * sizeof(uint32_t)};
    struct uapi_gem_pushbuf pushbuf = {
        .channel = (uint32_t)client->channel,
        .buffer_count = 1,
        .push_count = 1,
        .buffers = (uintptr_t)&buffer,
        .pushes = (uintptr_t)&push,
    };

    NEED(call(client->fd, DRM(UAPI_GEM_PUSHBUF, gem_pushbuf), &pushbuf) == 0);
}

static void prime_child(int socket)
{
    struct client client;
    struct uapi_gem_info shared;
    struct uapi_prime prime = {.fd = fd_receive(socket)}, again = prime;
    volatile uint32_t *seen, *direct;

    client_begin(&client, open(NODE, O_RDWR));
    NEED(call(client.fd, DRM(UAPI_PRIME_FD_TO_HANDLE, prime), &prime) == 0);
    NEED(call(client.fd, DRM(UAPI_PRIME_FD_TO_HANDLE, prime), &again) == 0);
    NEED(again.handle == prime.handle);
    shared = (struct uapi_gem_info){.handle = prime.handle};
    NEED(call(client.fd, DRM(UAPI_GEM_INFO, gem_info), &shared) == 0);
    seen = object_map(client.fd, &shared);
    NEED(seen[0] == 0x12345678);
    direct = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, prime.fd, 0);
    NEED(direct != MAP_FAILED && direct[0] == 0x12345678);
    NEED(lseek(prime.fd, 0, SEEK_END) == PAGE);
    direct[1] = 0x9abcdef0;
    for (int i = 0; i < ROUNDS; i++)
        client_submit_to(&client, &shared, seen);
    prime_commands(&client, &shared); /* the parent's */
    NEED(seen[COMMANDS_FENCE / 4] == 77);
    client_end(&client);
    exit(0);
}

/* One that the CPU sees through its descriptor alone. */
static void prime_direct(struct client *client)
{
    struct uapi_gem_info info = object_new(client->fd, PAGE);
    struct uapi_prime prime = {.handle = info.handle, .flags = O_CLOEXEC};
    volatile uint32_t *direct;

    NEED(call(client->fd, DRM(UAPI_PRIME_HANDLE_TO_FD, prime), &prime) == 0);
    direct = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, prime.fd, 0);
    NEED(direct != MAP_FAILED);
    direct[5] = 0x55aa55aa;
    close(prime.fd);
    client_submit_to(client, &info, direct);
}

static void mode_prime(void)
{
    struct client client;
    struct uapi_gem_info shared;
    struct uapi_prime prime = {.flags = O_CLOEXEC};
    struct uapi_gem_close gone;
    volatile uint32_t *bytes;
    int sockets[2];

    NEED(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    client_begin(&client, open(NODE, O_RDWR));
    shared = object_new(client.fd, PAGE);
    bytes = object_map(client.fd, &shared);
    bytes[0] = 0x12345678;
    stream_put(bytes + COMMANDS_OFFSET / 4, shared.offset + COMMANDS_FENCE, 77);
    client_submit_to(&client, &shared, bytes);
    prime.handle = shared.handle;
    NEED(call(client.fd, DRM(UAPI_PRIME_HANDLE_TO_FD, prime), &prime) == 0);
    if (fork() == 0)
        prime_child(sockets[1]);
    gone = (struct uapi_gem_close){.handle = shared.handle};
    NEED(call(client.fd, DRM(UAPI_GEM_CLOSE, gem_close), &gone) == 0);
    fd_send(sockets[0], prime.fd);
    close(prime.fd);
    children_wait(1); /* first, so that two recorders see the same order */
    client_rounds(&client);
    NEED(bytes[1] == 0x9abcdef0);
    prime_direct(&client);
    client_end(&client);
}

/* The node's descriptor itself goes to another process: that is the same client. */
static void mode_pass(void)
{
    struct client client;
    int sockets[2];

    NEED(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) == 0);
    if (fork() == 0) {
        client_begin(&client, fd_receive(sockets[1]));
        client_rounds(&client);
        exit(0); /* the channel is the file's: the parent ends it */
    }
    client_begin(&client, open(NODE, O_RDWR));
    client_rounds(&client);
    fd_send(sockets[0], client.fd);
    children_wait(1);
    NEED(call(client.fd, DRM(UAPI_CHANNEL_FREE, channel_free), &(int32_t){client.channel + 1}) ==
         0);
    client_end(&client);
}

/* The child names the parent's object while the parent has it; it leaves all open, which is ended
 * when somebody opens the node again. */
static void mode_flink(void)
{
    struct client client;
    struct uapi_gem_flink flink;
    struct uapi_gem_open opened;
    struct uapi_gem_info info = {0};

    client_begin(&client, open(NODE, O_RDWR));
    stream_put(client.dwords + COMMANDS_OFFSET / 4, client.page.offset + COMMANDS_FENCE, 77);
    client_submit(&client);
    flink = (struct uapi_gem_flink){.handle = client.page.handle};
    NEED(call(client.fd, DRM(UAPI_GEM_FLINK, gem_flink), &flink) == 0 && flink.name != 0);
    if (fork() == 0) {
        const uint32_t *seen;
        struct client own;

        client_begin(&own, open(NODE, O_RDWR));
        opened = (struct uapi_gem_open){.name = flink.name};
        NEED(call(own.fd, DRM(UAPI_GEM_OPEN, gem_open), &opened) == 0 && opened.size == PAGE);
        info.handle = opened.handle;
        NEED(call(own.fd, DRM(UAPI_GEM_INFO, gem_info), &info) == 0);
        seen = object_map(own.fd, &info);
        NEED(seen[FENCE_OFFSET / 4] == client.value);
        client_rounds(&own);
        prime_commands(&own, &info); /* the parent's */
        NEED(((volatile const uint32_t *)seen)[COMMANDS_FENCE / 4] == 77);
        exit(0);
    }
    children_wait(1);
    NEED(close(open(NODE, O_RDWR)) == 0);
    client_rounds(&client);
    client_end(&client);
}

/* Closes what it does not know, in three ways, and goes on; the exit handlers run without, too. */
static void mode_close(void)
{
    struct client client;

    client_begin(&client, open(NODE, O_RDWR));
    client_rounds(&client);
    NEED(syscall(SYS_close_range, client.fd + 1, ~0u, 0) == 0);
    client_rounds(&client);
    closefrom(client.fd + 1);
    client_rounds(&client);
    for (int fd = client.fd + 1; fd < 2000; fd++)
        close(fd);
    client_rounds(&client);
    for (int fd = 0; fd < 2000; fd++)
        close(fd); /* the node, too: its memory stays mapped */
    client_begin(&client, open(NODE, O_RDWR));
    NEED(client.fd == 0);
    client_rounds(&client);
    close(client.fd);
}

enum { ALARMS = 50 };

static struct client signalled;
static volatile sig_atomic_t alarms, faults;

/* A handler that takes longer than the timer's period would keep the program from going on, so it
 * has an end. */
static void on_alarm(int signal)
{
    (void)signal;
    if (alarms == ALARMS)
        return;
    client_submit(&signalled);
    alarms++;
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    (void)signal;
    (void)context;
    NEED(mprotect((void *)((uintptr_t)info->si_addr & ~(uintptr_t)(PAGE - 1)), PAGE,
                  PROT_READ | PROT_WRITE) == 0);
    faults++;
}

/* Its own handlers for faults, which the argument of a call lies under, and for a timer, which
 * itself submits in the middle of everything. */
static void mode_signals(void)
{
    const struct sigaction alarmed = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    const struct sigaction faulted = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
    const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
    struct uapi_getparam *get = mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct client client;

    client_begin(&client, open(NODE, O_RDWR));
    client_begin(&signalled, open(NODE, O_RDWR));
    NEED(sigaction(SIGALRM, &alarmed, NULL) == 0 && sigaction(SIGSEGV, &faulted, NULL) == 0);
    NEED(call(client.fd, DRM(UAPI_GETPARAM, getparam), get) == -1 && errno == EFAULT);
    NEED(faults == 0); /* a system call does not fault the program */
    *(volatile uint64_t *)&get->param = UAPI_PARAM_CHIPSET_ID;
    NEED(faults == 1);
    NEED(call(client.fd, DRM(UAPI_GETPARAM, getparam), get) == 0 && get->value != 0);
    NEED(setitimer(ITIMER_REAL, &often, NULL) == 0);
    while (alarms < ALARMS)
        client_submit(&client);
    NEED(setitimer(ITIMER_REAL, &never, NULL) == 0);
    client_end(&client);
}

static void *thread_work(void *argument)
{
    struct client client;

    (void)argument;
    for (int i = 0; i < 3; i++) {
        client_begin(&client, open(NODE, O_RDWR | O_CLOEXEC));
        client_rounds(&client);
        client_end(&client);
        close(client.fd);
    }
    return NULL;
}

/* Threads with files and channels of their own, while other threads fork. */
static void mode_threads(void)
{
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        NEED(pthread_create(&threads[i], NULL, thread_work, NULL) == 0);
    for (int i = 0; i < PROCESSES; i++) {
        if (fork() == 0) {
            (void)thread_work(NULL);
            _exit(0);
        }
        children_wait(1);
    }
    for (int i = 0; i < THREADS; i++)
        NEED(pthread_join(threads[i], NULL) == 0);
}

/* A child is killed at a call; the parent, which shares its file, and others go on. */
static void mode_kill(char **argv)
{
    struct client client;
    int status = -1;

    client_begin(&client, open(NODE, O_RDWR));
    client_submit(&client);
    if (fork() == 0) {
        struct client own;

        calls = 0;
        kill_at = strtoul(argv[2], NULL, 10);
        client_rounds(&client);
        client_begin(&own, open(NODE, O_RDWR));
        client_rounds(&own);
        client_end(&own);
        _exit(0);
    }
    NEED(wait(&status) > 0);
    client.value = client.dwords[FENCE_OFFSET / 4];
    client_rounds(&client);
    mode_several();
    client_end(&client);
    if (WIFSIGNALED(status))
        kill(getpid(), WTERMSIG(status));
}

/* Submissions that the kernel refuses, each for another reason, before one that it takes. */
static void mode_failing(void)
{
    struct client client;

    client_begin(&client, open(NODE, O_RDWR));
    for (uint32_t i = 0; i < 3; i++) {
        struct uapi_pushbuf_buffer buffers[] = {{.handle = client.page.handle},
                                                {.handle = i == 0 ? 999 : client.page.handle}};
        struct uapi_pushbuf_push push = {.buffer = i == 1 ? 7 : 0,
                                         .length = STREAM_DWORDS * sizeof(uint32_t)};
        struct uapi_gem_pushbuf pushbuf = {
            .channel = (uint32_t)client.channel + (i == 2),
            .buffer_count = i == 0 ? 2 : 1,
            .push_count = 1,
            .buffers = (uintptr_t)buffers,
            .pushes = (uintptr_t)&push,
        };
        struct uapi_gem_close gone = {.handle = 999};
        struct uapi_gem_new none = {.info = {.size = 0}};

        stream_put(client.dwords, client.page.offset + FENCE_OFFSET, client.value + 1);
        NEED(call(client.fd, DRM(UAPI_GEM_PUSHBUF, gem_pushbuf), &pushbuf) == -1);
        NEED(errno == (i == 1 ? EINVAL : ENOENT));
        NEED(client.dwords[FENCE_OFFSET / 4] == client.value);
        NEED(call(client.fd, DRM(UAPI_GEM_CLOSE, gem_close), &gone) == -1 && errno == EINVAL);
        NEED(call(client.fd, DRM(UAPI_GEM_NEW, gem_new), &none) == -1 && errno == EINVAL);
        client_submit(&client);
    }
    client_end(&client);
}

/* The program itself is killed at a call. */
static void mode_die(char **argv)
{
    struct client client;

    kill_at = strtoul(argv[2], NULL, 10);
    client_begin(&client, open(NODE, O_RDWR));
    for (int i = 0;; i++) {
        client_submit(&client);
        printf("%d\n", i + 1);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
        void (*run_with)(char **argv);
    } modes[] = {
        {"several", mode_several, NULL}, {"fork", mode_fork, NULL},
        {"exec", NULL, mode_exec},       {"prime", mode_prime, NULL},
        {"pass", mode_pass, NULL},       {"flink", mode_flink, NULL},
        {"close", mode_close, NULL},     {"signals", mode_signals, NULL},
        {"threads", mode_threads, NULL}, {"kill", NULL, mode_kill},
        {"die", NULL, mode_die},         {"failing", mode_failing, NULL},
    };

    for (size_t i = 0; i < sizeof modes / sizeof modes[0] && argc > 1; i++)
        if (strcmp(modes[i].name, argv[1]) == 0) {
            if (modes[i].run)
                modes[i].run();
            else
                modes[i].run_with(argv);
            return 0;
        }
    return 2;
}
