# SPDX-License-Identifier: MIT

# --- suites and scripts -----------------------------------------------------------------------

# One test_<file>.c for each unit; list the unit in tests/suites.h too.
test_files = \
	emu/faults/campaign_db.c \
	emu/faults/campaign_db_guard.c \
	emu/faults/campaign_report.c \
	emu/faults/campaign_report_estimate.c \
	emu/faults/campaign_report_print.c \
	emu/faults/campaign_report_web.c \
	emu/program/cmd_decode.c \
	emu/program/cmd_decode_amd.c \
	emu/program/cmd_decode_kfd.c \
	emu/program/cmd_gpu.c \
	emu/program/cmd_diff.c \
	emu/program/cmd_live_print.c \
	emu/program/cmd_show.c \
	emu/program/cmd_show_html.c \
	emu/program/sandbox.c \
	tests/amd_object.h \
	tests/big_trace.c \
	tests/big_trace.h \
	tests/bus_build.c \
	tests/bus_build.h \
	tests/campaign_pair.c \
	tests/campaign_pair.h \
	tests/check_all.c \
	tests/check_amd.c \
	tests/check_amd.h \
	tests/check_copy.h \
	tests/check_explain.c \
	tests/check_explain.h \
	tests/check_hip.c \
	tests/check_hip.h \
	tests/check_hostile.h \
	tests/check_hws.c \
	tests/check_hws.h \
	tests/check_json.c \
	tests/check_json.h \
	tests/check_kfd.c \
	tests/check_kfd.h \
	tests/check_kfd_node.c \
	tests/check_kfd_node.h \
	tests/check_limits.h \
	tests/check_long.h \
	tests/check_machine.c \
	tests/check_machine.h \
	tests/check_mec.c \
	tests/check_mec.h \
	tests/check_pbdma.h \
	tests/check_pbdma_intr.h \
	tests/check_quick.h \
	tests/check_record.c \
	tests/check_record.h \
	tests/check_refuse.c \
	tests/check_refuse.h \
	tests/check_sdma.c \
	tests/check_sdma.h \
	tests/check_steps.c \
	tests/check_steps.h \
	tests/check_trace.c \
	tests/check_trace.h \
	tests/event_member.h \
	tests/chunk_samples.h \
	tests/copy_methods.h \
	tests/cuda_run.c \
	tests/cuda_run.h \
	tests/event_log_append.c \
	tests/event_log_append.h \
	tests/event_queue_calls.c \
	tests/event_queue_calls.h \
	tests/examiner_files.h \
	tests/examiner_texts.h \
	tests/figure_build.c \
	tests/figure_build.h \
	tests/golden/compute_136.h \
	tests/golden_log.c \
	tests/golden_log.h \
	tests/golden_text.c \
	tests/golden_text.h \
	tests/heap_bytes.h \
	tests/hip_run.c \
	tests/hip_run.h \
	tests/inject_run_parse.c \
	tests/inject_run_parse.h \
	tests/kfd_mqd_read.c \
	tests/kfd_mqd_read.h \
	tests/log_fixture.c \
	tests/log_fixture.h \
	tests/log_scenes.c \
	tests/log_scenes.h \
	tests/lose_event.c \
	tests/lose_event.h \
	tests/nouveau_client.h \
	tests/nvt_recording.h \
	tests/pty_screen.c \
	tests/pty_screen.h \
	tests/push_stream.c \
	tests/push_stream.h \
	tests/radeon_vii_figure9.h \
	tests/record_client.h \
	tests/scenario_log.c \
	tests/scenario_log.h \
	tests/show_loaded.h \
	tests/simulation_calls.c \
	tests/simulation_calls.h \
	tests/streams_fold.h \
	tests/suites.h \
	tests/test_address_space.c \
	tests/test_amd_ace.c \
	tests/test_amd_aql.c \
	tests/test_amd_chip.c \
	tests/test_amd_cu.c \
	tests/test_amd_cwsr.c \
	tests/test_amd_dispatch.c \
	tests/test_amd_effect.c \
	tests/test_amd_figure9.c \
	tests/test_amd_hostile.c \
	tests/test_amd_hostile_slot.c \
	tests/test_amd_inject.c \
	tests/test_amd_kernel.c \
	tests/test_amd_layout.c \
	tests/test_amd_lose_event.c \
	tests/test_amd_mec.c \
	tests/test_amd_mec_aql.c \
	tests/test_amd_mec_pm4.c \
	tests/test_amd_mec_save.c \
	tests/test_amd_mec_stream.c \
	tests/test_amd_mqd.c \
	tests/test_amd_node.c \
	tests/test_amd_plain.c \
	tests/test_amd_pm4.c \
	tests/test_amd_regs.c \
	tests/test_amd_sdma.c \
	tests/test_amd_sdma_copy.c \
	tests/test_amd_sdma_effect.c \
	tests/test_amd_sdma_packet.c \
	tests/test_amd_wave_rank.c \
	tests/test_amd_workload_manager.c \
	tests/test_amdgpu.c \
	tests/test_any_simulation.c \
	tests/test_arena.c \
	tests/test_args.c \
	tests/test_basis.c \
	tests/test_block_order.c \
	tests/test_calibrate.c \
	tests/test_campaign_access.c \
	tests/test_campaign_condition.c \
	tests/test_campaign_db.c \
	tests/test_campaign_draws.c \
	tests/test_campaign_estimate.c \
	tests/test_campaign_plan.c \
	tests/test_campaign_prune.c \
	tests/test_campaign_report.c \
	tests/test_campaign_run.c \
	tests/test_campaign_sample.c \
	tests/test_campaign_stats.c \
	tests/test_check.c \
	tests/test_check_cluster.c \
	tests/test_check_dispatch.c \
	tests/test_check_mask.c \
	tests/test_check_queue.c \
	tests/test_check_result.c \
	tests/test_check_stream.c \
	tests/test_chunk.c \
	tests/test_chunk_thread.c \
	tests/test_clock.c \
	tests/test_cmd_debug_screen.c \
	tests/test_cmd_decode.c \
	tests/test_cmd_decode_kfd.c \
	tests/test_cmd_live_print.c \
	tests/test_copy.c \
	tests/test_copy_share.c \
	tests/test_cuda_ahead.c \
	tests/test_cuda_channel.c \
	tests/test_cuda_mps.c \
	tests/test_cuda_stream.c \
	tests/test_cuda_tables.c \
	tests/test_debug.c \
	tests/test_deflate.c \
	tests/test_describe.c \
	tests/test_digest.c \
	tests/test_discriminate.c \
	tests/test_dispatch.c \
	tests/test_dispatch_cluster.c \
	tests/test_dispatch_mask.c \
	tests/test_dispatch_turns.c \
	tests/test_error.c \
	tests/test_event_log.c \
	tests/test_event_log_ahead.c \
	tests/test_event_log_batch.c \
	tests/test_event_queue.c \
	tests/test_examiner_config.c \
	tests/test_examiner_config_bad.c \
	tests/test_examiner_result.c \
	tests/test_exec_pool.c \
	tests/test_explain.c \
	tests/test_explain_against.c \
	tests/test_explain_life.c \
	tests/test_explain_story.c \
	tests/test_explain_story_dispatch.c \
	tests/test_explain_story_sdma.c \
	tests/test_extent.c \
	tests/test_figures.c \
	tests/test_fuzz.c \
	tests/test_gfe.c \
	tests/test_gpu_words.c \
	tests/test_bare.c \
	tests/test_gpu_file.c \
	tests/test_gpus.c \
	tests/test_hash.c \
	tests/test_hip_config.c \
	tests/test_hip_explore.c \
	tests/test_hip_runtime.c \
	tests/test_hip_threads.c \
	tests/test_host_random.c \
	tests/test_hws.c \
	tests/test_hws_packet.c \
	tests/test_hws_policy.c \
	tests/test_import_bus.c \
	tests/test_import_nvt.c \
	tests/test_import_nvt_bad.c \
	tests/test_import_raw.c \
	tests/test_inject.c \
	tests/test_inject_parse.c \
	tests/test_input.c \
	tests/test_inspect_queues.c \
	tests/test_inspect_queues_amd.c \
	tests/test_inspection.c \
	tests/test_json_text.c \
	tests/test_kfd.c \
	tests/test_kfd_cu_mask.c \
	tests/test_kfd_inspect.c \
	tests/test_kfd_mqd.c \
	tests/test_kfd_runlist.c \
	tests/test_kfd_sdma.c \
	tests/test_kfd_simulation.c \
	tests/test_kfd_userptr.c \
	tests/test_line_edit.c \
	tests/test_live_control.c \
	tests/test_live_kfd.c \
	tests/test_live_nouveau.c \
	tests/test_machine.c \
	tests/test_machine_mark.c \
	tests/test_measured.c \
	tests/test_measured_forms.c \
	tests/test_memory.c \
	tests/test_mmio.c \
	tests/test_model.c \
	tests/test_model_fold.c \
	tests/test_model_live.c \
	tests/test_nouveau.c \
	tests/test_nouveau_bind.c \
	tests/test_nouveau_chip.c \
	tests/test_nouveau_job.c \
	tests/test_nouveau_recover.c \
	tests/test_nv_ccsr.c \
	tests/test_nv_ce.c \
	tests/test_nv_ce_launch.c \
	tests/test_nv_ce_move.c \
	tests/test_nv_ce_queue.c \
	tests/test_nv_channel.c \
	tests/test_nv_chip_cost.c \
	tests/test_nv_chips.c \
	tests/test_nv_class.c \
	tests/test_nv_class_diff.c \
	tests/test_nv_class_error.c \
	tests/test_nv_crc.c \
	tests/test_nv_decode.c \
	tests/test_nv_decode_text.c \
	tests/test_nv_effect.c \
	tests/test_nv_engine.c \
	tests/test_nv_fault.c \
	tests/test_nv_fe.c \
	tests/test_nv_fe_context.c \
	tests/test_nv_fe_report.c \
	tests/test_nv_float.c \
	tests/test_nv_generation.c \
	tests/test_nv_hce.c \
	tests/test_nv_header.c \
	tests/test_nv_inject.c \
	tests/test_nv_inline.c \
	tests/test_nv_inspect.c \
	tests/test_nv_mmu.c \
	tests/test_nv_open.c \
	tests/test_nv_pbdma.c \
	tests/test_nv_pbdma_check.c \
	tests/test_nv_pbdma_decode.c \
	tests/test_nv_pbdma_entry.c \
	tests/test_nv_pbdma_faulted.c \
	tests/test_nv_pbdma_fetch.c \
	tests/test_nv_pbdma_host.c \
	tests/test_nv_pbdma_inject.c \
	tests/test_nv_pbdma_intr.c \
	tests/test_nv_pbdma_method.c \
	tests/test_nv_pbdma_semaphore.c \
	tests/test_nv_pce.c \
	tests/test_nv_pfifo.c \
	tests/test_nv_pmc.c \
	tests/test_nv_poke.c \
	tests/test_nv_qmd.c \
	tests/test_nv_regs.c \
	tests/test_nv_release.c \
	tests/test_nv_runlist.c \
	tests/test_nv_runlist_block.c \
	tests/test_nv_runlist_entry.c \
	tests/test_nv_runlist_list.c \
	tests/test_nv_runlist_slice.c \
	tests/test_nv_runqueue.c \
	tests/test_nv_scrub.c \
	tests/test_nv_semaphore.c \
	tests/test_nv_tile.c \
	tests/test_nv_top.c \
	tests/test_opened.c \
	tests/test_operation_name.c \
	tests/test_output.c \
	tests/test_paper_letter.c \
	tests/test_perfetto.c \
	tests/test_poke.c \
	tests/test_policy.c \
	tests/test_program.c \
	tests/test_protobuf.c \
	tests/test_random.c \
	tests/test_record_bind.c \
	tests/test_record_board.c \
	tests/test_record_directory.c \
	tests/test_record_exec.c \
	tests/test_record_finish.c \
	tests/test_record_kfd.c \
	tests/test_record_kfd_calls.c \
	tests/test_record_kfd_live.c \
	tests/test_record_kfd_packets.c \
	tests/test_record_kfd_pass.c \
	tests/test_record_kfd_probe.c \
	tests/test_record_kfd_store.c \
	tests/test_record_live.c \
	tests/test_record_memory.c \
	tests/test_record_nouveau.c \
	tests/test_record_nouveau_live.c \
	tests/test_record_parts.c \
	tests/test_record_pass.c \
	tests/test_record_pass_object.c \
	tests/test_record_pass_probe.c \
	tests/test_record_pass_sync.c \
	tests/test_record_prime.c \
	tests/test_record_program.c \
	tests/test_record_run.c \
	tests/test_record_saved.c \
	tests/test_record_shared.c \
	tests/test_record_state_file.c \
	tests/test_record_submit.c \
	tests/test_record_sync.c \
	tests/test_record_syncobj.c \
	tests/test_record_tree.c \
	tests/test_record_user.c \
	tests/test_record_vm.c \
	tests/test_record_wait.c \
	tests/test_record_walk.c \
	tests/test_reg.c \
	tests/test_reg_assign.c \
	tests/test_replay.c \
	tests/test_replay_bus.c \
	tests/test_replay_fences.c \
	tests/test_replay_memory.c \
	tests/test_replay_needs.c \
	tests/test_replay_records.c \
	tests/test_rm.c \
	tests/test_rm_context_init.c \
	tests/test_rm_recover.c \
	tests/test_rm_xid.c \
	tests/test_rule.c \
	tests/test_rules.c \
	tests/test_sandbox.c \
	tests/test_sandbox_program.c \
	tests/test_scenario.c \
	tests/test_scenario_damage.c \
	tests/test_scenario_own.c \
	tests/test_scenario_samples.c \
	tests/test_scrub.c \
	tests/test_scrub_origin.c \
	tests/test_scrub_write.c \
	tests/test_selftest.c \
	tests/test_show.c \
	tests/test_show_amd.c \
	tests/test_show_csv.c \
	tests/test_show_examiner.c \
	tests/test_show_html.c \
	tests/test_show_name.c \
	tests/test_show_perfetto.c \
	tests/test_show_perfetto_amd.c \
	tests/test_show_scale.c \
	tests/test_show_stack.c \
	tests/test_show_svg_page.c \
	tests/test_show_svg_sms.c \
	tests/test_show_svg_sms_amd.c \
	tests/test_show_svg_threads.c \
	tests/test_show_vcd.c \
	tests/test_simulation.c \
	tests/test_simulation_snapshot.c \
	tests/test_simulation_upload.c \
	tests/test_snapshot.c \
	tests/test_snapshot_file.c \
	tests/test_snapshot_process.c \
	tests/test_streams.c \
	tests/test_summary.c \
	tests/test_summary_amd.c \
	tests/test_summary_tasks.c \
	tests/test_text.c \
	tests/test_text_stream.c \
	tests/test_trace_aql.c \
	tests/test_trace_dump.c \
	tests/test_trace_reader.c \
	tests/test_trace_space.c \
	tests/test_trace_store.c \
	tests/test_trace_writer.c \
	tests/test_visible.c \
	tests/test_wake.c \
	tests/tile_reference.h \
	tests/trace_samples.c \
	tests/trace_samples.h

