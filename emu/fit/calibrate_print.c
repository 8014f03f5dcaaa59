/* SPDX-License-Identifier: MIT */
/* A calibration as text, as JSON and as a GPU file. */
#include <config.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "emu/base/json_text.h"
#include "emu/fit/calibrate.h"

enum { NAME_BYTES = 64, SOURCE_BYTES = 256 };

static const char *const verdicts[] = {"determined", "not determined: no figure depends on it",
                                       "not determined: the others can make up for it"};

/* ---- what was found -------------------------------------------------------------------------- */

/* Ends of the range in which a value lies, by two standard deviations. */
static double range_end(const struct fit_parameter *parameter, double sign)
{
    return (double)parameter->value * exp(sign * 2 * parameter->spread);
}

void fit_calibration_print(const struct fit_calibration *calibration, FILE *file)
{
    fprintf(
        file,
        "%u figures of %u experiments, %u runs\nmean error (root of the squares) %.2f %% before, %.2f %% now\n\n",
        calibration->figure_count, calibration->measured.experiment_count, calibration->run_count,
        100 * calibration->error_before, 100 * calibration->error_after);
    fprintf(file, "%-32s %14s %14s %29s %8s\n", "PARAMETER", "BEFORE", "FITS", "RANGE", "FIGURES");
    for (uint32_t i = 0; i < calibration->parameter_count; i++) {
        const struct fit_parameter *parameter = &calibration->parameters[i];

        fprintf(file, "%-32s %14" PRIu64, parameter->id, parameter->before);
        if (parameter->verdict == FIT_DETERMINED)
            fprintf(file, " %14" PRIu64 " %13.0f to %12.0f %8u\n", parameter->value,
                    range_end(parameter, -1), range_end(parameter, 1), parameter->figure_count);
        else
            fprintf(file, " %s\n", verdicts[parameter->verdict]);
    }
}

static json_t *parameter_json(const struct fit_parameter *parameter)
{
    if (parameter->verdict != FIT_DETERMINED)
        return json_pack("{ss sI ss si}", "parameter", parameter->id, "before",
                         (json_int_t)parameter->before, "verdict", verdicts[parameter->verdict],
                         "figures", (int)parameter->figure_count);
    return json_pack("{ss sI ss si sI s[ff]}", "parameter", parameter->id, "before",
                     (json_int_t)parameter->before, "verdict", verdicts[parameter->verdict],
                     "figures", (int)parameter->figure_count, "value", (json_int_t)parameter->value,
                     "range", range_end(parameter, -1), range_end(parameter, 1));
}

json_t *fit_calibration_json(const struct fit_calibration *calibration)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < calibration->parameter_count; i++)
        list = json_text_append(list, parameter_json(&calibration->parameters[i]));
    return json_pack("{si si si sf sf so}", "figures", (int)calibration->figure_count,
                     "experiments", (int)calibration->measured.experiment_count, "runs",
                     (int)calibration->run_count, "error_before", calibration->error_before,
                     "error_after", calibration->error_after, "parameters", list);
}

/* ---- the GPU file ---------------------------------------------------------------------------- */

static json_t *value_json(const struct fit_calibration *calibration,
                          const struct fit_parameter *parameter)
{
    char source[SOURCE_BYTES];

    (void)snprintf(source, sizeof source, "gfe calibrate, %s: %.0f to %.0f, from %u figures",
                   calibration->measured.gpu ? calibration->measured.gpu : "a GPU without a name",
                   range_end(parameter, -1), range_end(parameter, 1), parameter->figure_count);
    return json_pack("{sI ss so}", "value", (json_int_t)parameter->value, "basis", "MEASURED",
                     "source", json_text_string(source));
}

json_t *fit_calibration_gpu(const struct fit_calibration *calibration, const char *gpu,
                            const char *called)
{
    json_t *parameters = json_object();
    char name[NAME_BYTES];

    for (uint32_t i = 0; i < calibration->parameter_count; i++)
        if (calibration->parameters[i].verdict == FIT_DETERMINED)
            parameters = json_text_set(parameters, calibration->parameters[i].id,
                                       value_json(calibration, &calibration->parameters[i]));
    (void)snprintf(name, sizeof name, "%s-calibrated", gpu);
    return json_pack("{si ss so so}", "gfe_gpu", 1, "inherits", gpu, "name",
                     json_text_string(called ? called : name), "parameters", parameters);
}
