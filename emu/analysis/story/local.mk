# SPDX-License-Identifier: MIT

core_files += \
	%D%/explain_story.c \
	%D%/explain_story.h \
	%D%/explain_story_ahead.c \
	%D%/explain_story_chain.c \
	%D%/explain_story_dispatch.c \
	%D%/explain_story_dispatch.h \
	%D%/explain_story_hip.c \
	%D%/explain_story_json.c \
	%D%/explain_story_life.c \
	%D%/explain_story_name.c \
	%D%/explain_story_packet.c \
	%D%/explain_story_print.h \
	%D%/explain_story_private.h \
	%D%/explain_story_queue.c \
	%D%/explain_story_reason.c \
	%D%/explain_story_reason_text.c \
	%D%/explain_story_resident.c \
	%D%/explain_story_role.c \
	%D%/explain_story_sdma.c \
	%D%/explain_story_stage.c \
	%D%/explain_story_text.c \
	%D%/explain_story_visit.c \
	%D%/explain_story_why.c \
	%D%/explain_story_why.h \
	%D%/explain_story_words.c \
	%D%/explain_story_work.c
