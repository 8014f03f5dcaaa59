/* SPDX-License-Identifier: MIT */
/*
 * Drives a browser for tests: starts Chromium without a window and talks to it over the pipe of its
 * DevTools protocol (--remote-debugging-pipe: JSON messages that end with a zero byte, on
 * descriptors 3 and 4).  Commands come from standard input, a line each:
 *
 *   open URL           and wait until it is loaded
 *   size W H RATIO     of the window, pixels of CSS; RATIO: of the screen
 *   scheme dark|light  what prefers-color-scheme says
 *   wait EXPRESSION    until it is true; at most WAIT_S seconds
 *   eval EXPRESSION    prints its value, a string as it is, else as JSON
 *   click EXPRESSION   which is [x, y]: moves the mouse there and clicks
 *   drag EXPRESSION    which is [x0, y0, x1, y1]
 *   wheel EXPRESSION   which is [x, y, by] or [x, y, by, 2] with Ctrl
 *   key NAME           as KeyboardEvent.key has it; Space
 *   type TEXT
 *   shot FILE          a PNG
 *   said               prints what the page complained of, and each request that it made: a line
 * each
 *
 * Usage: browse BROWSER PROFILE-FOLDER.  Status 1 with a message when a command fails.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_S = 120, LINE_BYTES = 1 << 16, SAID_MAX = 256 };

struct browser {
    pid_t pid;
    int to, from;
    char *bytes; /* received and not taken */
    size_t count, capacity;
    int last_id;
    char *session; /* NULL: messages go to the browser itself */
    bool loaded;
    char *said[SAID_MAX];
    uint32_t said_count;
};

static const char *command_line = "start";

static void fail(const char *what, const char *more)
{
    fprintf(stderr, "browse: %s: %s%s%s\n", command_line, what, *more ? ": " : "", more);
    exit(1);
}

static double now_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* ---- the pipe -------------------------------------------------------------------------------- */

static void browser_start(struct browser *browser, const char *program, const char *profile)
{
    char folder[4096];
    int to[2], from[2];

    (void)snprintf(folder, sizeof folder, "--user-data-dir=%s", profile);
    if (pipe(to) != 0 || pipe(from) != 0)
        fail("pipe", strerror(errno));
    browser->pid = fork();
    if (browser->pid < 0)
        fail("fork", strerror(errno));
    if (browser->pid == 0) {
        /* Both may be 3 or 4 already: by way of high numbers. */
        const int in = fcntl(to[0], F_DUPFD, 10), out = fcntl(from[1], F_DUPFD, 10);
        const int null = open("/dev/null", O_RDWR);

        (void)dup2(null, 0), (void)dup2(null, 1), (void)dup2(null, 2);
        if (dup2(in, 3) < 0 || dup2(out, 4) < 0)
            _exit(127);
        for (int fd = 5; fd < 64; fd++)
            (void)close(fd);
        execlp(program, program, "--headless", "--no-sandbox", "--disable-gpu",
               "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking",
               "--disable-component-update", "--disable-dev-shm-usage", "--disable-extensions",
               "--mute-audio", folder, "about:blank", (char *)NULL);
        _exit(127);
    }
    (void)close(to[0]);
    (void)close(from[1]);
    browser->to = to[1];
    browser->from = from[0];
}

static void message_send(struct browser *browser, json_t *message)
{
    char *text = json_dumps(message, JSON_COMPACT);
    const size_t bytes = strlen(text) + 1;

    for (size_t at = 0; at < bytes;) {
        const ssize_t written = write(browser->to, text + at, bytes - at);
        if (written <= 0 && errno != EINTR)
            fail("the browser is gone", "");
        at += written > 0 ? (size_t)written : 0;
    }
    free(text);
    json_decref(message);
}