# Shell tests; they find their way by $top_srcdir and $top_builddir. Exit 77 means skipped. Those that
# take longest stand first, so that no processor waits for the last one.
test_scripts = \
	tests/test_failures.sh \
	tests/test_cli.sh \
	tests/test_diff.sh \
	tests/test_debug.sh \
	tests/test_discriminate.sh \
	tests/test_inject.sh \
	tests/test_live.sh \
	tests/test_live_gl.sh \
	tests/test_record.sh \
	tests/test_record_memory.sh \
	tests/test_arena_padding.sh \
	tests/test_block_turns.sh \
	tests/test_campaign.sh \
	tests/test_campaign_cluster.sh \
	tests/test_campaign_estimate.sh \
	tests/test_capture_cuda.sh \
	tests/test_check.sh \
	tests/test_check_result.sh \
	tests/test_cases.sh \
	tests/test_chips.sh \
	tests/test_compare.sh \
	tests/test_completion.sh \
	tests/test_copy_routes.sh \
	tests/test_decode_amd.sh \
	tests/test_design.sh \
	tests/test_explain.sh \
	tests/test_exports.sh \
	tests/test_figures_page.sh \
	tests/test_fuzz_run.sh \
	tests/test_gpu_file.sh \
	tests/test_gpu_nvdebug.sh \
	tests/test_gpus.sh \
	tests/test_hardware_findings.sh \
	tests/test_hip.sh \
	tests/test_hostile.sh \
	tests/test_house.sh \
	tests/test_inspect.sh \
	tests/test_interrupted.sh \
	tests/test_labels.sh \
	tests/test_labs.sh \
	tests/test_links.sh \
	tests/test_machine_log.sh \
	tests/test_man.sh \
	tests/test_measured_copies.sh \
	tests/test_model.sh \
	tests/test_mutate.sh \
	tests/test_occupancy.sh \
	tests/test_outcomes.sh \
	tests/test_output_rules.sh \
	tests/test_pages.sh \
	tests/test_paper_figures.sh \
	tests/test_page_rule.sh \
	tests/test_passthrough.sh \
	tests/test_perfetto_reader.sh \
	tests/test_promises.sh \
	tests/test_raw.sh \
	tests/test_raw_bare.sh \
	tests/test_record_kfd.sh \
	tests/test_record_kfd_pass.sh \
	tests/test_record_kfd_procs.sh \
	tests/test_record_kfd_runs.sh \
	tests/test_record_procs.sh \
	tests/test_rm_probe.sh \
	tests/test_scenario.sh \
	tests/test_scoreboard.sh \
	tests/test_scrub.sh \
	tests/test_selftest.sh \
	tests/test_show_examiner.sh \
	tests/test_show_html.sh \
	tests/test_show_threads.sh \
	tests/test_show_vcd.sh \
	tests/test_sm_split.sh \
	tests/test_static_channels.sh \
	tests/test_switch_cost.sh \
	tests/test_tpc_mask.sh \
	tests/test_vm.sh \
	tests/test_work_left.sh \
	tests/test_xid.sh

