# Thirty-Two: one door for readers, teachers and developers. `make help` lists what can be made.
# Written for GNU Make 3.81 and newer. Sources are found by wildcard: a new file needs no edit here.
#
#   CC=clang    another compiler, in a build folder of its own         V=1      show the commands
#   SAN=1       AddressSanitizer and UBSan, likewise                   CFLAGS=  optimisation and debugging flags only

# What learners and teachers give is text: a file's name may hold anything, $(shell …) and quotes too. Here make is kept from expanding it;
# recipes take it from the environment, where no shell expands it either. This comes before all else that starts a program.
GIVEN := LAB SUBMISSION JSON FORMAT CC_CUDA DEVICE ARGS SEED KERNEL ALL DIR OUT JOBS SECRET TEACHER LIKENESS AGAINST PLATFORM LEARNER COURSE VARIANT RUN
SLURM_GIVEN := PARTITION ACCOUNT TIME MEM THROTTLE TASKS GPUS
MUTATION_GIVEN := FILE COUNT QUICK AGAIN
SERVE_GIVEN := PORT HOST
GIVEN += $(foreach name,$(SLURM_GIVEN) $(MUTATION_GIVEN) $(SERVE_GIVEN),$(if $(filter-out undefined,$(origin $(name))),$(name)))
slurm_alone := $(firstword $(foreach name,$(SLURM_GIVEN),$(if $(filter command,$(firstword $(origin $(name)))),$(name))))
$(foreach name,$(GIVEN),$(eval override $(name) := $$(value $(name))))
export $(GIVEN)
unexport CDPATH # by which cd goes elsewhere

# Slips that make would pass over in silence, or answer with a riddle. None of this expands what was typed.
slip := $(firstword $(foreach pair,lab=LAB Lab=LAB labs=LAB LABS=LAB format=FORMAT submission=SUBMISSION json=JSON cc_cuda=CC_CUDA device=DEVICE \
	args=ARGS seed=SEED dir=DIR out=OUT cuda_cc=CC_CUDA CUDA_CC=CC_CUDA CCCUDA=CC_CUDA,\
	$(if $(filter command,$(firstword $(origin $(firstword $(subst =, ,$(pair)))))),$(pair))))
$(if $(slip),$(error $(firstword $(subst =, ,$(slip)))=... means nothing here: write $(lastword $(subst =, ,$(slip)))=...))
# Labs as they may be named, where a target should be.
is_lab = $(wildcard exercises/$1/lab.goals exercises/$1-*/lab.goals exercises/0$1-*/lab.goals exercises/[0-9][0-9]-$1/lab.goals)
slip := $(firstword $(foreach goal,$(MAKECMDGOALS),$(if $(findstring /,$(goal)),,$(if $(call is_lab,$(goal)),$(goal)))))
$(if $(slip),$(error a lab is named by LAB=: make $(firstword $(filter grade watch run hint reset verify,$(MAKECMDGOALS)) grade) LAB=$(slip)))

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:

ifeq ($(origin CC),default)
CC := $(if $(shell command -v gcc),gcc,cc)
endif
AR ?= ar
is_clang := $(findstring clang,$(notdir $(firstword $(CC))))
BUILD := build$(if $(is_clang),-clang)$(if $(SAN),-$(if $(filter fuzz,$(SAN)),fuzz,san))

# A loop that clang leaves scalar is no error.
# Arithmetic must not depend on the host compiler's liberties: no contraction into fma but where the source says so.
MANDATORY := -std=gnu11 -Wall -Wextra -Werror=switch -Werror=implicit-function-declaration -Isrc -ffp-contract=off -fno-math-errno -fno-trapping-math -pthread \
	$(if $(is_clang),-Wno-pass-failed)
