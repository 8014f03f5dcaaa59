/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/config/examiner_text.h"
#include "emu/base/json_text.h"

#include <inttypes.h>

json_t *examiner_text_json(const char *text, size_t bytes, uint64_t highest, const char *name,
                           struct gfe_error *error)
{
    json_error_t cause;
    json_t *root;

    if (bytes > highest) {
        (void)error_set(error, ERROR_INPUT, "%s: more than %" PRIu64 " MiB", name, highest >> 20);
        return NULL;
    }
    /* Not JSON_REJECT_DUPLICATES: comments are repeated. */
    root = json_text_load(text, bytes, 0, &cause);
    if (!root && json_error_code(&cause) == json_error_out_of_memory)
        (void)error_set(error, ERROR_SYSTEM, "out of memory");
    else if (!root)
        (void)error_set(error, ERROR_INPUT, "%s: line %d: not JSON: %s", name, cause.line,
                        cause.text);
    return root;
}
