/* SPDX-License-Identifier: MIT */
/*
 * The list of all test suites: one for each tests/test_<name>.c, which defines
 * Suite *<name>_suite(void). Sorted; one a line.
 */
#ifndef TESTS_SUITES_H
#define TESTS_SUITES_H

#include <check.h>

/* clang-format off */
#define TEST_SUITES(S) \
    S(address_space) \
    S(arena) \
    S(args) \
    S(check) \
    S(check_result) \
    S(chunk) \
    S(chunk_thread) \
    S(clock) \
    S(cmd_decode) \
    S(copy) \
    S(copy_share) \
    S(deflate) \
    S(describe) \
    S(digest) \
    S(dispatch) \
    S(error) \
    S(event_log) \
    S(event_log_ahead) \
    S(event_log_batch) \
    S(event_queue) \
    S(examiner_config) \
    S(examiner_config_bad) \
    S(examiner_result) \
    S(exec_pool) \
    S(explain) \
    S(explain_life) \
    S(extent) \
    S(figures) \
    S(fuzz) \
    S(gfe) \
    S(gpu_model) \
    S(hash) \
    S(host_random) \
    S(import_bus) \
    S(import_nvt) \
    S(import_nvt_bad) \
    S(import_raw) \
    S(inspection) \
    S(machine) \
    S(memory) \
    S(mmio) \
    S(nouveau) \
    S(nouveau_bind) \
    S(nouveau_chip) \
    S(nouveau_job) \
    S(nv_ccsr) \
    S(nv_ce) \
    S(nv_ce_launch) \
    S(nv_ce_move) \
    S(nv_ce_queue) \
    S(nv_channel) \
    S(nv_chips) \
    S(nv_class) \
    S(nv_crc) \
    S(nv_decode) \
    S(nv_decode_text) \
    S(nv_fault) \
    S(nv_engine) \
    S(nv_fe) \
    S(nv_fe_context) \
    S(nv_fe_report) \
    S(nv_float) \
    S(nv_generation) \
    S(nv_hce) \
    S(nv_header) \
    S(nv_inline) \
    S(nv_inspect) \
    S(nv_mmu) \
    S(nv_pbdma) \
    S(nv_pbdma_check) \
    S(nv_pbdma_decode) \
    S(nv_pbdma_entry) \
    S(nv_pbdma_faulted) \
    S(nv_pbdma_fetch) \
    S(nv_pbdma_host) \
    S(nv_pbdma_inject) \
    S(nv_pbdma_intr) \
    S(nv_pbdma_method) \
    S(nv_pbdma_semaphore) \
    S(nv_pce) \
    S(nv_pfifo) \
    S(nv_pmc) \
    S(nv_poke) \
    S(nv_qmd) \
    S(nv_regs) \
    S(nv_release) \
    S(nv_runlist) \
    S(nv_runlist_entry) \
    S(nv_runlist_list) \
    S(nv_runlist_regs) \
    S(nv_runlist_slice) \
    S(nv_scrub) \
    S(nv_semaphore) \
    S(nv_tile) \
    S(nv_top) \
    S(output) \
    S(perfetto) \
    S(poke) \
    S(protobuf) \
    S(random) \
    S(record_bind) \
    S(record_board) \
    S(record_directory) \
    S(record_exec) \
    S(record_finish) \
    S(record_memory) \
    S(record_nouveau) \
    S(record_pass) \
    S(record_pass_probe) \
    S(record_program) \
    S(record_shared) \
    S(record_submit) \
    S(record_sync) \
    S(record_syncobj) \
    S(record_tree) \
    S(record_vm) \
    S(record_walk) \
    S(reg) \
    S(reg_assign) \
    S(replay) \
    S(replay_bus) \
    S(replay_fences) \
    S(replay_memory) \
    S(replay_records) \
    S(rm) \
    S(rm_context_init) \
    S(rm_recover) \
    S(rule) \
    S(show) \
    S(show_csv) \
    S(show_perfetto) \
    S(show_scale) \
    S(rules) \
    S(scrub) \
    S(scrub_origin) \
    S(scrub_write) \
    S(simulation) \
    S(simulation_upload) \
    S(snapshot) \
    S(snapshot_file) \
    S(snapshot_process) \
    S(summary) \
    S(trace_dump) \
    S(trace_reader) \
    S(trace_space) \
    S(trace_store) \
    S(trace_writer)
/* clang-format on */

#define TEST_SUITE_DECLARE(name) Suite *name##_suite(void);
TEST_SUITES(TEST_SUITE_DECLARE)
#undef TEST_SUITE_DECLARE

#endif
