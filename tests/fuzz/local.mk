# SPDX-License-Identifier: MIT

# Suites try each target on bytes of their own (tests/test_fuzz.c).
test_files += \
	tests/fuzz/fuzz_amd_mec.c \
	tests/fuzz/fuzz_amd_mec.h \
	tests/fuzz/fuzz_amd_mqd.c \
	tests/fuzz/fuzz_amd_mqd.h \
	tests/fuzz/fuzz_amd_node.c \
	tests/fuzz/fuzz_amd_node.h \
	tests/fuzz/fuzz_amd_object.c \
	tests/fuzz/fuzz_amd_object.h \
	tests/fuzz/fuzz_amd_packets.c \
	tests/fuzz/fuzz_amd_packets.h \
	tests/fuzz/fuzz_amd_sdma.c \
	tests/fuzz/fuzz_amd_sdma.h \
	tests/fuzz/fuzz_bus.c \
	tests/fuzz/fuzz_bus.h \
	tests/fuzz/fuzz_campaign_db.c \
	tests/fuzz/fuzz_campaign_db.h \
	tests/fuzz/fuzz_debug.c \
	tests/fuzz/fuzz_debug.h \
	tests/fuzz/fuzz_draw.c \
	tests/fuzz/fuzz_draw.h \
	tests/fuzz/fuzz_examiner.c \
	tests/fuzz/fuzz_examiner.h \
	tests/fuzz/fuzz_explain.c \
	tests/fuzz/fuzz_explain.h \
	tests/fuzz/fuzz_file.c \
	tests/fuzz/fuzz_file.h \
	tests/fuzz/fuzz_gpfifo.c \
	tests/fuzz/fuzz_gpfifo.h \
	tests/fuzz/fuzz_gpu_file.c \
	tests/fuzz/fuzz_gpu_file.h \
	tests/fuzz/fuzz_head.c \
	tests/fuzz/fuzz_head.h \
	tests/fuzz/fuzz_hip_config.c \
	tests/fuzz/fuzz_hip_config.h \
	tests/fuzz/fuzz_hws.c \
	tests/fuzz/fuzz_hws.h \
	tests/fuzz/fuzz_import.c \
	tests/fuzz/fuzz_import.h \
	tests/fuzz/fuzz_inject.c \
	tests/fuzz/fuzz_inject.h \
	tests/fuzz/fuzz_inspect.c \
	tests/fuzz/fuzz_inspect.h \
	tests/fuzz/fuzz_kfd_replay.c \
	tests/fuzz/fuzz_kfd_replay.h \
	tests/fuzz/fuzz_live.c \
	tests/fuzz/fuzz_live.h \
	tests/fuzz/fuzz_log.c \
	tests/fuzz/fuzz_log.h \
	tests/fuzz/fuzz_log_head.c \
	tests/fuzz/fuzz_log_head.h \
	tests/fuzz/fuzz_measured.c \
	tests/fuzz/fuzz_measured.h \
	tests/fuzz/fuzz_names.c \
	tests/fuzz/fuzz_names.h \
	tests/fuzz/fuzz_nv_decode.c \
	tests/fuzz/fuzz_nv_decode.h \
	tests/fuzz/fuzz_nvdebug.c \
	tests/fuzz/fuzz_nvdebug.h \
	tests/fuzz/fuzz_nvt.c \
	tests/fuzz/fuzz_nvt.h \
	tests/fuzz/fuzz_pbdma.c \
	tests/fuzz/fuzz_pbdma.h \
	tests/fuzz/fuzz_plan.c \
	tests/fuzz/fuzz_plan.h \
	tests/fuzz/fuzz_poke.c \
	tests/fuzz/fuzz_poke.h \
	tests/fuzz/fuzz_pool.c \
	tests/fuzz/fuzz_pool.h \
	tests/fuzz/fuzz_raw.c \
	tests/fuzz/fuzz_raw.h \
	tests/fuzz/fuzz_record_kfd.c \
	tests/fuzz/fuzz_record_kfd.h \
	tests/fuzz/fuzz_records.c \
	tests/fuzz/fuzz_records.h \
	tests/fuzz/fuzz_recover.c \
	tests/fuzz/fuzz_recover.h \
	tests/fuzz/fuzz_registers.c \
	tests/fuzz/fuzz_registers.h \
	tests/fuzz/fuzz_replay.c \
	tests/fuzz/fuzz_replay.h \
	tests/fuzz/fuzz_result.c \
	tests/fuzz/fuzz_result.h \
	tests/fuzz/fuzz_runlist.c \
	tests/fuzz/fuzz_runlist.h \
	tests/fuzz/fuzz_scenario.c \
	tests/fuzz/fuzz_scenario.h \
	tests/fuzz/fuzz_scrub.c \
	tests/fuzz/fuzz_scrub.h \
	tests/fuzz/fuzz_snapshot.c \
	tests/fuzz/fuzz_snapshot.h \
	tests/fuzz/fuzz_trace.c \
	tests/fuzz/fuzz_trace.h

