# SPDX-License-Identifier: GPL-2.0
#
# Every command of this repository; "make help" lists them.  The work is done by
# scripts/, each of which can be called by itself.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

# make check T=WORD, make graft KDIR=DIR, make patches KDIR=DIR
T ?=
KDIR ?=

later = @echo "make $@: comes with a later version of this repository$(1)" >&2; exit 2
kdir = $(if $(KDIR),,@echo "make $@: name the kernel tree: make $@ KDIR=DIR" >&2; exit 2)

.PHONY: run check check-host kernel baseline bench bench-gate soak
.PHONY: graft patches lib install lint help clean

run: ## everything from nothing: packages, source, build, boot; shows the keys at work
	@scripts/run

check: ## everything from nothing, all tests; T=WORD: those whose name holds WORD
	@scripts/check all '$(T)'

check-host: ## the tests that need no kernel build
	@scripts/check host '$(T)'

kernel: ## the grafted kernel, in build/out/ours-small
	@scripts/setup kernel
	@scripts/kbuild ours-small

baseline: ## the same source and configuration untouched, in build/out/stock-small
	@scripts/setup kernel
	@scripts/kbuild stock-small

bench: ## every measurement, under build/bench
	@scripts/setup host kernel bench
	@tools/perf/bench
	@scripts/kbuild stock-dyndbg
	@scripts/kbuild ours-dyndbg
	@scripts/check all guest/toggle
	@tools/lib/jump_label/bench/run
	@tools/perf/summary

bench-gate: ## counted figures against the budget in the repository
	@scripts/setup host kernel
	@tools/perf/bench-gate

soak: ## the long form of the storm and churn tests
	@scripts/setup host kernel kernel32
	@scripts/kbuild ours-small
	@scripts/kbuild ours-debug
	@scripts/kbuild ours-x86_32
	@scripts/kbuild stock-dyndbg
	@scripts/kbuild ours-dyndbg
	@SECONDS_=600 tools/testing/guest/bandwidth-churn.t
	@FLIPS=100000 FAULT_FLIPS=20000 FLIPS_32=100000 tools/testing/guest/foundation-storm.t
	@TOGGLES=460000 LIMIT=14400 tools/testing/unit/userspace-toggle.t
	@FUZZ=600 tools/testing/unit/userspace-objects.t
	@$(MAKE) -C tools/lib/jump_label bench
	@tools/testing/guest/toggle-dyndbg.t

graft: ## lay our files over your own 6.12 tree: KDIR=DIR
	$(kdir)
	@scripts/graft/graft '$(KDIR)'

patches: ## the same as a mailable series, on stdout: KDIR=DIR
	$(kdir)
	@scripts/graft/patches '$(KDIR)'

lib: ## the user-space library
	@scripts/setup host
	@$(MAKE) -C tools/lib/jump_label

install: ## install it; DESTDIR and PREFIX are honoured
	@scripts/setup host
	@$(MAKE) -C tools/lib/jump_label install

lint: ## checkpatch, sparse, shellcheck, headers compile alone, docs links, ceilings
	@scripts/setup lint
	@scripts/lint

help: ## this table
	@echo "make TARGET, with:"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 16
	@echo "Everything generated lies under build/."

clean: ## remove what was built; the unpacked kernel source stays
	rm -rf build/{out,log,bench,patches,unit,lib,perf,bandwidth,cost}
