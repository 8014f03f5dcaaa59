/* SPDX-License-Identifier: MIT */
/*
 * trace_cat F.gft: all that a trace holds, unpacked, on standard output: for tests that look for
 * words in it.
 */
#include <config.h>

#include <stdio.h>

#include "emu/log/chunk.h"

int main(int argc, char **argv)
{
    struct gfe_error error = {0};
    struct chunk_reader *reader = argc == 2 ? chunk_reader_open(argv[1], &error) : NULL;
    enum chunk_result result = CHUNK_FAILED;
    struct chunk chunk;

    while (reader && (result = chunk_read(reader, &chunk, &error)) == CHUNK_GOT)
        fwrite(chunk.raw, 1, chunk.raw_bytes, stdout);
    if (result != CHUNK_AT_END)
        fprintf(stderr, "trace_cat: %s\n", argc == 2 ? error.text : "one trace is needed");
    chunk_reader_free(reader);
    return result == CHUNK_AT_END && fflush(stdout) == 0 ? 0 : 1;
}
