/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_decode_amd.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_decode.h"
#include "devices/amd/formats/amd_ih_entry.h"
#include "devices/amd/formats/amd_kernel.h"
#include "devices/amd/formats/amd_mqd.h"
#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_sdma_mqd.h"
#include "devices/amd/formats/amd_sdma_packet.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "emu/base/input.h"
#include "emu/base/limits.h"
#include "emu/sim/gpus.h"
#include "traces/config/examiner_text.h"

enum { FILE_MAX_BYTES = 256 << 20, DWORD_DIGITS = 8, WORD_SHOWN = 24 };

typedef bool packet_next(struct amd_reader *reader, struct amd_packet *packet);

static const struct {
    const char *name;
    packet_next *next;
    bool has_kernels;
    /* 0: all generations have the same; else those before it are known, and each has its own */
    enum amd_generation generations;
} formats[] = {
    {"amd-pm4", amd_pm4_next, false, AMD_GENERATIONS},
    {"amd-aql", amd_aql_next, false, 0},
    {"amd-sdma", amd_sdma_next, false, AMD_GENERATIONS},
    {"amd-mqd", amd_mqd_next, false, AMD_GENERATION_GFX10},
    {"amd-hqd", amd_hqd_next, false, AMD_GENERATION_GFX10},
    {"amd-sdma-mqd", amd_sdma_mqd_next, false, AMD_GENERATION_GFX10},
    {"amd-ih", amd_ih_next, false, 0},
    {"amd-kernel-descriptor", amd_kernel_next, true, 0},
};

enum { FORMATS = sizeof formats / sizeof formats[0] };

/* A file that is being decoded. */
struct decode_file {
    const struct decode_amd_request *request;
    const struct amd_chip *chip;
    FILE *file;
    struct gfe_error *error;
    size_t format;
    enum amd_generation generation;
    uint32_t *dwords;
    uint32_t count, rest_bytes;
    uint64_t packet_count;
    /* for the text: the last packet that was printed, and how often it came again */
    struct amd_packet last;
    uint64_t again;
};

static size_t decode_format(const char *name)
{
    size_t i = 0;

    while (i < FORMATS && strcmp(formats[i].name, name) != 0)
        i++;
    return i;
}

/* Every GPU that gfe knows has the packets of gfx9. */
static enum amd_generation decode_generation(const struct decode_amd_request *request)
{
    return request->generation ? amd_generation_find(request->generation) : AMD_GENERATION_GFX9;
}

/* Packets of one generation look like sound packets of another, so one has to be named. */
static bool decode_generation_check(const struct decode_amd_request *request,
                                    struct gfe_error *error)
{
    const enum amd_generation known = formats[decode_format(request->format)].generations;
    const enum amd_generation generation = decode_generation(request);

    if (generation == AMD_GENERATIONS)
        return error_set(error, ERROR_USAGE,
                         "there is no generation '%s': there are gfx9 to gfx12, and for SDMA sdma4 "
                         "to sdma7",
                         request->generation);
    if (known == 0 && request->generation)
        return error_set(error, ERROR_USAGE,
                         "%s is the same in all generations, or says its own; leave out "
                         "--generation",
                         request->format);
    if (known != 0 && !request->generation && !request->gpu)
        return error_set(error, ERROR_USAGE,
                         "%s differs between generations: add --generation with gfx9%s, or --gpu "
                         "with one of gfe gpus",
                         request->format,
                         known == AMD_GENERATIONS ? ", gfx10, gfx11 or gfx12" : "");
    if (known != 0 && generation >= known)
        return error_set(error, ERROR_USAGE, "of %s only gfx9's is known, not %s's",
                         request->format, amd_generation_name(generation));
    return true;
}

static bool decode_amd_check(const struct decode_amd_request *request, struct gfe_error *error)
{
    if (decode_format(request->format) == FORMATS)
        return error_set(error, ERROR_USAGE, "there is no format '%s': there are %s",
                         request->format, DECODE_AMD_FORMATS);
    if (request->gpu && !gpu_find_amd(request->gpu, request->described))
        return error_set(error, ERROR_USAGE, "no AMD GPU is called '%s'; gfe gpus lists them",
                         request->gpu);
    return decode_generation_check(request, error);
}

/* ---- input ----------------------------------------------------------------------------------- */

static bool decode_room(struct decode_file *decode, size_t count)
{
    decode->dwords = malloc(count > 0 ? count * sizeof *decode->dwords : 1);
    return decode->dwords || error_set(decode->error, ERROR_SYSTEM, "out of memory");
}