# --- what tests, benchmarks and fuzz targets share -------------------------------------------

# Linked from a library, so that each program takes what it needs.
EXTRA_LIBRARIES += tests/libhelpers.a
tests_libhelpers_a_SOURCES = \
	bench/bench.c \
	bench/bench.h \
	bench/bench_blocks.c \
	bench/bench_blocks.h \
	bench/bench_trace.c \
	bench/bench_trace.h \
	bench/control_heap.c \
	bench/control_heap.h \
	tests/big_trace.c \
	tests/big_trace.h \
	tests/check_hws.c \
	tests/check_hws.h \
	tests/check_machine.c \
	tests/check_machine.h \
	tests/event_log_append.c \
	tests/event_log_append.h \
	tests/event_queue_calls.c \
	tests/event_queue_calls.h \
	tests/fuzz/fuzz_amd_node.c \
	tests/fuzz/fuzz_amd_node.h \
	tests/fuzz/fuzz_file.c \
	tests/fuzz/fuzz_file.h \
	tests/fuzz/fuzz_head.c \
	tests/fuzz/fuzz_head.h \
	tests/fuzz/fuzz_import.c \
	tests/fuzz/fuzz_import.h \
	tests/fuzz/fuzz_pool.c \
	tests/fuzz/fuzz_pool.h \
	tests/fuzz/fuzz_records.c \
	tests/fuzz/fuzz_records.h \
	tests/inject_run_parse.c \
	tests/inject_run_parse.h \
	tests/push_stream.c \
	tests/push_stream.h \
	tests/simulation_calls.c \
	tests/simulation_calls.h

