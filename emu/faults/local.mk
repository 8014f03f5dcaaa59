# SPDX-License-Identifier: MIT

core_files += \
	%D%/campaign_access.c \
	%D%/campaign_access.h \
	%D%/campaign_condition.c \
	%D%/campaign_condition.h \
	%D%/campaign_draws.c \
	%D%/campaign_draws.h \
	%D%/campaign_estimate.c \
	%D%/campaign_estimate.h \
	%D%/campaign_golden.c \
	%D%/campaign_part.c \
	%D%/campaign_part.h \
	%D%/campaign_plan.c \
	%D%/campaign_plan.h \
	%D%/campaign_prune.c \
	%D%/campaign_prune.h \
	%D%/campaign_row.h \
	%D%/campaign_run.c \
	%D%/campaign_run.h \
	%D%/campaign_sample.c \
	%D%/campaign_sample.h \
	%D%/campaign_space.c \
	%D%/campaign_space.h \
	%D%/campaign_stats.c \
	%D%/campaign_stats.h \
	%D%/campaign_workers.c \
	%D%/campaign_workers.h \
	%D%/inject.c \
	%D%/inject.h \
	%D%/inject_parse.c \
	%D%/inject_run.c \
	%D%/inject_run.h \
	%D%/inject_state.c \
	%D%/inject_state.h \
	%D%/inject_trigger.c \
	%D%/inject_trigger.h \
	%D%/live_control.c \
	%D%/live_control.h \
	%D%/live_outcome.c \
	%D%/live_outcome.h \
	%D%/outcome.c \
	%D%/outcome.h \
	%D%/outcome_judge.c \
	%D%/outcome_reach.c \
	%D%/outcome_reach.h \
	%D%/wake.c \
	%D%/wake.h

# In the gfe program alone, with what only it is linked with.
program_files += \
	%D%/campaign_db.c \
	%D%/campaign_db.h \
	%D%/campaign_db_guard.c \
	%D%/campaign_db_private.h \
	%D%/campaign_report.c \
	%D%/campaign_report.h \
	%D%/campaign_report_estimate.c \
	%D%/campaign_report_print.c \
	%D%/campaign_report_web.c