# "The processor of this machine", as compilers for Arm spell it and as all others do; a cross compiler has no such word.
native := $(if $(filter aarch64% arm%,$(shell $(CC) -dumpmachine 2>/dev/null)),-mcpu=native,-march=native)
macros := $(shell $(CC) $(native) -dM -E -x c /dev/null 2>/dev/null)
# Under the sanitizers gcc 14 lays variables of 64 bytes at multiples of 32, and reads them as if they were aligned.
MACHINE := $(if $(macros),$(native))$(if $(findstring __AVX512F__,$(macros)), -mprefer-vector-width=$(if $(SAN),256,512))
CFLAGS := $(if $(SAN),-O1,-O3) -g $(MACHINE)
comma := ,
SANITIZE := $(if $(SAN),-fsanitize=address$(comma)undefined$(if $(filter fuzz,$(SAN)),$(comma)fuzzer-no-link) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# What is built is the same wherever the tree lies: a class is not graded again because of that.
anywhere = -fdebug-prefix-map=$(call quote,$(CURDIR))=.
COMPILE = $(CC) $(MANDATORY) $(anywhere) $(CFLAGS) $(SANITIZE) $(CPPFLAGS) $(JANSSON)
JANSSON := $(shell pkg-config --cflags jansson 2>/dev/null)
LIBS := $(shell pkg-config --libs jansson 2>/dev/null || echo -ljansson) -lstdc++ -lm -lpthread $(if $(filter Linux,$(shell uname -s)),-ldl)
# Read by warpscope alone: the teacher's file.
YAML := $(shell pkg-config --libs yaml-0.1 2>/dev/null || echo -lyaml)
TEST_CFLAGS := $(shell pkg-config --cflags check 2>/dev/null)
TEST_LIBS := $(shell pkg-config --libs check 2>/dev/null || echo -lcheck)

COMMANDS := $(sort $(wildcard src/command/*.c))
# A program of its own, since it alone needs a library for HTTP, without which all else is built.
SERVE := $(sort $(wildcard src/serve/*.c))
HTTP := $(if $(SERVE),$(shell pkg-config --libs libmicrohttpd 2>/dev/null))
SOURCES := $(filter-out $(COMMANDS) $(SERVE),$(sort $(wildcard src/*/*.c)))
UNIT := $(sort $(wildcard tests/unit/*.c))
OBJECTS := $(SOURCES:%.c=$(BUILD)/obj/%.o)
LIBRARY := $(BUILD)/libthirtytwo.a
UNIT_SUITES := $(UNIT:tests/unit/%.c=$(BUILD)/tests/%)
WHOLE := $(wildcard tests/oracle/*.c tests/hardware/*.c tests/conformance/*.c)
WHOLE_SUITES := $(BUILD)/tests/oracle/oracle $(BUILD)/tests/hardware/whole_path $(BUILD)/tests/conformance/conform
TESTS := $(UNIT) $(WHOLE)
# What a test tests is worth -O3, and so are the labs' oracles; the test itself takes longer to compile than to run. Not where CFLAGS are given.
quick = $(if $(filter $(TESTS),$<),$(if $(filter file,$(origin CFLAGS)),-O1))
LABS := $(sort $(wildcard tests/labs/*.c))
# In the tree for learners, whom they would tell what to predict: packed, so that nobody reads them by accident (make release).
SEALED := $(sort $(wildcard tests/labs/*.sealed))
LAB_SUITES := $(LABS:tests/labs/%.c=$(BUILD)/labs/%) $(SEALED:tests/labs/%.sealed=$(BUILD)/labs/%)
# What looks at the sources alone is looked at once, in the plain build.
STATIC := $(if $(SAN)$(is_clang),,format compilers warnings)
# What takes minutes, or needs a browser or TeX: check-all runs it, check does not. So with the compilers whose turn it was not.
BIG := $(patsubst tests/%/run,%,$(wildcard tests/browser/run tests/explore/run tests/desk/run tests/mains/run tests/clangd/run tests/clangs/run tests/arm64/run tests/x86/run tests/paste/run tests/slurm/run tests/attacks/run tests/editors/run tests/mutation/run tests/spreadsheet/run))
REST := $(patsubst tests/%/run,%-rest,$(wildcard tests/labs/run tests/mistakes/run tests/programs/run tests/variants/run tests/runtime/run tests/names/run tests/evidence/run tests/export/run tests/answers/run))
SCRIPTS := $(filter-out $(BIG:%=tests/%/run) tests/fresh/run $(if $(STATIC),,tests/layers/run tests/judge/run),$(sort $(wildcard tests/*/run)))
C_FILES := $(sort $(wildcard src/*/*.c src/*/*.h tests/*/*.c tests/*/*.h))

Q := $(if $(V),,@)
say = $(if $(V),@:,@$(if $(JSON),>&2) printf '  %-7s %s\n')
quote = '$(subst ','\'',$(1))'
# Rewrites the file only when its text changes, so that what depends on it is made again just then.
keep = @mkdir -p $(@D) && printf '%s\n' $(call quote,$(1)) | cmp -s - $@ || printf '%s\n' $(call quote,$(1)) >$@

.PHONY: FORCE
FORCE:

