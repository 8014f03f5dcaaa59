/* SPDX-License-Identifier: MIT */
/*
 * gfe show: an event log as a picture.
 */
#include <config.h>

#include <inttypes.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/analysis/check/check.h"
#include "emu/base/args.h"
#include "emu/base/text.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_show_html.h"
#include "emu/sim/gpus.h"
#include "emu/base/limits.h"
#include "emu/base/output.h"
#include "emu/views/show.h"
#include "emu/views/show_csv.h"
#include "emu/views/show_events.h"
#include "emu/views/examiner/show_examiner.h"
#include "emu/views/perfetto/show_perfetto.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "emu/views/vcd/show_vcd.h"
#include "emu/analysis/summary/summary.h"

enum {
    OPTION_AS = ARGS_LONG_ONLY,
    OPTION_FROM,
    OPTION_TO,
    OPTION_WIDTH,
    OPTION_ASCII,
    OPTION_NO_CUTS,
    OPTION_VIEW,
    OPTION_TITLE,
    TEXT_WIDTH = 100,
    SVG_WIDTH = 1000,
};

static const struct args_option options[] = {
    {OPTION_AS, "as", "KIND",
     "text (default), svg, html, perfetto, csv, vcd, events\n"
     "(one a line), events-csv, summary or examiner"},
    {'o', "output", "FILE",
     "write to FILE, which appears when it is complete; with\n"
     "--as examiner to files in that folder"},
    {OPTION_FROM, "from", "TIME", "draw from here on, such as 12.5ms (not in a summary)"},
    {OPTION_TO, "to", "TIME", "draw up to here (not in a summary)"},
    {OPTION_WIDTH, "width", "N",
     "text: columns (default: the terminal's, else 100); svg: pixels (1000)"},
    {OPTION_ASCII, "ascii", NULL, "text: ASCII only (default where the locale is not UTF-8)"},
    {OPTION_NO_CUTS, "no-cuts", NULL, "text, svg: draw to scale: do not leave out long idle times"},
    {OPTION_VIEW, "view", "VIEW",
     "svg: sm or cu (default of a scenario's log, and of AMD's GPUs):\n"
     "SMs with their blocks, copies and launches, coloured by stream;\n"
     "of AMD's CUs by shader engine, and the slots of queues; all\n"
     "(default of other logs): every track, coloured by kernel;\n"
     "threads: active threads over time, kernel by kernel, stacked"},
    {OPTION_TITLE, "title", "TEXT", "svg: stands above, in place of the names of log and GPU"},
    LIMITS_OPTION_EXPANSION,
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "show", "[OPTION...] LOG",
    "Draws an event log (.gfl, made by gfe run): what the program, the channels, the\n"
    "PBDMAs, the engines and the SMs did when, and which rule made what wait.  LOG may be -\n"
    "for standard input.\n\n"
    "Of an AMD GPU these are HSA queues (by their doorbells) with their packets, the slots of\n"
    "queues (ACE 0.2: slot 2 of pipe 0) with what is in them and when it is saved and restored,\n"
    "SDMA engines, shader engines and CUs (CU 1.3: the fourth of the second shader engine).\n\n"
    "--as html is a page for a browser, one file that loads nothing from anywhere: the timeline to\n"
    "zoom and search, with runlists and streams; the story of each operation, as gfe explain\n"
    "tells it, each wait with a link to what blocked it; what stood in queues, slots and SMs\n"
    "at the cursor's time, and a button that plays.  ? in the page lists the keys (docs/html.md).\n"
    "An operation's name after a # opens its story: run.html#K4.\n\n"
    "--as perfetto is the timeline for Perfetto's viewer (ui.perfetto.dev, or a copy of it on\n"
    "your own machine) and for its SQL: processes with their threads and channels, the GPU with\n"
    "its runlists, PBDMAs, engines and SMs, waits by rule, and flows from a submission to its\n"
    "entries, to what they start, to the semaphores and back to the program; of an AMD GPU with\n"
    "queues, slots, shader engines and their waves (docs/perfetto.md).  It is a stream:\n"
    "memory does not grow with the log.  Times are nanoseconds, rounded down; exact ones are\n"
    "annotations (begin_ps, duration_ps).\n\n"
    "--as csv is the timeline as a table: one row for each interval and each instant, with the\n"
    "columns track, kind, begin_ps, end_ps, duration_ps, operation (as gfe explain names it),\n"
    "label (as the picture has it), channel_id, gp_index, rule and because_of (of a wait),\n"
    "address and value (of an instant), bottom_threads and threads (of a block: how many threads\n"
    "lie below it on the SM, and its own), unfinished (1: the log ends before it does), pieces\n"
    "(of a block that no gap holds whole: threads@bottom of each).  An\n"
    "operation runs in the row of its channel and in that of its engine, and a channel that is\n"
    "loading is loaded, too: add up one track and one kind at a time.\n\n"
    "--as events-csv is the log, one row an event: time_ps, unit, kind, rule, origin, then a\n"
    "column for each name that an argument of an event has.  Numbers are decimal, what does not\n"
    "apply is empty.  docs/csv.md has each column and each kind of row of both.\n\n"
    "--as vcd is a value change dump for GTKWave and other viewers of waveforms: signals of each\n"
    "thread, channel, time-slice group, runlist, PBDMA, engine and SM, of an AMD GPU of each queue,\n"
    "slot, ACE, engine, shader engine and CU.  States are strings, counts vectors, times 1 ps\n"
    "(docs/vcd.md).  Memory does not grow with the log; a temporary file does.\n\n"
    "--as examiner -o DIR writes result files of cuda_scheduling_examiner, one for each task of a\n"
    "log that gfe run CONFIG.json made, by the log_name of its benchmark: what the tool would "
    "have\n"
    "measured, for its plotting scripts and for gfe check.  Iterations of the warm-up are not in\n"
    "them, nor those that had not ended.\n",
    options, false};