# --- tests ----------------------------------------------------------------------------------

EXTRA_PROGRAMS += tests/check_all tests/peak_memory tests/record_counts tests/trace_cat tests/snapshot_process
tests_check_all_SOURCES = $(test_files)
tests_check_all_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) -include $(top_srcdir)/tests/check_quick.h
tests_check_all_LDADD = $(core_ldadd) $(SQLITE_LIBS) $(SECCOMP_LIBS) $(CHECK_LIBS)


# The preload library with faults that GFE_RECORD_BREAK puts into it, to prove that tests notice.
check_PROGRAMS += libgfe-record-broken.so
libgfe_record_broken_so_SOURCES = $(preload_own_files)
libgfe_record_broken_so_CPPFLAGS = $(preload_cppflags) -DRECORD_BROKEN
libgfe_record_broken_so_CFLAGS = $(preload_cflags)
libgfe_record_broken_so_LDADD = $(preload_ldadd)
libgfe_record_broken_so_LDFLAGS = $(preload_ldflags)
libgfe_record_broken_so_DEPENDENCIES = libgfe_preload.a
# The stand-in as the "real" driver below a recorder (tests/test_passthrough.sh).
check_PROGRAMS += libgfe-record-under.so
libgfe_record_under_so_SOURCES = $(preload_own_files)
libgfe_record_under_so_CPPFLAGS = $(preload_cppflags) -DRECORD_UNDER
libgfe_record_under_so_CFLAGS = $(preload_cflags)
libgfe_record_under_so_LDADD = $(preload_ldadd)
libgfe_record_under_so_LDFLAGS = $(preload_ldflags)
libgfe_record_under_so_DEPENDENCIES = libgfe_preload.a

