# SPDX-License-Identifier: MIT

core_files += \
	%D%/show_html.c \
	%D%/show_html.h \
	%D%/show_html_bytes.c \
	%D%/show_html_head.c \
	%D%/show_html_items.c \
	%D%/show_html_page.c \
	%D%/show_html_page.h \
	%D%/show_html_private.h \
	%D%/show_html_story.c \
	%D%/show_html_stream.c

# The page's program, in the order in which its files are put together.
html_script_files = \
	%D%/show_html_page_data.js \
	%D%/show_html_page_draw.js \
	%D%/show_html_page_input.js \
	%D%/show_html_page_main.js \
	%D%/show_html_page_state.js \
	%D%/show_html_page_story.js \
	%D%/show_html_page_time.js
html_files = %D%/show_html_page.html %D%/show_html_page.css $(html_script_files)
EXTRA_DIST += $(html_files) %D%/show_html_page.sh

# Frame, style and program as bytes of C.
%D%/show_html_page.inc: $(html_files) %D%/show_html_page.sh Makefile
	@$(MKDIR_P) %D%
	$(AM_V_GEN)cd $(srcdir) && $(SHELL) %D%/show_html_page.sh $(html_files) >$(abs_builddir)/$@.new && \
	    mv $(abs_builddir)/$@.new $(abs_builddir)/$@
%D%/libgfe_core_a-show_html_page.$(OBJEXT): %D%/show_html_page.inc
CLEANFILES += %D%/show_html_page.inc