enum kind {
    KIND_TEXT,
    KIND_SVG,
    KIND_HTML,
    KIND_CSV,
    KIND_SUMMARY,
    KIND_EVENTS,
    KIND_EVENTS_CSV,
    KIND_PERFETTO,
    KIND_VCD,
    KIND_EXAMINER,
    KIND_NONE
};

struct request {
    enum kind kind;
    const char *output_path, *title;
    gfe_ps from_ps, to_ps;
    uint64_t width; /* 0: not given */
    struct limits limits;
    enum show_svg_view view;
    bool ascii, to_scale, has_from, has_to, has_view;
};

static const struct kind_row {
    const char *name;
    enum kind kind;
} kind_rows[] = {{"text", KIND_TEXT},         {"svg", KIND_SVG},
                 {"perfetto", KIND_PERFETTO}, {"csv", KIND_CSV},
                 {"events", KIND_EVENTS},     {"events-csv", KIND_EVENTS_CSV},
                 {"summary", KIND_SUMMARY},   {"html", KIND_HTML},
                 {"vcd", KIND_VCD},           {"examiner", KIND_EXAMINER}};

static enum kind kind_find(const char *name)
{
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++)
        if (strcmp(kind_rows[i].name, name) == 0)
            return kind_rows[i].kind;
    return KIND_NONE;
}

/* ---- command line ---------------------------------------------------------------------------- */

/* It goes into XML, which knows no control characters. */
static bool title_check(struct args *args)
{
    bool good = text_is_utf8(args->value);

    for (const char *c = args->value; *c; c++)
        good = good && (unsigned char)*c >= ' ';
    return good || args_wrong(args, "--title: not a line of UTF-8 text") == 0;
}

static bool option_take(struct args *args, int id, struct request *request)
{
    if (limits_is(id))
        return limits_take(args, id, &request->limits);
    switch (id) {
    case OPTION_AS:
        request->kind = kind_find(args->value);
        if (request->kind == KIND_NONE)
            return args_wrong(args,
                              "--as %s: there is text, svg, html, perfetto, csv, vcd, events, "
                              "events-csv, summary and examiner",
                              args->value) == 0;
        return true;
    case 'o':
        request->output_path = args->value;
        return true;
    case OPTION_FROM:
        request->has_from = true;
        return args_time(args, &request->from_ps);
    case OPTION_TO:
        request->has_to = true;
        return args_time(args, &request->to_ps);
    case OPTION_WIDTH:
        return args_number_within(args, SHOW_TEXT_WIDTH_MIN, SHOW_SVG_WIDTH_MAX, &request->width);
    case OPTION_ASCII:
        request->ascii = true;
        return true;
    case OPTION_TITLE:
        request->title = args->value;
        return title_check(args);
    case OPTION_VIEW:
        request->has_view = true;
        request->view = strcmp(args->value, "sm") == 0 || strcmp(args->value, "cu") == 0
                            ? SHOW_SVG_SMS
                        : strcmp(args->value, "threads") == 0 ? SHOW_SVG_THREADS
                                                              : SHOW_SVG_ALL;
        return request->view != SHOW_SVG_ALL || strcmp(args->value, "all") == 0 ||
               args_wrong(args, "--view %s: there is sm (or cu), threads and all", args->value) ==
                   0;
    default:
        request->to_scale = true;
        return true;
    }
}

