/* SPDX-License-Identifier: MIT */
/* The views of an NVIDIA GPU, one builder each (emu/engine/inspect.h).  Private to nv_inspect*.c,
 * except for the table. */
#ifndef GFE_DEVICES_NVIDIA_NV_INSPECT_VIEWS_H
#define GFE_DEVICES_NVIDIA_NV_INSPECT_VIEWS_H

#include "emu/engine/inspect.h"

extern const struct inspect_view nv_inspect_views[];
extern const uint32_t nv_inspect_view_count;

/* nv_inspect_listing.c: Listing 1 of Bakita and Anderson 2024. */
json_t *nv_inspect_build_runlist(const struct inspect_subject *subject);
void nv_inspect_print_runlist(FILE *file, const json_t *view);
/* nv_inspect_top.c: engines as PTOP lists them. */
json_t *nv_inspect_build_device_info(const struct inspect_subject *subject);
/* nv_inspect_ce.c: copy engines' maps. */
json_t *nv_inspect_build_pce_map(const struct inspect_subject *subject);
json_t *nv_inspect_build_lce_for_pce(const struct inspect_subject *subject);
json_t *nv_inspect_build_shared_lce_for_grce(const struct inspect_subject *subject);
void nv_inspect_print_value(FILE *file, const json_t *view);
/* nv_inspect_channel.c: channels and TSGs. */
json_t *nv_inspect_build_channels(const struct inspect_subject *subject);
json_t *nv_inspect_build_tsgs(const struct inspect_subject *subject);
/* nv_inspect_unit.c: registers of units. */
json_t *nv_inspect_build_pbdma(const struct inspect_subject *subject);
json_t *nv_inspect_build_engines(const struct inspect_subject *subject);

/* Returns a field of a register by name, or 0 if this chip has no such register or field. */
uint32_t nv_inspect_field(struct machine *machine, const char *name, uint32_t instance,
                          uint32_t index, const char *field);
/* Returns the register's word, or 0 if this chip has no such register. */
uint32_t nv_inspect_word(struct machine *machine, const char *name, uint32_t instance,
                         uint32_t index);
/* Returns true if this chip has the register. */
bool nv_inspect_has(const struct machine *machine, const char *name, uint32_t instance,
                    uint32_t index);

#endif
