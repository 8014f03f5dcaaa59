# SPDX-License-Identifier: MIT

core_files += \
	%D%/show_svg.c \
	%D%/show_svg.h \
	%D%/show_svg_blocks.c \
	%D%/show_svg_item.c \
	%D%/show_svg_page.c \
	%D%/show_svg_page.h \
	%D%/show_svg_sms.c \
	%D%/show_svg_sms.h \
	%D%/show_svg_sms_amd.c \
	%D%/show_svg_sms_block.c \
	%D%/show_svg_sms_launch.c \
	%D%/show_svg_sms_owner.c \
	%D%/show_svg_threads.c \
	%D%/show_svg_threads.h \
	%D%/show_svg_tracks.c
