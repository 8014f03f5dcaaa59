#!/bin/sh
# SPDX-License-Identifier: MIT
# Each kind of output has one function that a text of a file may go through, and no source goes round
# it:
#   - text for terminals: `stdout`, `stderr` and output_open_text(), which are streams of
#     emu/base/visible.h; visible_command() is for gfe's own words;
#   - SVG and HTML: markup_print() and markup_text() (emu/base/markup.h), attributes in double quotes;
#   - cells of CSV: csv_text() and csv_quoted() (emu/base/csv.h).
# The checks are of the sources, and each sees what it should see in lines made for that.
# tests/test_hostile.sh looks at what comes out.
#
# PROMISE (program): No source writes text, markup or CSV past the function that escapes names.
set -eu
cd "${top_srcdir:-.}"
status=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
LC_ALL=C
export LC_ALL

report() # MESSAGE LINES
{
    [ -n "$2" ] || return 0
    printf '%s:\n%s\n' "$1" "$2"
    status=1
}

# Prints each statement of C on a line FILE:STATEMENT, without comments, with "" for each literal of
# formats that holds no %s, and "%s" for each that does.
statements() # FILE...
{
    # shellcheck disable=SC2016 # awk's own variables
    awk '
    FNR == 1 { text = ""; comment = 0 }
    {
        line = $0
        if (comment && index(line, "*/")) { sub(/^.*\*\//, "", line); comment = 0 }
        if (comment) next
        gsub(/\/\*[^*]*(\*[^\/][^*]*)*\*\//, "", line)
        if (index(line, "/*")) { sub(/\/\*.*/, "", line); comment = 1 }
        if (line ~ /^#/) next
        text = text " " line
        if (line ~ /[;{}]$/ || line ~ /^ *(else|case .*:|default:)$/) {
            gsub(/  +/, " ", text)
            print FILENAME ":" text
            text = ""
        }
    }' "$@"
}

# --- markup -----------------------------------------------------------------------------------

# What writes markup: a source with a literal that closes an element.
markup_files()
{
    find emu devices firmware-models traces -name '*.c' | sort | xargs grep -lE '"[^"]*(</|/>)' | grep -v '^emu/base/markup.c$'
}

# Constants of gfe that are markup, and bytes of base64.
markup_constants='fputs\((style|amd_style|html_style), |fputs\(body, |fputs\(patterns\[|fwrite\((html_style|html_script)\.text, |fwrite\(out, 1, used, |fputc\(text\[i\], page->file'

markup_past() # <STATEMENTS
{
    sed -E 's/\\"/'"'"'/g; s/"[^"]*"/""/g; s/(PRI[a-z0-9]+|SVG_PX) */""/g; s/("" *)+/""/g' |
        grep -E '(^|[^a-z_])(v?fprintf|printf|puts|putchar|putc|fputs|fputc|fwrite|fputs_unlocked)\(' |
        grep -vE "fputs\\(\"\", [a-z>.-]+\\)|fputs\\([^?\"]*\\? *\"\" *: *\"\", [a-z>.-]+\\)|fputc\\('(\\\\'|[^']+)', [a-z>.-]+\\)" |
        grep -vE "$markup_constants" || true
}
cat >"$scratch/past.c" <<'END'
    fprintf(file, "<text>%s</text>", name);
    fputs(name, file);
    fputs(is_long ? name : "", file);
    fputc(*c, page->file);
    fwrite(name, 1, strlen(name), file);
    printf("</%s>", name);
END
cat >"$scratch/through.c" <<'END'
    markup_print(file, "<text>%s</text>", name);
    markup_text(file, name);
    fputs("</text>\n", page->file);
    fputs(count == 1 ? ": " : ", the first is ", page->file);
    fputc('\n', file);
    (void)snprintf(to, bytes, "%s", name);
END
statements "$scratch/past.c" | markup_past | wc -l >"$scratch/seen"
[ "$(cat "$scratch/seen")" -eq 6 ] || report 'the check of markup' "it sees $(cat "$scratch/seen") of 6 wrong lines"
report 'lines that the check of markup should pass' "$(statements "$scratch/through.c" | markup_past)"
markup_files >"$scratch/markup"
[ "$(wc -l <"$scratch/markup")" -ge 12 ] || report 'files with markup' "$(cat "$scratch/markup")"
# shellcheck disable=SC2046 # names without blanks
report 'markup past emu/base/markup.h' "$(statements $(cat "$scratch/markup") emu/views/svg/*.c | sort -u | markup_past)"
# shellcheck disable=SC2046
report 'attributes that are not in double quotes' "$(grep -nE "=('|\\\\')%|=%[a-z]" $(cat "$scratch/markup") || true)"

# --- CSV --------------------------------------------------------------------------------------

# A text beside a comma without a blank, or in quotes between commas.
csv_past() # <LINES FILE:LINE:TEXT
{
    grep -E '(printf|print)\(|^[^:]*:[0-9]+: *"' | grep -E '"([^"]|\\")*(,(\\")?%[-.0-9*]*s|%[-.0-9*]*s(\\")?,([^ ]|$))' |
        grep -vE "^emu/views/html/show_html_head\.c:|html_print\(|'%s|\\{|^emu/analysis/explain/explain_json\.c:|discriminate_config\.c:" || true
}
cat >"$scratch/csv" <<'END'
emu/x.c:1:    fprintf(file, "%s,", by);
emu/x.c:2:    fprintf(file, ",%s,%" PRIu64, name, count);
emu/x.c:3:    fprintf(file, "latency,\"%s\",Detected\n", name);
emu/x.c:4:            "%-10s,%d\n", name, count);
END
cat >"$scratch/no-csv" <<'END'
emu/x.c:1:    fprintf(file, "%s, then %s: %s\n", a, b, c);
emu/x.c:2:    csv_text(file, name);
emu/x.c:3:    fprintf(file, ",%" PRIu64 ",", count);
END
csv_past <"$scratch/csv" >"$scratch/seen"
report 'lines that the check of CSV should see' "$(diff "$scratch/csv" "$scratch/seen" || true)"
report 'lines that the check of CSV should pass' "$(csv_past <"$scratch/no-csv")"
report 'cells of CSV past emu/base/csv.h' "$(
    find emu devices firmware-models traces -name '*.c' | sort | xargs grep -nH '' | csv_past)"

# --- terminals --------------------------------------------------------------------------------

# Ways past the streams: a descriptor, another stream of one, and what commands a terminal.  A literal
# with \r may be compared with, or be a set of characters to skip.
terminal_past() # <LINES FILE:LINE:TEXT
{
    grep -E '(^|[^a-z_])(v?dprintf|fdopen|freopen)\(|(^|[^a-z_])write\((1|2|STDOUT_FILENO|STDERR_FILENO),|(^|[^a-z_.>])(stdout|stderr) = |"([^"]|\\")*\\(033|x1b|e\[|r|a|b|f|v)|visible_(command|stdio|open)\(|output_open(_private)?\(' |
        grep -vE '^emu/base/(visible|output)\.[ch]:|strcspn\(|strpbrk\(|strspn\(|strchr\(|blanks\[\]|strcmp\(|^[^:]*:[0-9]+: *(/\*|\*)' || true
}
cat >"$scratch/terminal" <<'END'
emu/x.c:1:    dprintf(2, "%s\n", name);
emu/x.c:2:    FILE *file = fdopen(dup(1), "w");
emu/x.c:3:    if (write(STDOUT_FILENO, name, bytes) < 0)
emu/x.c:4:    stdout = file;
emu/x.c:5:    fprintf(stderr, "\r%s", name);
emu/x.c:6:    printf("\033[1m%s", name);
emu/x.c:7:    good = output_open(&output, path, error);
emu/x.c:8:    visible_command(STDERR_FILENO, "%s", name);
END
cat >"$scratch/no-terminal" <<'END'
emu/x.c:1:    printf("%s\n", name);
emu/x.c:2:    good = output_open_text(&output, path, error);
emu/x.c:3:    line[strcspn(line, "#\r\n")] = '\0';
emu/x.c:4:    static const char blanks[] = " \t\r\n";
emu/x.c:5:    written = pwrite(fd, from, bytes, offset);
END
terminal_past <"$scratch/terminal" >"$scratch/seen"
report 'lines that the check of terminals should see' "$(diff "$scratch/terminal" "$scratch/seen" || true)"
report 'lines that the check of terminals should pass' "$(terminal_past <"$scratch/no-terminal")"
# Each with its reason.  Traces, logs, snapshots and Perfetto's files are bytes; bars and lines that are
# edited command the terminal with gfe's own words; ncurses shows control characters by itself.
cat >"$scratch/known" <<'END'
emu/program/cmd_campaign_run.c visible_command
emu/program/cmd_debug_screen.c fdopen
emu/program/cmd_debug_terminal.c visible_command
emu/program/cmd_debug_terminal.c terminal_say
emu/program/cmd_fit_progress.c visible_command
emu/program/cmd_import.c output_open
emu/program/cmd_inject.c output_open
emu/program/cmd_live.c output_open
emu/program/cmd_run_hip.c output_open
emu/program/cmd_run_log.c output_open
emu/program/cmd_run_watch.c visible_command
emu/program/cmd_run_watch.c STDERR_FILENO
emu/program/cmd_run_watch.c \r\033[Kgfe
emu/program/cmd_scrub.c output_open
emu/program/cmd_show.c output_open
emu/program/main.c visible_stdio
emu/selftest/bus_program.c fdopen
emu/sim/gfe_simulation.c output_open
emu/sim/simulation_snapshot.c output_open
END
find emu devices firmware-models traces/format traces/import traces/config -name '*.c' | sort | xargs grep -nH '' | terminal_past >"$scratch/found"
# shellcheck disable=SC2016 # awk's own variables
report 'text past the streams of emu/base/visible.h' "$(awk '
    FILENAME ~ /known$/ { known[$1 " " $2] = 1; next }
    {
        file = $0
        sub(/:.*/, "", file)
        for (pair in known) {
            split(pair, part, " ")
            if (part[1] == file && index($0, part[2]))
                next
        }
        print
    }' "$scratch/known" "$scratch/found")"

exit "$status"
