# SPDX-License-Identifier: MIT

core_files += \
	%D%/chip_field.c \
	%D%/chip_field.h \
	%D%/chip_figure.h \
	%D%/copy.c \
	%D%/copy.h \
	%D%/copy_share.c \
	%D%/copy_share.h \
	%D%/core_events.h \
	%D%/core_inject.h \
	%D%/core_tables.c \
	%D%/cost.c \
	%D%/cost.h \
	%D%/dispatch.c \
	%D%/dispatch.h \
	%D%/dispatch_cluster.c \
	%D%/dispatch_context.c \
	%D%/dispatch_decide.c \
	%D%/dispatch_open.c \
	%D%/dispatch_turns.c \
	%D%/dispatch_turns.h \
	%D%/exec_pool.c \
	%D%/exec_pool.h \
	%D%/papers.h \
	%D%/policy.c \
	%D%/policy.h