# With configure --enable-fuzzing CC=clang, make fuzz builds tests/fuzz/fuzz_<target> with libFuzzer,
# and the dictionaries; tests/fuzz/run.sh runs them on copies of tests/fuzz/corpus/<target>.
fuzz_programs = \
	tests/fuzz/fuzz_amd_mec \
	tests/fuzz/fuzz_amd_mqd \
	tests/fuzz/fuzz_amd_object \
	tests/fuzz/fuzz_amd_packets \
	tests/fuzz/fuzz_amd_sdma \
	tests/fuzz/fuzz_bus \
	tests/fuzz/fuzz_campaign_db \
	tests/fuzz/fuzz_debug \
	tests/fuzz/fuzz_draw \
	tests/fuzz/fuzz_examiner \
	tests/fuzz/fuzz_explain \
	tests/fuzz/fuzz_gpfifo \
	tests/fuzz/fuzz_gpu_file \
	tests/fuzz/fuzz_hip_config \
	tests/fuzz/fuzz_hws \
	tests/fuzz/fuzz_inject \
	tests/fuzz/fuzz_inspect \
	tests/fuzz/fuzz_kfd_replay \
	tests/fuzz/fuzz_live \
	tests/fuzz/fuzz_log \
	tests/fuzz/fuzz_log_head \
	tests/fuzz/fuzz_measured \
	tests/fuzz/fuzz_names \
	tests/fuzz/fuzz_nv_decode \
	tests/fuzz/fuzz_nvdebug \
	tests/fuzz/fuzz_nvt \
	tests/fuzz/fuzz_pbdma \
	tests/fuzz/fuzz_plan \
	tests/fuzz/fuzz_poke \
	tests/fuzz/fuzz_raw \
	tests/fuzz/fuzz_record_kfd \
	tests/fuzz/fuzz_recover \
	tests/fuzz/fuzz_registers \
	tests/fuzz/fuzz_replay \
	tests/fuzz/fuzz_result \
	tests/fuzz/fuzz_runlist \
	tests/fuzz/fuzz_scenario \
	tests/fuzz/fuzz_scrub \
	tests/fuzz/fuzz_snapshot \
	tests/fuzz/fuzz_trace
fuzz_dictionaries = \
	tests/fuzz/methods.dict \
	tests/fuzz/names.dict \
	tests/fuzz/records.dict

# The last three are plain programs, which make inputs and dictionaries.
EXTRA_PROGRAMS += $(fuzz_programs) tests/fuzz/fuzz_amd_seeds tests/fuzz/fuzz_seeds tests/fuzz/fuzz_tokens

tests_fuzz_fuzz_campaign_db_SOURCES = \
	emu/faults/campaign_db.c \
	emu/faults/campaign_db_guard.c \
	emu/faults/campaign_report.c \
	emu/faults/campaign_report_estimate.c \
	emu/faults/campaign_report_print.c \
	emu/faults/campaign_report_web.c \
	tests/fuzz/fuzz_campaign_db.c
tests_fuzz_fuzz_campaign_db_LDADD = $(LDADD) $(SQLITE_LIBS)

# Plain programs: libFuzzer has a main of its own.
tests_fuzz_fuzz_amd_seeds_LDFLAGS = $(NO_LTO_LDFLAGS)
tests_fuzz_fuzz_seeds_LDFLAGS = $(NO_LTO_LDFLAGS)
tests_fuzz_fuzz_tokens_LDFLAGS = $(NO_LTO_LDFLAGS)

$(fuzz_dictionaries): tests/fuzz/fuzz_tokens
	$(AM_V_GEN)kind=`basename $@ .dict`; tests/fuzz/fuzz_tokens $$kind >$@.tmp && mv $@.tmp $@

if FUZZING
fuzz: $(fuzz_programs) $(fuzz_dictionaries) tests/fuzz/fuzz_amd_seeds tests/fuzz/fuzz_seeds
	$(AM_V_at)$(SHELL) $(srcdir)/tests/fuzz/run.sh --stamp .
else
fuzz:
	@echo 'make fuzz needs configure --enable-fuzzing CC=clang' >&2
	@false
endif
.PHONY: fuzz

EXTRA_DIST += tests/fuzz/corpus tests/fuzz/run.sh
CLEANFILES += $(fuzz_programs) $(fuzz_dictionaries) tests/fuzz/fuzz_amd_seeds tests/fuzz/fuzz_seeds \
	tests/fuzz/fuzz_tokens tests/fuzz/built-of