/* The next message, or NULL when none comes until then. */
static json_t *message_take(struct browser *browser, double until_s)
{
    for (;;) {
        char *end = browser->count ? memchr(browser->bytes, 0, browser->count) : NULL;
        struct pollfd poll_of = {.fd = browser->from, .events = POLLIN};
        ssize_t got;

        if (end) {
            json_t *message = json_loads(browser->bytes, 0, NULL);
            const size_t used = (size_t)(end - browser->bytes) + 1;

            memmove(browser->bytes, end + 1, browser->count - used);
            browser->count -= used;
            return message ? message : json_object();
        }
        if (browser->capacity - browser->count < 1 << 16) {
            browser->capacity = browser->capacity ? 2 * browser->capacity : 1 << 18;
            browser->bytes = realloc(browser->bytes, browser->capacity);
            if (!browser->bytes)
                fail("no memory", "");
        }
        const double left_s = until_s - now_s();
        if (left_s <= 0 || poll(&poll_of, 1, (int)(left_s * 1000) + 1) == 0)
            return NULL;
        got = read(browser->from, browser->bytes + browser->count, 1 << 16);
        if (got == 0 || (got < 0 && errno != EINTR))
            fail("the browser is gone", "");
        browser->count += got > 0 ? (size_t)got : 0;
    }
}

static void say(struct browser *browser, const char *what, const char *text)
{
    char line[600];

    (void)snprintf(line, sizeof line, "%s %.500s", what, text ? text : "?");
    if (browser->said_count < SAID_MAX)
        browser->said[browser->said_count++] = strdup(line);
}

static const char *string_at(const json_t *object, const char *a, const char *b)
{
    const json_t *value = json_object_get(object, a);

    return json_string_value(b ? json_object_get(value, b) : value);
}

/* What the page tells of itself. */
static void event_take(struct browser *browser, const json_t *message)
{
    const char *method = string_at(message, "method", NULL);
    const json_t *params = json_object_get(message, "params");

    if (!method)
        return;
    if (strcmp(method, "Page.loadEventFired") == 0)
        browser->loaded = true;
    else if (strcmp(method, "Network.requestWillBeSent") == 0)
        say(browser, "request", string_at(params, "request", "url"));
    else if (strcmp(method, "Runtime.exceptionThrown") == 0)
        say(browser, "exception",
            string_at(json_object_get(json_object_get(params, "exceptionDetails"), "exception"),
                      "description", NULL));
    else if (strcmp(method, "Runtime.consoleAPICalled") == 0)
        say(browser, "console", string_at(params, "type", NULL));
    else if (strcmp(method, "Log.entryAdded") == 0)
        say(browser, "log", string_at(params, "entry", "text"));
    else if (strcmp(method, "Inspector.targetCrashed") == 0)
        fail("the page crashed", "");
}

/* Calls a method and waits for its result, which the caller owns. */
static json_t *call(struct browser *browser, const char *method, json_t *params)
{
    const int id = ++browser->last_id;
    json_t *message = json_pack("{si ss so}", "id", id, "method", method, "params",
                                params ? params : json_object());
    const double until_s = now_s() + WAIT_S;

    if (browser->session)
        json_object_set_new(message, "sessionId", json_string(browser->session));
    message_send(browser, message);
    while ((message = message_take(browser, until_s)) != NULL) {
        const json_t *number = json_object_get(message, "id");

        if (json_is_integer(number) && json_integer_value(number) == id) {
            json_t *result = json_incref(json_object_get(message, "result"));

            if (!result)
                fail(method, string_at(message, "error", "message"));
            json_decref(message);
            return result;
        }
        event_take(browser, message);
        json_decref(message);
    }
    fail(method, "no answer in time");
    return NULL;
}

static void call_only(struct browser *browser, const char *method, json_t *params)
{
    json_decref(call(browser, method, params));
}

/* ---- commands -------------------------------------------------------------------------------- */

/* The value of an expression. */
static json_t *evaluate(struct browser *browser, const char *expression)
{
    json_t *result = call(browser, "Runtime.evaluate",
                          json_pack("{ss sb sb}", "expression", expression, "returnByValue", true,
                                    "awaitPromise", true));
    json_t *value = json_incref(json_object_get(json_object_get(result, "result"), "value"));

    if (json_object_get(result, "exceptionDetails"))
        fail("it threw",
             string_at(json_object_get(json_object_get(result, "exceptionDetails"), "exception"),
                       "description", NULL));
    json_decref(result);
    return value ? value : json_null();
}