# Builds and tests run side by side, if no -j says otherwise; what each prints comes in one piece.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
side_by_side = --no-print-directory $(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(CORES)) \
	$(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

## all: what plain `make` does: builds everything, grades the exercises, says what to do next
.PHONY: all
all:
	@$(MAKE) $(side_by_side) programs $(MANUAL)
	@$(labs) start

# What learners edit: laid where it is not there, as the exercise was given, and never written over. git has what was given alone: what that was
# must not hang on a file that is edited, and a pull leaves answers alone.
EDITED := $(patsubst exercises/untouched/%.cu,exercises/%/kernel.cu,$(wildcard exercises/untouched/*.cu))
$(EDITED): exercises/%/kernel.cu: | exercises/untouched/%.cu
	$(say) NEW $@
	$(Q)[ -e $@ ] || cp $| $@

## programs: builds build/warpscope and the programs that grade the labs
.PHONY: programs
programs: $(BUILD)/warpscope $(BUILD)/warpscope-nvcc $(BUILD)/cudart $(if $(HTTP),$(BUILD)/warpscope-serve) $(LAB_SUITES) $(EDITED)

# What =native stands for, as a checksum: a build folder that another machine filled (a shared home, a container's image) is made again.
stands_for = $(if $(findstring =native,$(COMPILE)),(native: $(shell printf %s $(call quote,$(macros)) | cksum)))

$(BUILD)/flags: FORCE
	$(call keep,$(COMPILE) $(TEST_CFLAGS) $(link_flags) $(stands_for))

$(BUILD)/objects: FORCE
	$(call keep,$(OBJECTS))

# The emulator's instructions are small functions: wherever one begins in a line of the host's cache, its speed changes by some 6 %.
even = $(if $(filter src/machine/%,$<),-falign-functions=64)
# PTX of earlier compilations is that of the same code alone (cuda/ptxkey.c).
CODE := $(sort $(wildcard src/cuda/*.c src/cuda/*.h src/cuda/*.def src/host/*.c src/host/*.h))
$(BUILD)/obj/src/cuda/ptxkey.o: $(CODE)
# What one file needs besides: no variable of its target, which $(BUILD)/flags would inherit whenever that file is the first to need it.
# `warpscope cc` links programs with the library as it is linked here.
of_file = $(quick) $(even) $(if $(filter tests/%,$<),$(TEST_CFLAGS)) \
	$(if $(filter src/cuda/ptxkey.c,$<),-DCODE_CHECKSUM='"$(shell cat $(CODE) | cksum | tr ' ' -)"') \
	$(if $(filter src/command/build.c,$<),-DLINK_FLAGS='"$(subst $(comma), -fsanitize=,$(SANITIZE)) $(LIBS)"')

$(BUILD)/obj/%.o: %.c $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(of_file) -MMD -MP -c -o $@ $< 2>$@.said; status=$$?; cat $@.said >&2; exit $$status

$(SEALED:%.sealed=$(BUILD)/obj/%.o): $(BUILD)/obj/%.o: %.sealed $(BUILD)/flags
	$(say) CC $<
	@mkdir -p $(@D)
	$(Q)base64 -d $< | gzip -dc | $(COMPILE) $(TEST_CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -x c -c -o $@ -

# The runtime API is one object: a program that needs any of it has all of it from here, whatever else it is linked with.
CALLS := $(filter-out %/functions.o,$(filter $(BUILD)/obj/src/runtime/%,$(OBJECTS)))
RUNTIME := $(BUILD)/obj/src/runtime.o
$(RUNTIME): $(CALLS) $(BUILD)/objects
	$(Q)$(CC) -r -nostdlib -o $@ $(CALLS)

$(LIBRARY): $(OBJECTS) $(RUNTIME) $(BUILD)/objects
	$(say) AR $@
	$(Q)rm -f $@ && $(AR) rcs $@ $(filter-out $(CALLS),$(OBJECTS)) $(RUNTIME)

$(BUILD)/warpscope: $(COMMANDS:%.c=$(BUILD)/obj/%.o) $(LIBRARY)
	$(say) LINK $@
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $^ $(YAML) $(LIBS)

$(BUILD)/warpscope-nvcc: | $(BUILD)/warpscope
	$(Q)ln -sf warpscope $@

# Where what links by itself finds our runtime, and what else is in it, by their usual names, with what they need: a linker looks for such a script's files where the script lies.
STANDS_FOR := cudart cudart_static cuda nvrtc nvrtc_static nvrtc-builtins_static nvptxcompiler_static cublas cublas_static curand curand_static cufft cufft_static cufft_static_nocallback
$(BUILD)/cudart: Makefile
	$(Q)mkdir -p $@ && for name in $(STANDS_FOR); do echo 'INPUT(../$(notdir $(LIBRARY)) $(filter -l%,$(LIBS)))' >$@/lib$$name.a || exit 1; done
	$(Q)touch $@

$(BUILD)/warpscope-serve: $(SERVE:%.c=$(BUILD)/obj/%.o) $(LIBRARY)
	$(say) LINK $@
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $^ $(HTTP) $(LIBS)

$(UNIT_SUITES): $(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) $(YAML) $(LIBS)

$(BUILD)/tests/oracle/oracle: $(patsubst %.c,$(BUILD)/obj/%.o,$(filter tests/oracle/%,$(WHOLE)))
$(BUILD)/tests/hardware/whole_path: $(BUILD)/obj/tests/hardware/whole_path.o
$(BUILD)/tests/conformance/conform: $(patsubst %.c,$(BUILD)/obj/%.o,$(filter tests/conformance/%,$(WHOLE)))
$(BUILD)/tests/survey/taken: $(BUILD)/obj/tests/survey/taken.o
$(WHOLE_SUITES) $(BUILD)/tests/survey/taken: $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(TEST_LIBS) $(LIBS)

$(LAB_SUITES): $(BUILD)/labs/%: $(BUILD)/obj/tests/labs/%.o $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $^ $(TEST_LIBS) $(LIBS)

# The fuzz targets; replay.c stands in for libFuzzer in all builds but SAN=fuzz.
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,$(BUILD)/fuzz/%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAY := $(if $(filter fuzz,$(SAN)),,$(BUILD)/obj/tests/fuzz/replay.o)
$(FUZZERS): $(BUILD)/fuzz/%: $(BUILD)/obj/tests/fuzz/fuzz_%.o $(REPLAY) $(LIBRARY)
	@mkdir -p $(@D)
	$(Q)$(COMPILE) $(if $(REPLAY),,-fsanitize=fuzzer) $(LDFLAGS) -o $@ $^ $(YAML) $(LIBS)

.SECONDARY: $(TESTS:%.c=$(BUILD)/obj/%.o) $(LABS:%.c=$(BUILD)/obj/%.o) $(SEALED:%.sealed=$(BUILD)/obj/%.o) $(FUZZERS:$(BUILD)/fuzz/%=$(BUILD)/obj/tests/fuzz/fuzz_%.o) $(REPLAY)
-include $(OBJECTS:.o=.d) $(COMMANDS:%.c=$(BUILD)/obj/%.d) $(SERVE:%.c=$(BUILD)/obj/%.d) $(TESTS:%.c=$(BUILD)/obj/%.d) $(LABS:%.c=$(BUILD)/obj/%.d) $(SEALED:%.sealed=$(BUILD)/obj/%.d) $(wildcard $(BUILD)/obj/tests/fuzz/*.d $(BUILD)/obj/tests/bench/*.d)

# --- installing, into the folders of GNU's conventions. The program lies with its library and headers in one folder of libdir, where it
# --- looks for them (src/cuda/home.h); bindir has a link to it.
PREFIX ?= /usr/local
prefix = $(PREFIX)
bindir = $(prefix)/bin
libdir = $(prefix)/lib
mandir = $(prefix)/share/man
INSTALL = install
home = $(libdir)/thirtytwo
at = $(call quote,$(DESTDIR)$(1))

MANUAL := $(if $(shell command -v pandoc),$(BUILD)/warpscope.1)
$(BUILD)/warpscope.1: src/command/warpscope.1.md src/command/manual.lua $(BUILD)/warpscope
	$(say) MANUAL $@
	$(Q)WARPSCOPE=$(BUILD)/warpscope pandoc --from markdown-smart --to man --standalone --lua-filter src/command/manual.lua -o $@ $<

## install: warpscope, its library, CUDA headers and manual page: make install [PREFIX=/usr/local] [DESTDIR=] [MACHINE=]
.PHONY: install
install: $(BUILD)/warpscope $(BUILD)/cudart $(LIBRARY) $(MANUAL)
	@$(MAKE) --no-print-directory engine
	@case $(call quote,$(prefix)) in /*) ;; *) echo 'install: PREFIX must begin with /' >&2; exit 2 ;; esac
	$(say) INSTALL $(call quote,$(DESTDIR)$(bindir)/warpscope)
	$(Q){ $(INSTALL) -d $(call at,$(bindir)) $(call at,$(home)) $(call at,$(mandir)/man1) && \
		rm -rf $(call at,$(home)/include) && cp -R src/include $(call at,$(home)/include) && \
		chmod -R u=rwX,go=rX $(call at,$(home)/include) && \
		$(INSTALL) -m 755 $(BUILD)/warpscope $(call at,$(home)/warpscope) && \
		$(INSTALL) -m 644 $(LIBRARY) LICENSE $(call at,$(home)) && \
		$(INSTALL) -d $(call at,$(home)/cudart) && $(INSTALL) -m 644 $(BUILD)/cudart/*.a $(call at,$(home)/cudart) && \
		$(INSTALL) -d $(call at,$(home)/src/grade) && $(INSTALL) -m 755 src/grade/sandbox $(call at,$(home)/src/grade) && \
		$(INSTALL) -m 644 src/grade/limits.def $(call at,$(home)/src/grade) && \
		{ [ ! -e $(EXPLORE)/page.js ] || { $(INSTALL) -d $(call at,$(home)/explore) && \
			$(INSTALL) -m 644 $(EXPLORE)/page.js $(EXPLORE)/page.css $(call at,$(home)/explore); }; } && \
		$(if $(MANUAL),$(INSTALL) -m 644 $(MANUAL) $(call at,$(mandir)/man1) &&) \
		to=$$(realpath -ms --relative-to=$(call quote,$(bindir)) $(call quote,$(home)) 2>/dev/null || echo $(call quote,$(home))) && \
		ln -sf "$$to/warpscope" $(call at,$(bindir)/warpscope) && \
		ln -sf "$$to/warpscope" $(call at,$(bindir)/warpscope-nvcc); } || { \
		echo 'install: cannot write all of that in' $(call at,$(prefix))'; as root: sudo make install; else: make install PREFIX=$$HOME/.local' >&2; exit 1; }
	$(if $(MANUAL),,@echo 'install: without the manual page, which takes pandoc')
	$(if $(findstring =native,$(COMPILE)),@echo 'install: made for this processor; for all of its kind: make install MACHINE=')

## uninstall: removes what make install put there, given the same PREFIX and DESTDIR
.PHONY: uninstall
uninstall:
	$(Q)rm -rf $(call at,$(home)) $(call at,$(bindir)/warpscope) $(call at,$(bindir)/warpscope-nvcc) $(call at,$(mandir)/man1/warpscope.1)

# --- labs. What is remembered of them is in .progress.
labs := BUILD=$(CURDIR)/$(BUILD) $(BUILD)/warpscope lab

## list: your progress
.PHONY: list
list: $(BUILD)/warpscope
	@$(labs) list

## next: which lab comes next, and what to do
.PHONY: next
next: $(BUILD)/warpscope
	@$(labs) next

## progress: your labs, points and pictures as one page, build/progress.html
.PHONY: progress
progress: programs
	@$(labs) progress

## certificate: what you have solved as a page with your kernels: make certificate [LEARNER=anna]; for teachers, whether its points are so: SUBMISSION=certificate.html
.PHONY: certificate
certificate: programs
	@$(labs) certificate $${LEARNER:+--learner "$$LEARNER"} $${SUBMISSION:+--submission "$$SUBMISSION"} $${CC_CUDA:+--cc "$$CC_CUDA"}

## grade: your kernels against the goals: make grade [LAB=05] [CC_CUDA=clang] [JSON=1] [FORMAT=gcc] [KERNEL=name|ALL=1] [SUBMISSION=path/kernel.cu] [SEED=N] [DEVICE=gpu]
.PHONY: grade
grade: programs
	@$(labs) grade "$$LAB" $${JSON:+--json} $${FORMAT:+--format "$$FORMAT"} $${CC_CUDA:+--cc "$$CC_CUDA"} $${DEVICE:+--on "$$DEVICE"} $${SEED:+--seed "$$SEED"} \
		$${KERNEL:+--kernel "$$KERNEL"} $${ALL:+--all} $${SUBMISSION:+--submission "$$SUBMISSION"} || { status=$$?; [ "$$status$$SUBMISSION$$JSON" = 1 ] || exit $$status; }

## class: a folder of submissions becomes a gradebook: make class DIR=handed-in LAB=05|TEACHER=file OUT=results [JOBS=N] [CC_CUDA=clang] [SECRET=file] [LIKENESS=1 [AGAINST=folder]]; [DEVICE=gpu]; on a cluster SLURM=1 [PARTITION= ACCOUNT= TIME= MEM=2G THROTTLE= TASKS= GPUS=]
.PHONY: class
class: programs
	@BUILD=$(CURDIR)/$(BUILD) $(if $(SLURM),src/class/slurm,$(BUILD)/warpscope class) "$$DIR" --out "$$OUT" $${LAB:+--lab "$$LAB"} \
		$${TEACHER:+--teacher "$$TEACHER"} $${JOBS:+--jobs "$$JOBS"} $${CC_CUDA:+--cc "$$CC_CUDA"} $${SECRET:+--secret "$$SECRET"} \
		$${DEVICE:+--on "$$DEVICE"} $(if $(LIKENESS),--likeness$(if $(filter-out 1,$(LIKENESS)),="$$LIKENESS")) $${AGAINST:+--against "$$AGAINST"} \
		$(if $(SLURM),$(slurm_words),$(if $(slurm_alone),$(error $(slurm_alone)= is for a cluster: add SLURM=1, or leave it out)))
slurm_words = $${GPUS:+--gpus "$$GPUS"} $${PARTITION:+--partition "$$PARTITION"} $${ACCOUNT:+--account "$$ACCOUNT"} $${TIME:+--time "$$TIME"} \
	$${MEM:+--mem "$$MEM"} $${TASKS:+--tasks "$$TASKS"} $${THROTTLE:+--throttle "$$THROTTLE"}

## watch: grades a lab at every save, goes on to the next when it is solved, answers keys: make watch [LAB=05] [CC_CUDA=clang] [KERNEL=name|ALL=1]
.PHONY: watch
watch: programs
	@trap : INT; $(labs) watch "$$LAB" $${CC_CUDA:+--cc "$$CC_CUDA"} $${KERNEL:+--kernel "$$KERNEL"} $${ALL:+--all} || { status=$$?; [ $$status = 130 ] || exit $$status; }

## run: the lab's whole program, main.cu, on the emulated device: make run [LAB=05] [ARGS="256 256"] [CC_CUDA=clang] [DEVICE=gpu]
.PHONY: run
run: programs
	@set -f; $(labs) run $${DEVICE:+--on "$$DEVICE"} $${CC_CUDA:+--cc "$$CC_CUDA"} "$$LAB" $$ARGS

## serve: the course in a browser, a chapter with its lab in an editor beside it; Ctrl-C ends it: make serve [PORT=3232] [HOST=name]
.PHONY: serve
serve: programs
	@$(MAKE) --no-print-directory book
	@trap : INT; $(BUILD)/warpscope serve $${PORT:+--port "$$PORT"} $${HOST:+--host "$$HOST"} || { status=$$?; [ $$status = 130 ] || exit $$status; }

## explore: a launch of a lab as a page that you step through, instruction by instruction: make explore [LAB=05] [RUN=rotate] [CC_CUDA=clang]
.PHONY: explore
explore: programs
	@$(MAKE) --no-print-directory engine
	@$(labs) explore $${CC_CUDA:+--cc "$$CC_CUDA"} "$$LAB" $${RUN:+"$$RUN"}

## hint: the next hint: make hint [LAB=05]
.PHONY: hint
hint: $(BUILD)/warpscope
	@$(labs) hint "$$LAB"

## variant: writes your own numbers into the exercises, where your teacher asks for it: make variant LEARNER=anna COURSE=word|VARIANT=N [LAB=05]
.PHONY: variant
variant: $(BUILD)/warpscope
	@$(labs) variant "$$LAB" $${LEARNER:+--learner "$$LEARNER"} $${COURSE:+--course "$$COURSE"} $${VARIANT:+--variant "$$VARIANT"}

## reset: begins a lab anew, points and hints too, keeping a copy of your kernel.cu: make reset LAB=05
.PHONY: reset
reset: $(BUILD)/warpscope
	@$(labs) reset "$$LAB" || [ $$? -eq 1 ]

# --- tests. tests/judge/judge.sh runs one suite, prints one line and leaves its verdict in results/; the last step adds them up, so
# --- one failing suite does not hide the next.
RESULTS := $(BUILD)/results
UNIT_RESULTS := $(UNIT:tests/unit/%.c=$(RESULTS)/unit-%)
SCRIPT_RESULTS := $(SCRIPTS:tests/%/run=$(RESULTS)/%)
# What a suite makes knows this make's variables, but not its jobs.
# One that is asked for by name, make build/results/NAME, fails by itself.
judge := ALONE=$(if $(filter $(RESULTS)/%,$(MAKECMDGOALS)),yes) MAKELEVEL= MAKEFLAGS=$(call quote,$(if $(MAKEOVERRIDES),-- $(MAKEOVERRIDES))) BUILD=$(CURDIR)/$(BUILD) WARPSCOPE=$(CURDIR)/$(BUILD)/warpscope SAN=$(SAN) CC="$(CC)" CK_DEFAULT_TIMEOUT=$(if $(SAN),300,60) CK_TIMEOUT_MULTIPLIER=10 tests/judge/judge.sh
sum = @tests/judge/judge.sh --sum "$(1)" $(2)

# The suites that take long come first, so that what ends last is short. So that they do, all is built before any suite begins.
LONG := labs mistakes programs grade export variants runtime unit-test_object unit-test_compile oracle book compilers hardware agree model readme
CHECKED := $(UNIT_RESULTS) $(SCRIPT_RESULTS) $(STATIC:%=$(RESULTS)/%)
CHECKED := $(filter $(CHECKED),$(LONG:%=$(RESULTS)/%)) $(filter-out $(LONG:%=$(RESULTS)/%),$(CHECKED))

## check: the project's own tests: make check [TIMES=1], the processor time of each suite
.PHONY: check check-suites
check:
	@$(MAKE) $(side_by_side) programs $(UNIT_SUITES) $(WHOLE_SUITES) $(FUZZERS)
	@$(MAKE) $(side_by_side) check-suites
check-suites: $(CHECKED)
	$(call sum,make check$(if $(SAN), SAN=1)$(if $(is_clang), CC=clang),$^)

$(UNIT_RESULTS): $(RESULTS)/unit-%: $(BUILD)/tests/% FORCE
	@$(judge) $@ $<

$(SCRIPT_RESULTS): $(RESULTS)/%: tests/%/run programs FORCE
	@$(judge) $@ $<

$(RESULTS)/fuzz: $(FUZZERS)
$(RESULTS)/export: $(BUILD)/tests/test_export
$(RESULTS)/survey: $(BUILD)/tests/survey/taken
$(RESULTS)/unit-test_lsp_pipes $(RESULTS)/unit-test_lsp_sandbox: programs
$(RESULTS)/oracle $(RESULTS)/hardware $(RESULTS)/conformance: $(WHOLE_SUITES)

FORMATTED := $(C_FILES) $(sort $(wildcard src/explore/wasm/*.c src/host/wasm/*.c src/host/wasm/system/*.h src/host/wasm/system/sys/*.h tests/explore/wasm/*.h))
$(RESULTS)/format: $(FORMATTED) .clang-format FORCE
	@$(judge) $@ tests/format.sh $(FORMATTED)

# clang finds all that it warns of without generating code. half_oracle.c is gcc's alone: clang 14 has no _Float16 on x86; the other two
# need CUDA's headers: the suites that use them compile them. What clang said of a file stands until the file or a header of it changes.
READ := $(patsubst %.c,$(BUILD)/read/%,$(filter-out tests/cuda/half_oracle.c tests/cuda/recorder.c tests/gpu/same_as_cuda.c $(if $(HTTP),,$(SERVE)),$(filter %.c,$(C_FILES))))
by_clang := clang $(MANDATORY) $(JANSSON) $(TEST_CFLAGS) -DCODE_CHECKSUM='"0"' -Werror -fsyntax-only
.PHONY: read
read: $(READ)
$(BUILD)/read/by: FORCE
	$(call keep,$(by_clang) $(shell clang --version 2>/dev/null))
$(READ): $(BUILD)/read/%: %.c $(BUILD)/read/by
	@mkdir -p $(@D)
	@$(by_clang) -MMD -MP -MF $@.d -MT $@ $< >$@.said 2>&1; [ -s $@.said ] || touch $@
ifneq ($(filter read $(READ),$(MAKECMDGOALS)),)
-include $(READ:%=%.d)
endif

$(RESULTS)/compilers: FORCE
	@$(judge) $@ tests/compilers.sh read clang $(READ)

$(RESULTS)/warnings: programs $(UNIT_SUITES) $(WHOLE_SUITES) $(FUZZERS) FORCE
	@$(judge) $@ tests/compilers.sh built "$(CC)" $(patsubst %.c,$(BUILD)/obj/%.o,$(SOURCES) $(COMMANDS) $(TESTS) $(LABS))

## check-unit: the unit suites alone
.PHONY: check-unit check-unit-suites
check-unit:
	@$(MAKE) $(side_by_side) $(UNIT_SUITES)
	@$(MAKE) $(side_by_side) check-unit-suites
check-unit-suites: $(UNIT_RESULTS)
	$(call sum,make check-unit,$^)

$(BIG:%=$(RESULTS)/%): $(RESULTS)/%: tests/%/run programs FORCE
	@$(judge) $@ $<

$(REST:%=$(RESULTS)/%): $(RESULTS)/%-rest: tests/%/run programs FORCE
	@$(judge) $@ $< --rest

## check-big: what takes minutes, or needs a browser or TeX (./setup --pages --pdf); labs and programs by the compilers whose turn it was not in check
.PHONY: check-big check-big-suites
check-big:
	@$(MAKE) $(side_by_side) check-big-suites
check-big-suites: $(REST:%=$(RESULTS)/%) $(BIG:%=$(RESULTS)/%)
	$(call sum,make check-big,$^)

## check-fresh: the README's commands on bare Debians, as root and with sudo; takes over half an hour: make check-fresh [SUITES="bookworm trixie forky"]
SUITES = bookworm trixie forky
.PHONY: check-fresh
check-fresh:
	@$(fresh) $(SUITES)
fresh := $(if $(wildcard tests/fresh/run),BUILD=$(CURDIR)/$(BUILD) tests/fresh/run,sh -c 'echo "skipped: there is no tests/fresh in this tree"; exit 77' fresh)

## check-all: check, check-big, check under the sanitizers, the unit suites built by clang, and the short form of check-fresh; goes on after what fails
.PHONY: check-all
check-all:
	@BUILD=$(CURDIR)/$(BUILD) tests/judge/all $(MAKE)

## fuzz: random PTX against the parser or the machine, random texts and messages against the others: make fuzz [SECONDS=60] [TARGET=ptx|launch|texts|lsp|options]
SECONDS ?= 60
TARGET ?= ptx
.PHONY: fuzz fuzzers
fuzzers: $(FUZZERS)
fuzz:
	@$(MAKE) --no-print-directory CC=clang SAN=fuzz fuzzers
	@tests/fuzz/campaign build-clang-fuzz $(TARGET) $(SECONDS)

## check-mutants: changes of the source that no suite notices; minutes for a file: make check-mutants [FILE=src/machine/warp.c] [COUNT=50] [SEED=1] [QUICK=1] [AGAIN=1]
.PHONY: check-mutants
check-mutants:
	@tests/mutation/campaign $(BUILD)/mutation "$$FILE" "$$COUNT" "$$SEED"

# What passes is no matter here; house rules would find gcov's variables.
COVERED := $(UNIT_RESULTS) $(if $(QUICK),,$(filter-out %/layers %/judge %/rebuild %/install %/setup %/arm64 %/x86,$(SCRIPT_RESULTS)))
coverage := BUILD=$(BUILD)/coverage CFLAGS='-O1 --coverage -fprofile-update=atomic -fprofile-abs-path' LIBS='$(LIBS) -lgcov'

## coverage: which lines and branches of src the suites reach: build/coverage/index.html; QUICK=1: the unit suites alone
.PHONY: coverage coverage-suites
coverage:
	@command -v gcovr >/dev/null || { echo 'coverage: gcovr is missing: ./setup --all' >&2; exit 2; }
	@rm -rf $(BUILD)/coverage/results && if [ -d $(BUILD)/coverage ]; then find $(BUILD)/coverage -name '*.gcda' -delete; fi
	@$(MAKE) $(side_by_side) $(coverage) $(if $(QUICK),,programs $(WHOLE_SUITES:$(BUILD)/%=$(BUILD)/coverage/%)) $(UNIT_SUITES:$(BUILD)/%=$(BUILD)/coverage/%)
	@$(MAKE) $(side_by_side) $(coverage) coverage-suites
	@gcovr --gcov-executable '$(subst gcc,gcov,$(CC))' --root . --filter src/ --csv $(BUILD)/coverage/files.csv --html-details $(BUILD)/coverage/index.html $(BUILD)/coverage/obj
	@tests/judge/by_folder $(BUILD)/coverage/files.csv
	@echo '$(BUILD)/coverage/index.html'
coverage-suites: $(COVERED)
	$(call sum,make coverage,$^) || true

## record: times and counts on this computer's GPU, which the book quotes
.PHONY: record
record: programs
	@book/measure $(BUILD)/warpscope book/record

## counts: what the emulator says of the launches of the GPUs' records, for the page of evidence; takes some minutes
.PHONY: counts
counts: programs
	@for device in h200 h100; do $(BUILD)/warpscope record book/record.launches --on emulated --device $$device -o book/record/$$device-emulated.json || exit; done

## bench: speed of the emulator, as ratios to the same work in plain C; of whole programs, to their kernels alone; of the engine in a page, to the native one; what compilers and grades are waited for
.PHONY: bench
bench: $(BUILD)/bench programs
	@$< tests/bench/kernels.cu src/include
	@tests/bench/overhead $(BUILD)/warpscope
	@tests/bench/waits $(BUILD)/warpscope
	@BUILD=$(CURDIR)/$(BUILD) tests/explore/run --speed || [ $$? -eq 77 ]

$(BUILD)/bench: $(BUILD)/obj/tests/bench/bench.o $(LIBRARY)
	$(Q)$(COMPILE) $(LDFLAGS) -o $@ $^ $(LIBS)

## format: rewrites the C files as .clang-format says
.PHONY: format
format:
	$(Q)clang-format -i $(FORMATTED)

## doctor: what is installed, what is missing and the one command that puts it right
.PHONY: doctor
doctor:
	@BUILD=$(BUILD) ./setup --check

## clean: removes everything that was built
.PHONY: clean
clean:
	$(Q)rm -rf build build-clang build-san build-clang-san build-clang-fuzz

## help: this list
.PHONY: help
help:
	@echo 'make TARGET, where TARGET is one of'
	@awk -F': ' '/^## / { \
		name = substr($$1, 4); sub(/^[^:]*: /, ""); n = split($$0, word, " "); line = sprintf("  %-11s", name); \
		for (i = 1; i <= n; i++) { \
			if (length(line) + length(word[i]) > 79) {print line; line = sprintf("%13s", "")} \
			line = line " " word[i] \
		} \
		print line}' Makefile $(wildcard src/explore/explore.mk book/book.mk src/export/teachers.mk)
	@echo 'Variables: CC=clang  SAN=1 (ASan and UBSan)  CFLAGS=...  V=1 (show the commands)'

# The book, and what only a tree with the solutions can make.
-include src/explore/explore.mk book/book.mk src/export/teachers.mk

# Targets that are not there, before others are made.
ifneq ($(filter-out $(wildcard $(MAKECMDGOALS)),$(foreach goal,$(MAKECMDGOALS),$(if $(findstring /,$(goal)),,$(goal)))),)
TARGETS := $(sort $(shell sed -n 's/^\.PHONY: //p' Makefile src/explore/explore.mk book/book.mk src/export/teachers.mk 2>/dev/null))
slip := $(firstword $(filter-out $(TARGETS) $(wildcard $(MAKECMDGOALS)),$(foreach goal,$(MAKECMDGOALS),$(if $(findstring /,$(goal)),,$(goal)))))
near := $(filter $(slip)% $(shell printf %.2s $(call quote,$(slip)))%,$(TARGETS))
$(if $(slip),$(error there is no target '$(slip)'$(if $(near),: did you mean $(near)?); make help lists all))
endif