# Drives a browser (tests/test_show_html.sh).
check_PROGRAMS += tests/browse
tests_browse_SOURCES = tests/browse.c
tests_browse_LDADD = $(JANSSON_LIBS)

# Calls that fail on purpose: a library for gfe itself, or a gfe of its own where sanitizers want to
# own malloc.
check_PROGRAMS += tests/fail_commands
tests_fail_commands_SOURCES = tests/fail_commands.c tests/fail_server.h
if SANITIZERS
check_PROGRAMS += tests/gfe_wrapped
else
check_PROGRAMS += libgfe-fail.so
endif
libgfe_fail_so_SOURCES = tests/fail_calls.c
libgfe_fail_so_CFLAGS = $(base_cflags) $(pic_cflags)
libgfe_fail_so_LDFLAGS = $(shared_ldflags)
libgfe_fail_so_LDADD = -ldl
tests_gfe_wrapped_SOURCES = $(program_files) tests/fail_calls.c
tests_gfe_wrapped_CPPFLAGS = $(AM_CPPFLAGS) -DFAIL_WRAP
tests_gfe_wrapped_LDADD = $(core_ldadd) $(SQLITE_LIBS) $(SECCOMP_LIBS) $(NCURSES_LIBS)
tests_gfe_wrapped_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=mmap,--wrap=strdup,--wrap=strndup \
	-Wl,--wrap=realpath,--wrap=fopen,--wrap=fdopen,--wrap=asprintf \
	-Wl,--wrap=read,--wrap=pread,--wrap=write,--wrap=pwrite,--wrap=open,--wrap=openat \
	-Wl,--wrap=memfd_create,--wrap=ftruncate,--wrap=fsync,--wrap=rename,--wrap=linkat \
	-Wl,--wrap=fchmod,--wrap=pipe2,--wrap=waitpid