static void eval_print(struct browser *browser, const char *expression)
{
    json_t *value = evaluate(browser, expression);
    char *text = json_is_string(value) ? strdup(json_string_value(value))
                                       : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

    puts(text);
    free(text);
    json_decref(value);
}

/* There is nothing to wait for but the page itself: it is asked again. */
static void wait_true(struct browser *browser, const char *expression)
{
    const double until_s = now_s() + WAIT_S;
    const struct timespec pause = {0, 20000000};

    for (;;) {
        json_t *value = evaluate(browser, expression);
        const bool is_true = json_is_true(value);

        json_decref(value);
        if (is_true)
            return;
        if (now_s() > until_s)
            fail("it did not become true", "");
        (void)nanosleep(&pause, NULL);
    }
}

static void open_url(struct browser *browser, const char *url)
{
    const double until_s = now_s() + WAIT_S;
    json_t *message;

    browser->loaded = false;
    call_only(browser, "Page.navigate", json_pack("{ss}", "url", url));
    while (!browser->loaded) {
        message = message_take(browser, until_s);
        if (!message)
            fail("it is not loaded in time", "");
        event_take(browser, message);
        json_decref(message);
    }
}

static void mouse(struct browser *browser, const char *type, double x, double y, int buttons)
{
    call_only(browser, "Input.dispatchMouseEvent",
              json_pack("{ss sf sf ss si si}", "type", type, "x", x, "y", y, "button",
                        buttons || strcmp(type, "mouseReleased") == 0 ? "left" : "none", "buttons",
                        buttons, "clickCount", strcmp(type, "mouseMoved") == 0 ? 0 : 1));
}

static void point(struct browser *browser, const char *command, const char *expression)
{
    json_t *value = evaluate(browser, expression);
    double at[4] = {0};

    for (size_t i = 0; i < 4; i++)
        at[i] = json_number_value(json_array_get(value, i));
    if (json_array_size(value) < 2)
        fail("the expression is no place", "");
    if (strcmp(command, "wheel") == 0) {
        call_only(browser, "Input.dispatchMouseEvent",
                  json_pack("{ss sf sf sf sf si}", "type", "mouseWheel", "x", at[0], "y", at[1],
                            "deltaX", 0.0, "deltaY", at[2], "modifiers", (int)at[3]));
    } else {
        const bool drags = strcmp(command, "drag") == 0;

        mouse(browser, "mouseMoved", at[0], at[1], 0);
        mouse(browser, "mousePressed", at[0], at[1], 1);
        for (int i = 1; drags && i <= 8; i++)
            mouse(browser, "mouseMoved", at[0] + (at[2] - at[0]) * i / 8,
                  at[1] + (at[3] - at[1]) * i / 8, 1);
        mouse(browser, "mouseReleased", drags ? at[2] : at[0], drags ? at[3] : at[1], 0);
    }
    json_decref(value);
}

static void key(struct browser *browser, const char *name)
{
    if (strcmp(name, "Space") == 0)
        name = " ";
    json_t *params = json_pack("{ss ss}", "type", "keyDown", "key", name);
    const bool enters = strcmp(name, "Enter") == 0;

    if (strlen(name) == 1 || enters)
        json_object_set_new(params, "text", json_string(enters ? "\r" : name));
    call_only(browser, "Input.dispatchKeyEvent", params);
    call_only(browser, "Input.dispatchKeyEvent",
              json_pack("{ss ss}", "type", "keyUp", "key", name));
}

static void size(struct browser *browser, const char *words)
{
    int width, height;
    double ratio;

    if (sscanf(words, "%d %d %lf", &width, &height, &ratio) != 3)
        fail("width, height and ratio are wanted", "");
    call_only(browser, "Emulation.setDeviceMetricsOverride",
              json_pack("{si si sf sb}", "width", width, "height", height, "deviceScaleFactor",
                        ratio, "mobile", false));
}