/* An option that would change nothing is a mistake of the one who gives it. */
static bool options_check(struct args *args, const struct request *request)
{
    const bool is_text = request->kind == KIND_TEXT;
    const bool is_picture = is_text || request->kind == KIND_SVG;
    const bool has_window = request->kind != KIND_SUMMARY && request->kind != KIND_EXAMINER;
    const struct {
        const char *name;
        bool given, has_meaning;
    } rows[] = {{"width", request->width != 0, is_picture},
                {"no-cuts", request->to_scale, is_picture},
                {"ascii", request->ascii, is_text},
                {"view", request->has_view, request->kind == KIND_SVG},
                {"title", request->title != NULL, request->kind == KIND_SVG},
                {"from", request->has_from, has_window},
                {"to", request->has_to, has_window}};
    const char *name = "";

    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++)
        if (kind_rows[i].kind == request->kind)
            name = kind_rows[i].name;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].given && !rows[i].has_meaning)
            return args_wrong(args, "--%s has no meaning with --as %s", rows[i].name, name) == 0;
    return true;
}

static bool request_check(struct args *args, const struct request *request)
{
    if (!options_check(args, request))
        return false;
    if (request->kind == KIND_EXAMINER && strcmp(request->output_path, "-") == 0)
        return args_wrong(args, "--as examiner writes several files: -o DIR names their folder") ==
               0;
    if (request->from_ps > request->to_ps)
        return args_wrong(args, "--from lies after --to") == 0;
    if (request->kind == KIND_TEXT && request->width > SHOW_TEXT_WIDTH_MAX)
        return args_wrong(args, "--width: text is at most %d columns wide", SHOW_TEXT_WIDTH_MAX) ==
               0;
    if (request->kind == KIND_SVG && request->width != 0 && request->width < SHOW_SVG_WIDTH_MIN)
        return args_wrong(args, "--width: a picture is at least %d pixels wide",
                          SHOW_SVG_WIDTH_MIN) == 0;
    return true;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static uint32_t text_width(const struct request *request, FILE *file)
{
    struct winsize size;

    if (request->width)
        return (uint32_t)request->width;
    if (file != stdout || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return TEXT_WIDTH;
    if (size.ws_col < SHOW_TEXT_WIDTH_MIN)
        return SHOW_TEXT_WIDTH_MIN;
    return size.ws_col < SHOW_TEXT_WIDTH_MAX ? size.ws_col : SHOW_TEXT_WIDTH_MAX;
}

static bool utf8_locale(void)
{
    return setlocale(LC_CTYPE, "") != NULL && strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

/* A scenario's log is about streams and kernels; other logs are about the front end. */
static bool svg_draw(FILE *file, const struct show *show, const struct check_limits *limits,
                     const struct request *request, struct gfe_error *error)
{
    const bool is_scenario = show->streams.program.call_count > 0;
    const struct show_svg_options svg = {
        .width = request->width ? (uint32_t)request->width : SVG_WIDTH,
        .to_scale = request->to_scale,
        .view = request->has_view                   ? request->view
                : is_scenario || show->words.is_amd ? SHOW_SVG_SMS
                                                    : SHOW_SVG_ALL,
        .sm_count = limits->sm_count,
        .threads_per_sm = limits->threads_per_sm,
        .title = request->title,
    };

    return show_svg(file, show, &svg, error);
}

static bool picture_draw(FILE *file, struct event_log_reader *log, const struct request *request,
                         struct gfe_error *error)
{
    struct check_limits limits = {0};
    struct show show;
    bool good, known;

    if (!cmd_gpu_limits(log, &limits, &known, error) ||
        !show_load(&show, log, request->from_ps, request->to_ps, error))
        return false;
    if (!show_place_blocks(&show, limits.threads_per_sm, limits.threads_per_warp, error)) {
        good = false;
    } else if (request->kind == KIND_CSV) {
        good = show_csv(file, &show, error);
    } else if (request->kind == KIND_SVG) {
        good = svg_draw(file, &show, &limits, request, error);
    } else {
        const struct show_text_options text = {.width = text_width(request, file),
                                               .ascii = request->ascii || !utf8_locale(),
                                               .to_scale = request->to_scale};
        good = show_text(file, &show, &text, error);
    }
    show_fini(&show);
    return good;
}

static bool summary_draw(FILE *file, struct event_log_reader *log, struct gfe_error *error)
{
    const char *completions = event_log_run(log, "completions");
    const struct summary_notes notes = {.durations = event_log_run(log, "durations"),
                                        .assumed = event_log_run(log, "assumed"),
                                        .recorded_without_gpu =
                                            completions && strcmp(completions, "stand-in") == 0};

    return summary_print(file, log, &notes, false, error);
}

/* What could not be written output_commit() says. */
static bool perfetto_draw(struct output *output, struct event_log_reader *log,
                          const struct request *request, struct gfe_error *error)
{
    return show_perfetto(output->file, log, request->from_ps, request->to_ps, error) ||
           ferror(output->file);
}

static bool vcd_draw(struct output *output, struct event_log_reader *log,
                     const struct request *request, struct gfe_error *error)
{
    struct check_limits limits = {0};
    bool known;

    if (!cmd_gpu_limits(log, &limits, &known, error))
        return false;
    return show_vcd(output->file, log, request->from_ps, request->to_ps, limits.threads_per_sm,
                    error) ||
           ferror(output->file);
}

static bool terminal_check(const struct request *request, struct gfe_error *error)
{
    return (request->kind != KIND_PERFETTO && request->kind != KIND_HTML) ||
           strcmp(request->output_path, "-") != 0 || !isatty(STDOUT_FILENO) ||
           error_set(error, ERROR_USAGE,
                     "--as %s is nothing for a terminal; -o FILE writes it to a file",
                     request->kind == KIND_HTML ? "html" : "perfetto");
}

static bool examiner_write(const char *path, struct event_log_reader *log,
                           const struct request *request, struct gfe_error *error)
{
    struct check_limits limits = {0};
    bool known;

    if (!cmd_gpu_limits(log, &limits, &known, error))
        return false;

    const struct show_examiner_options examiner = {
        .directory = request->output_path, .log_path = path, .sm_count = limits.sm_count};
    uint64_t left_out;
    const bool good = show_examiner(log, &examiner, &left_out, error);

    if (good && left_out > 0)
        fprintf(stderr, "gfe show: %" PRIu64 " iteration%s left out: not all of it had ended\n",
                left_out, left_out == 1 ? " is" : "s are");
    return good;
}

static bool examiner_draw(const char *path, const struct request *request, struct gfe_error *error)
{
    struct event_log_reader *log = event_log_open(path, error);
    bool good = false;

    if (log) {
        event_log_limit(log, request->limits.expansion_bytes);
        good = examiner_write(path, log, request, error);
    }
    event_log_close(log);
    return good;
}

static bool draw(const char *path, const struct request *request, struct gfe_error *error)
{
    if (request->kind == KIND_EXAMINER)
        return examiner_draw(path, request, error);
    if (!terminal_check(request, error))
        return false;
    if (request->kind == KIND_HTML)
        return cmd_show_html(path, request->output_path, request->from_ps, request->to_ps,
                             &request->limits, error);
    struct event_log_reader *log = event_log_open(path, error);
    struct output output = {0};
    if (log)
        event_log_limit(log, request->limits.expansion_bytes);
    bool good =
        log && output_differs(request->output_path, path, error) &&
        (request->kind == KIND_PERFETTO ? output_open(&output, request->output_path, error)
                                        : output_open_text(&output, request->output_path, error));

    if (good && request->kind == KIND_SUMMARY)
        good = summary_draw(output.file, log, error);
    else if (good && request->kind == KIND_EVENTS)
        good = show_events(output.file, log, request->from_ps, request->to_ps, error);
    else if (good && request->kind == KIND_EVENTS_CSV)
        good = show_csv_events(output.file, log, request->from_ps, request->to_ps, error);
    else if (good && request->kind == KIND_VCD)
        good = vcd_draw(&output, log, request, error);
    else if (good && request->kind == KIND_PERFETTO)
        good = perfetto_draw(&output, log, request, error);
    else if (good)
        good = picture_draw(output.file, log, request, error);
    if (good)
        good = output_commit(&output, error);
    output_abort(&output);
    event_log_close(log);
    return good;
}

int cmd_show(int argc, char **argv)
{
    struct request request = {
        .kind = KIND_TEXT, .output_path = "-", .to_ps = GFE_PS_NEVER, .limits = LIMITS_DEFAULT};
    struct gfe_error error = {0};
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!option_take(&args, id, &request))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 1, 1) || !request_check(&args, &request))
        return args.status;
    return draw(args.operands[0], &request, &error) ? 0 : args_failed(&args, &error);
}