static bool decode_binary(struct decode_file *decode, const unsigned char *bytes, size_t size)
{
    if (!decode_room(decode, size / 4))
        return false;
    decode->count = (uint32_t)(size / 4);
    decode->rest_bytes = (uint32_t)(size % 4);
    for (uint32_t i = 0; i < decode->count; i++, bytes += 4)
        decode->dwords[i] = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 |
                            (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
    return true;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* At most eight digits, 0x in front or not. */
static bool hex_dword(const char *word, size_t length, uint32_t *value)
{
    if (length > 2 && word[0] == '0' && (word[1] == 'x' || word[1] == 'X')) {
        word += 2;
        length -= 2;
    }
    *value = 0;
    for (size_t i = 0; i < length; i++) {
        if (hex_digit(word[i]) < 0)
            return false;
        *value = *value << 4 | (uint32_t)hex_digit(word[i]);
    }
    return length > 0 && length <= DWORD_DIGITS;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Words are dwords; one with a colon behind is an address, as dumps have it, and is passed over. */
static bool decode_text(struct decode_file *decode, const char *text, size_t size)
{
    uint64_t line = 1;

    if (!decode_room(decode, size / 2 + 1))
        return false;
    for (size_t i = 0, end; i < size; i = end) {
        end = i + 1;
        if (text[i] == '#')
            while (end < size && text[end] != '\n')
                end++;
        line += text[i] == '\n';
        if (text[i] == '#' || is_blank(text[i]))
            continue;
        while (end < size && !is_blank(text[end]))
            end++;
        if (text[end - 1] != ':' && !hex_dword(text + i, end - i, &decode->dwords[decode->count++]))
            return error_set(decode->error, ERROR_INPUT,
                             "%s: line %" PRIu64 ": '%.*s' is no dword in hexadecimal",
                             input_name(decode->request->path), line,
                             (int)(end - i < WORD_SHOWN ? end - i : WORD_SHOWN), text + i);
    }
    return true;
}

/* ---- output ---------------------------------------------------------------------------------- */

static void decode_end_repeats(struct decode_file *decode)
{
    if (decode->again > 0)
        fprintf(decode->file, "       %" PRIu64 " more like it\n", decode->again);
    decode->again = 0;
}

static bool decode_is_again(const struct decode_file *decode, const struct amd_packet *packet)
{
    return decode->last.dwords && decode->last.problem == packet->problem &&
           decode->last.dword_count == packet->dword_count &&
           memcmp(decode->last.dwords, packet->dwords,
                  packet->dword_count * sizeof *packet->dwords) == 0;
}

/* `name`: of a kernel; NULL = none. */
static bool decode_json(struct decode_file *decode, const struct amd_packet *packet,
                        const char *name, uint64_t at_bytes)
{
    json_t *json = amd_decode_json(packet, at_bytes);
    char *text;

    if (json && formats[decode->format].has_kernels && packet->problem == AMD_SOUND &&
        (json_object_set_new(json, "kernel", name ? json_string(name) : json_null()) != 0 ||
         json_object_set_new(
             json, "wave_vgprs",
             json_integer(amd_kernel_vgprs(decode->chip->vgpr_unit, packet->dwords))) != 0 ||
         json_object_set_new(
             json, "wave_sgprs",
             json_integer(amd_kernel_sgprs(decode->chip->sgpr_unit, packet->dwords))) != 0)) {
        json_decref(json);
        json = NULL;
    }
    text = json_text(json, JSON_COMPACT);
    json_decref(json);
    if (!text)
        return error_set(decode->error, ERROR_SYSTEM, "out of memory");
    fprintf(decode->file, "%s\n%s", decode->packet_count > 0 ? "," : "", text);
    free(text);
    return true;
}

static bool decode_packet(struct decode_file *decode, const struct amd_packet *packet,
                          const char *name, uint64_t at_bytes)
{
    bool done = true;

    if (decode->request->json) {
        done = decode_json(decode, packet, name, at_bytes);
    } else if (!name && decode_is_again(decode, packet)) {
        decode->again++;
    } else {
        decode_end_repeats(decode);
        if (name)
            fprintf(decode->file, "kernel %s\n", name);
        amd_decode_print(decode->file, packet, at_bytes);
        if (formats[decode->format].has_kernels && packet->problem == AMD_SOUND)
            fprintf(decode->file, "%16sa wave of %s takes %u VGPRs, %u SGPRs\n", "",
                    decode->chip->name,
                    (unsigned)amd_kernel_vgprs(decode->chip->vgpr_unit, packet->dwords),
                    (unsigned)amd_kernel_sgprs(decode->chip->sgpr_unit, packet->dwords));
        decode->last = *packet;
    }
    decode->packet_count++;
    return done;
}

static bool decode_packets(struct decode_file *decode)
{
    struct amd_reader reader = {decode->dwords, decode->count, 0, decode->generation};
    struct amd_packet packet;

    while (formats[decode->format].next(&reader, &packet))
        if (!decode_packet(decode, &packet, NULL, UINT64_C(4) * packet.at))
            return false;
    decode_end_repeats(decode);
    return true;
}

static bool decode_kernel(void *context, const struct amd_kernel *kernel)
{
    struct decode_file *decode = context;
    struct amd_reader reader = {kernel->descriptor, AMD_KERNEL_DWORDS, 0, AMD_GENERATION_GFX9};
    struct amd_packet packet;

    (void)amd_kernel_next(&reader, &packet);
    return decode_packet(decode, &packet, kernel->name, kernel->address);
}

/* What is not a code object is bare dwords. */
static bool decode_body(struct decode_file *decode, const char *bytes, size_t size)
{
    struct gfe_error inner = {0};
    uint32_t machine;

    if (formats[decode->format].has_kernels && !decode->request->hex && size >= 4 &&
        memcmp(bytes, "\177ELF", 4) == 0) {
        if (!amd_kernel_is_gfx9(bytes, size, &machine))
            return error_set(decode->error, ERROR_INPUT,
                             "%s: a code object for another generation (EF_AMDGPU_MACH 0x%" PRIx32
                             "); of kernel descriptors only gfx9's are known",
                             input_name(decode->request->path), machine);
        if (!amd_kernel_walk(bytes, size, decode_kernel, decode, &inner))
            return error_set(decode->error, inner.kind, "%s: %s", input_name(decode->request->path),
                             inner.text);
        if (decode->packet_count == 0 && !decode->request->json)
            fprintf(decode->file, "# no kernels: no symbol NAME.kd in its table of symbols\n");
        return decode->error->kind == ERROR_NONE;
    }
    return (decode->request->hex ? decode_text(decode, bytes, size)
                                 : decode_binary(decode, (const unsigned char *)bytes, size)) &&
           decode_packets(decode);
}

static void decode_json_head(const struct decode_file *decode)
{
    fprintf(decode->file, "{\"format\": \"%s\", ", decode->request->format);
    if (formats[decode->format].generations != 0)
        fprintf(decode->file, "\"generation\": \"%s\", ", amd_generation_name(decode->generation));
    fprintf(decode->file, "\"packets\": [");
}

static bool decode_all(struct decode_file *decode, const char *bytes, size_t size)
{
    if (decode->request->json)
        decode_json_head(decode);
    if (!decode_body(decode, bytes, size))
        return false;
    if (decode->request->json)
        fprintf(decode->file, "\n], \"rest_bytes\": %" PRIu32 "}\n", decode->rest_bytes);
    else if (decode->rest_bytes > 0)
        fprintf(decode->file, "# %" PRIu32 " bytes at the end are no dword\n", decode->rest_bytes);
    return true;
}

static bool decode_amd(const struct decode_amd_request *request, FILE *file,
                       struct gfe_error *error)
{
    const char *gpu = request->gpu ? request->gpu : DECODE_AMD_GPU;
    struct decode_file decode = {.request = request,
                                 .chip = gpu_find_amd(gpu, request->described),
                                 .file = file,
                                 .error = error,
                                 .format = decode_format(request->format),
                                 .generation = decode_generation(request)};
    size_t size;
    char *bytes =
        input_load(request->path, limits_input(request->limits, FILE_MAX_BYTES), &size, error);
    bool done = bytes != NULL;

    done = done && decode_all(&decode, bytes, size);
    free(decode.dwords);
    free(bytes);
    return done;
}

void decode_amd_file(const struct decode_amd_request *request, const char *output_path,
                     struct gfe_error *error)
{
    struct output output = {0};

    if (decode_amd_check(request, error) && output_differs(output_path, request->path, error) &&
        output_open_text(&output, output_path, error)) {
        if (decode_amd(request, output.file, error))
            (void)output_commit(&output, error);
        output_abort(&output);
    }
}