static void shot(struct browser *browser, const char *path)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    json_t *result = call(browser, "Page.captureScreenshot", json_pack("{ss}", "format", "png"));
    const char *text = string_at(result, "data", NULL);
    FILE *file = fopen(path, "wb");
    uint32_t bits = 0, count = 0;

    if (!file)
        fail(path, strerror(errno));
    for (; text && *text && *text != '='; text++) {
        bits = bits << 6 | (uint32_t)(strchr(digits, *text) - digits);
        count += 6;
        if (count >= 8) {
            count -= 8;
            fputc((int)(bits >> count & 255), file);
        }
    }
    if (fclose(file) != 0)
        fail(path, strerror(errno));
    json_decref(result);
}

static void said_print(struct browser *browser)
{
    /* What is still on its way comes before an answer. */
    json_decref(evaluate(browser, "new Promise((done) => setTimeout(done, 50))"));
    for (uint32_t i = 0; i < browser->said_count; i++) {
        puts(browser->said[i]);
        free(browser->said[i]);
    }
    browser->said_count = 0;
}

static void command_do(struct browser *browser, const char *command, const char *words)
{
    if (strcmp(command, "open") == 0)
        open_url(browser, words);
    else if (strcmp(command, "size") == 0)
        size(browser, words);
    else if (strcmp(command, "scheme") == 0)
        call_only(
            browser, "Emulation.setEmulatedMedia",
            json_pack("{s[{ssss}]}", "features", "name", "prefers-color-scheme", "value", words));
    else if (strcmp(command, "wait") == 0)
        wait_true(browser, words);
    else if (strcmp(command, "eval") == 0)
        eval_print(browser, words);
    else if (strcmp(command, "click") == 0 || strcmp(command, "drag") == 0 ||
             strcmp(command, "wheel") == 0)
        point(browser, command, words);
    else if (strcmp(command, "key") == 0)
        key(browser, words);
    else if (strcmp(command, "type") == 0)
        call_only(browser, "Input.insertText", json_pack("{ss}", "text", words));
    else if (strcmp(command, "shot") == 0)
        shot(browser, words);
    else if (strcmp(command, "said") == 0)
        said_print(browser);
    else
        fail("no such command", "");
}

static void session_begin(struct browser *browser)
{
    json_t *target = call(browser, "Target.createTarget", json_pack("{ss}", "url", "about:blank"));
    json_t *session = call(
        browser, "Target.attachToTarget",
        json_pack("{ss sb}", "targetId", string_at(target, "targetId", NULL), "flatten", true));

    browser->session = strdup(string_at(session, "sessionId", NULL));
    json_decref(target);
    json_decref(session);
    call_only(browser, "Page.enable", NULL);
    call_only(browser, "Runtime.enable", NULL);
    call_only(browser, "Network.enable", NULL);
    call_only(browser, "Log.enable", NULL);
}

int main(int argc, char **argv)
{
    static char line[LINE_BYTES], whole[LINE_BYTES];
    struct browser browser = {0};

    if (argc != 3) {
        fprintf(stderr, "usage: browse BROWSER PROFILE-FOLDER <COMMANDS\n");
        return 2;
    }
    (void)signal(SIGPIPE, SIG_IGN);
    browser_start(&browser, argv[1], argv[2]);
    session_begin(&browser);
    while (fgets(line, sizeof line, stdin)) {
        char *words;

        line[strcspn(line, "\n")] = '\0';
        if (!*line || *line == '#')
            continue;
        memcpy(whole, line, sizeof whole);
        command_line = whole;
        words = line + strcspn(line, " ");
        if (*words)
            *words++ = '\0';
        command_do(&browser, line, words);
        (void)fflush(stdout);
    }
    free(browser.session);
    browser.session = NULL;
    command_line = "end";
    message_send(&browser,
                 json_pack("{si ss}", "id", ++browser.last_id, "method", "Browser.close"));
    (void)close(browser.to);
    (void)waitpid(browser.pid, NULL, 0);
    free(browser.bytes);
    return 0;
}