if HAVE_CHECK
check_PROGRAMS += tests/check_all $(client_programs) tests/peak_memory tests/record_counts tests/trace_cat tests/snapshot_process
TESTS += tests/check_all
else
check-local:
	@echo 'make check needs Check; on Debian: apt-get install check, then configure again' >&2
	@false
endif
TESTS += $(test_scripts)

# make looks at config.h by a job of its own.  What needs it waits for that job; what does not would be
# started meanwhile, all of it, and tests/check_all, which takes longest, last of all and alone.
$(test_scripts:.sh=.sh.log): config.h

EXTRA_DIST += \
	tests/build_variants.sh \
	tests/campaign_estimate.py \
	tests/campaigns \
	tests/cases \
	tests/chroot_test.sh \
	tests/check_long.sh \
	tests/compare_logs.sh \
	tests/coverage.py \
	tests/coverage.sh \
	tests/clients_test.sh \
	tests/dist_test.sh \
	tests/examiner \
	tests/golden \
	tests/hardware \
	tests/installed_test.sh \
	tests/mutants.sh \
	tests/mutants.txt \
	tests/mutate.py \
	tests/mutate.sh \
	tests/mutate_areas.txt \
	tests/mutate_check.py \
	tests/mutate_page.py \
	tests/mutate_run.py \
	tests/mutate_survivors.txt \
	tests/nvdebug_files.py \
	tests/only_tests.awk \
	tests/only_tests.txt \
	tests/perfetto.proto \
	tests/promises.sh \
	tests/published.py \
	tests/read_perfetto.py \
	tests/scoreboard.py \
	tests/rules \
	tests/run_page.sh \
	tests/same_log.sh \
	tests/scenarios \
	$(test_scripts)
