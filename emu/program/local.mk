# SPDX-License-Identifier: MIT

core_files += \
	%D%/line_edit.c \
	%D%/line_edit.h

# In the gfe program alone, with what only it is linked with.
program_files += \
	%D%/cmd.h \
	%D%/cmd_calibrate.c \
	%D%/cmd_campaign.c \
	%D%/cmd_campaign.h \
	%D%/cmd_campaign_merge.c \
	%D%/cmd_campaign_programs.c \
	%D%/cmd_campaign_run.c \
	%D%/cmd_check.c \
	%D%/cmd_compare.c \
	%D%/cmd_debug.c \
	%D%/cmd_debug.h \
	%D%/cmd_debug_draw.c \
	%D%/cmd_debug_panes.c \
	%D%/cmd_debug_screen.c \
	%D%/cmd_debug_screen.h \
	%D%/cmd_debug_terminal.c \
	%D%/cmd_decode.c \
	%D%/cmd_decode_amd.c \
	%D%/cmd_decode_amd.h \
	%D%/cmd_decode_kfd.c \
	%D%/cmd_decode_kfd.h \
	%D%/cmd_diff.c \
	%D%/cmd_discriminate.c \
	%D%/cmd_discriminate_order.c \
	%D%/cmd_discriminate_order.h \
	%D%/cmd_discriminate_print.c \
	%D%/cmd_discriminate_print.h \
	%D%/cmd_explain.c \
	%D%/cmd_fit_progress.c \
	%D%/cmd_fit_progress.h \
	%D%/cmd_gpu.c \
	%D%/cmd_gpu.h \
	%D%/cmd_gpus.c \
	%D%/cmd_hash.c \
	%D%/cmd_import.c \
	%D%/cmd_inject.c \
	%D%/cmd_inject.h \
	%D%/cmd_inject_from.c \
	%D%/cmd_inject_from.h \
	%D%/cmd_inject_lines.c \
	%D%/cmd_inject_print.c \
	%D%/cmd_inject_wake.c \
	%D%/cmd_inspect.c \
	%D%/cmd_live.c \
	%D%/cmd_live.h \
	%D%/cmd_live_print.c \
	%D%/cmd_occupancy.c \
	%D%/cmd_open_waits.c \
	%D%/cmd_open_waits.h \
	%D%/cmd_program.c \
	%D%/cmd_program.h \
	%D%/cmd_record.c \
	%D%/cmd_regs.c \
	%D%/cmd_rules.c \
	%D%/cmd_run.c \
	%D%/cmd_run.h \
	%D%/cmd_run_hip.c \
	%D%/cmd_run_log.c \
	%D%/cmd_run_snapshot.c \
	%D%/cmd_run_watch.c \
	%D%/cmd_scrub.c \
	%D%/cmd_selftest.c \
	%D%/cmd_settings.c \
	%D%/cmd_settings.h \
	%D%/cmd_show.c \
	%D%/cmd_show_html.c \
	%D%/cmd_show_html.h \
	%D%/cmd_xid.c \
	%D%/main.c \
	%D%/sandbox.c \
	%D%/sandbox.h
