# SPDX-License-Identifier: MIT

# Programs of make bench. Each prints one JSON object (bench/bench.h); its sources stand below.
bench_programs = \
	bench/bench_amd_dispatch \
	bench/bench_amd_packets \
	bench/bench_campaign \
	bench/bench_decode \
	bench/bench_event_queue \
	bench/bench_memory \
	bench/bench_pbdma \
	bench/bench_perfetto \
	bench/bench_record \
	bench/bench_replay \
	bench/bench_scenario \
	bench/bench_show \
	bench/bench_snapshot \
	bench/bench_suspend \
	bench/bench_timeslice \
	bench/bench_upload
EXTRA_PROGRAMS += $(bench_programs) bench/bench_all

# Builds them and runs none: what .ci/run looks at.
bench-programs: $(bench_programs)
.PHONY: bench-programs

# make bench runs them all and writes bench.json; a missed target fails nothing. bench/README.md says
# how to read it.
bench_bench_all_CPPFLAGS = $(AM_CPPFLAGS) -DBENCH_FLAGS='"$(CFLAGS) $(SANITIZER_CFLAGS) $(LTO_LDFLAGS)"'
bench_bench_all_LDADD = $(JANSSON_LIBS)

bench_bench_amd_dispatch_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_amd_packets_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_campaign_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_decode_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_event_queue_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_memory_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_pbdma_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_perfetto_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_record_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_replay_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_scenario_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_show_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_snapshot_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_suspend_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_timeslice_LDFLAGS = $(LTO_LDFLAGS)
bench_bench_upload_LDFLAGS = $(LTO_LDFLAGS)
if HAVE_SYSTEMC
bench_bench_event_queue_LDADD = bench/bench_systemc.o $(SYSTEMC_LIBS) -lstdc++ $(LDADD)
bench_bench_event_queue_DEPENDENCIES = bench/bench_systemc.o tests/libhelpers.a libgfe_core.a
else
bench_bench_event_queue_LDADD = $(LDADD)
endif

# By hand: automake would want the whole package ready for C++.
CXXFLAGS = -g -O2
bench/bench_systemc.o: bench/bench_systemc.cpp bench/bench_systemc.h Makefile
	@$(MKDIR_P) bench
	$(AM_V_GEN)$(CXX) -I$(top_srcdir) $(SYSTEMC_CFLAGS) $(CXXFLAGS) -c -o $@ \
	    $(srcdir)/bench/bench_systemc.cpp

# Some run gfe, the recorder and recorded programs.
bench: gfe libgfe-record-broken.so tests/clients/drm_upload tests/clients/kfd_procs bench/bench_all $(bench_programs)
	$(AM_V_at)top_srcdir='$(abs_top_srcdir)' bench/bench_all bench.json $(bench_programs)

# The figures of gcc and of clang, each from a build of its own.
bench-compilers:
	$(SHELL) $(srcdir)/bench/run_compilers.sh
.PHONY: bench bench-compilers

EXTRA_DIST += bench/HISTORY.md bench/README.md bench/bench_systemc.cpp bench/bench_systemc.h bench/pairs.py bench/run_compilers.sh
CLEANFILES += $(bench_programs) bench/bench_all bench.json bench-gcc.json bench-clang.json
