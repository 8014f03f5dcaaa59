/* SPDX-License-Identifier: MIT */
/*
 * The Multi-Process Service: processes as clients of one server, whose scheduling resources they
 * share.
 *
 * Documented (NVIDIA, Multi-Process Service): up to Pascal clients share the server's address space
 * and its pool of connections, and their work passes through the server; from Volta on each has an
 * address space and connections of its own, 2 by default, and submits to the GPU itself.  At most
 * 16 clients up to Pascal, 48 from Volta on.  "Each application runs as a subcontext of an
 * MPS-created context", and the rules "likely apply if you consider all MPS-using tasks together as
 * a single task" (Bakita and Anderson 2024, note 13): here a client's channels are in the TSGs of
 * the first client's context, so that no timeslice parts them.
 *
 * A client's share of the threads (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE, from Volta on) "simply limits
 * how much resources can be used", reserves nothing, is what cudaDevAttrMultiProcessorCount says,
 * and is rounded down: here so many SMs, at least one.  An H100 rounds down to whole TPCs, gives
 * at least 8 SMs, and the client's blocks are on the SMs from 0 on (MEASURED at seven percentages,
 * tests/hardware/data, mps_5 to mps_100); that the descriptor's mask of TPCs does so, as it does
 * for a green context, is ASSUMED.
 *
 * ASSUMED: that a share goes by whole SMs, whichever they are, and does not hold up other clients
 * (CORE.CLIENT_SHARE); that kernels of all clients join one queue for each priority, as those of
 * one process do (NVIDIA's staff say that they run "in the same way"; T.Q alone would give each
 * address space one); what passing through the server takes; that copies have two channels for each
 * direction and client from Volta on; that the server itself does nothing else on the GPU.
 */
#include <config.h>

#include <inttypes.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_tables.h"

enum { CLIENTS_MAX = 48, CLIENTS_SHARED_MAX = 16, GH100_LEAST_SMS = 8 };

bool cuda_mps(const struct cuda *cuda)
{
    return cuda->program->mps || cuda_parameter(cuda, PARAM_CUDA_MPS) != 0;
}

bool cuda_mps_has_shares(const struct nv_chip *model)
{
    return model->class_compute >= VOLTA_COMPUTE_A;
}

bool cuda_mps_shared(const struct cuda *cuda)
{
    return cuda_mps(cuda) && !cuda_mps_has_shares(cuda->model);
}

uint32_t cuda_context_of(const struct cuda *cuda, uint32_t process)
{
    return cuda_mps_shared(cuda) ? 0 : process;
}

uint32_t cuda_context_first_stream(const struct cuda *cuda, uint32_t context)
{
    return cuda->first_streams[context];
}

uint32_t cuda_context_end_stream(const struct cuda *cuda, uint32_t context)
{
    return cuda_mps_shared(cuda) ? cuda->program->stream_count : cuda->first_streams[context + 1];
}

bool cuda_mps_check(const struct cuda *cuda, struct gfe_error *error)
{
    const uint32_t most = cuda_mps_shared(cuda) ? CLIENTS_SHARED_MAX : CLIENTS_MAX;
    const uint32_t clients = cuda->program->process_count, made = cuda_channel_made(cuda);

    if (cuda_parameter(cuda, PARAM_CUDA_MPS) > 1)
        return error_set(error, ERROR_USAGE, "parameter cuda.mps is 0 or 1");
    if (!cuda_mps(cuda))
        return true;
    for (uint32_t i = 0; i < clients; i++)
        if (cuda->program->starts_ps[i] > 0)
            return error_set(error, ERROR_INPUT,
                             "%s: a client of MPS makes no context of its own to begin with",
                             cuda->program->name);
    if (clients > most)
        return error_set(error, ERROR_INPUT,
                         "%s: %" PRIu32 " processes: the MPS server of a %s has at most %" PRIu32
                         " clients",
                         cuda->program->name, clients, cuda->model->name, most);
    if (!cuda_mps_shared(cuda) && clients * made > cuda->rm->chip->tsg_length_max)
        return error_set(error, ERROR_INPUT,
                         "%s: %" PRIu32 " clients of MPS with %" PRIu32
                         " channels each: a group of a %s has at most %" PRIu32,
                         cuda->program->name, clients, made, cuda->model->name,
                         cuda->rm->chip->tsg_length_max);
    return true;
}

/* Returns the number of SMs of a client with so many. */
static uint32_t mps_round(const struct cuda *cuda, uint32_t share)
{
    if (!cuda_is_gh100(cuda->model))
        return share > 0 ? share : 1;
    share -= share % (cuda->model->sm_count / cuda->model->tpc_count);
    return share > GH100_LEAST_SMS ? share : GH100_LEAST_SMS;
}

struct mask128 cuda_mps_mask(const struct cuda *cuda, uint32_t process)
{
    const uint32_t tpcs = cuda->model->tpc_count;
    struct mask128 mask = {{0, 0}};

    if (!cuda_mps(cuda) || !cuda_is_gh100(cuda->model))
        return mask;
    for (uint32_t tpc = cuda_mps_sms(cuda, process) * tpcs / cuda->model->sm_count; tpc < tpcs;
         tpc++)
        mask.word[tpc / 64] |= UINT64_C(1) << tpc % 64;
    return mask;
}

uint32_t cuda_mps_sms(const struct cuda *cuda, uint32_t process)
{
    const uint64_t ppm = cuda->program->shares_ppm[process], all = cuda->model->sm_count;
    const uint32_t share = (uint32_t)(all * ppm / 1000000);

    return ppm == 0 || ppm == 1000000 ? (uint32_t)all : mps_round(cuda, share);
}

void cuda_mps_tell(const struct cuda *cuda)
{
    for (uint32_t i = 0; i < cuda->program->process_count && cuda_mps(cuda); i++)
        MACHINE_LOG(cuda->machine, cuda->unit, EVENT_CUDA_CLIENT, RULE_CUDA_MPS_CLIENT, i,
                    cuda_context_of(cuda, i), cuda_mps_sms(cuda, i));
}
