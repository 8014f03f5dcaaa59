# SPDX-License-Identifier: MIT

core_files += \
	%D%/calibrate.c \
	%D%/calibrate.h \
	%D%/calibrate_print.c \
	%D%/calibrate_solve.c \
	%D%/calibrate_solve.h \
	%D%/compare.c \
	%D%/compare.h \
	%D%/compare_html.c \
	%D%/compare_print.c \
	%D%/compare_words.h \
	%D%/experiment.h \
	%D%/experiment_run.c \
	%D%/experiment_scenario.c \
	%D%/figures.c \
	%D%/figures.h \
	%D%/measured.c \
	%D%/measured.h \
	%D%/measured_copies.c \
	%D%/measured_examiner.c \
	%D%/measured_file.c \
	%D%/measured_kernels.c \
	%D%/measured_line.c \
	%D%/measured_member.c \
	%D%/measured_private.h \
	%D%/measured_process.c \
	%D%/measured_round.c \
	%D%/measured_supplement.c
