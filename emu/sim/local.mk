# SPDX-License-Identifier: MIT

core_files += \
	%D%/amd_node.c \
	%D%/amd_node.h \
	%D%/amd_node_sdma.c \
	%D%/any_simulation.c \
	%D%/any_simulation.h \
	%D%/bare_gpu.c \
	%D%/bare_gpu.h \
	%D%/bare_node.c \
	%D%/bare_node.h \
	%D%/describe.c \
	%D%/describe.h \
	%D%/event_lines.c \
	%D%/gfe.c \
	%D%/gfe.h \
	%D%/gfe_simulation.c \
	%D%/gpus.c \
	%D%/gpus.h \
	%D%/hip_program.c \
	%D%/hip_program.h \
	%D%/hip_simulation.c \
	%D%/hip_simulation.h \
	%D%/hip_threads.c \
	%D%/hip_threads.h \
	%D%/kfd_replay.c \
	%D%/kfd_replay.h \
	%D%/kfd_replay_call.c \
	%D%/kfd_replay_event.c \
	%D%/kfd_replay_memory.c \
	%D%/kfd_simulation.c \
	%D%/kfd_simulation.h \
	%D%/live_tables.c \
	%D%/live_tables.h \
	%D%/scenario.c \
	%D%/scenario.h \
	%D%/scenario_examiner.c \
	%D%/scenario_json.c \
	%D%/scenario_own.c \
	%D%/scenario_own.h \
	%D%/scenario_own_call.c \
	%D%/scenario_private.h \
	%D%/simulation.c \
	%D%/simulation.h \
	%D%/simulation_snapshot.c \
	%D%/simulation_snapshot.h
