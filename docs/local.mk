# SPDX-License-Identifier: MIT

# Manual pages, made of the program's help and the sections in docs/man/*.man (tests/test_man.sh).
dist_man1_MANS = \
	docs/man/gfe.1 \
	docs/man/gfe-calibrate.1 \
	docs/man/gfe-campaign.1 \
	docs/man/gfe-check.1 \
	docs/man/gfe-compare.1 \
	docs/man/gfe-debug.1 \
	docs/man/gfe-decode.1 \
	docs/man/gfe-diff.1 \
	docs/man/gfe-discriminate.1 \
	docs/man/gfe-explain.1 \
	docs/man/gfe-gpus.1 \
	docs/man/gfe-hash.1 \
	docs/man/gfe-import.1 \
	docs/man/gfe-inject.1 \
	docs/man/gfe-live.1 \
	docs/man/gfe-inspect.1 \
	docs/man/gfe-occupancy.1 \
	docs/man/gfe-record.1 \
	docs/man/gfe-regs.1 \
	docs/man/gfe-rules.1 \
	docs/man/gfe-run.1 \
	docs/man/gfe-scrub.1 \
	docs/man/gfe-selftest.1 \
	docs/man/gfe-show.1 \
	docs/man/gfe-xid.1
completiondir = $(datadir)/bash-completion/completions
dist_completion_DATA = docs/completion/gfe

EXTRA_DIST += docs

# What docs/paper-figures.md and docs/figures.md show, drawn anew: SVG, and PDF where there is rsvg-convert.
figures_dir = $(srcdir)/docs/figures
figures: gfe
	PATH='$(abs_top_builddir)':"$$PATH" $(SHELL) $(srcdir)/docs/tools/figures.sh $(srcdir) $(figures_dir)
.PHONY: figures
