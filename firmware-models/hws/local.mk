# SPDX-License-Identifier: MIT

core_files += \
	%D%/hws.c \
	%D%/hws.h \
	%D%/hws_list.c \
	%D%/hws_packet.c \
	%D%/hws_packet.h \
	%D%/hws_policy.c \
	%D%/hws_policy.h
