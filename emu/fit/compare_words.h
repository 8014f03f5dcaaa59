/* SPDX-License-Identifier: MIT */
/* Words of a comparison that its text and its page share.  Private to compare*.c. */
#ifndef GFE_EMU_FIT_COMPARE_WORDS_H
#define GFE_EMU_FIT_COMPARE_WORDS_H

#include "emu/fit/compare.h"

enum { FIT_WORD_BYTES = 48, FIT_SETTINGS_BYTES = 64 };

/* Each writes a text and returns `to`. */
char *fit_value_text(char to[FIT_WORD_BYTES], enum fit_figure_kind kind, double value);
char *fit_error_text(char to[FIT_WORD_BYTES], double error);
char *fit_share_text(char to[FIT_WORD_BYTES], double part, double whole);
/* Writes how the program was run: ", 8 connections". */
char *fit_settings_text(char to[FIT_SETTINGS_BYTES], const struct fit_experiment *experiment);

#endif
