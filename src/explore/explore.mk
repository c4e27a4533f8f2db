# explore.mk: the engine for pages: the layers below src/explore as one WebAssembly module. Included by the Makefile. Where clang's parts for
# WebAssembly are missing, pages keep their figures as they are.
EXPLORE := $(BUILD)/explore
WASM_CLANG = $(firstword $(shell command -v clang) $(foreach v,22 21 20 19 18 17 16 15 14,$(shell command -v clang-$(v))))
WASM_LACKS = $(strip $(if $(WASM_CLANG),,clang) $(if $(wildcard /usr/lib/wasm32-wasi/libc.a),,wasi-libc) $(if $(shell command -v wasm-ld),,lld) \
	$(if $(wildcard /usr/lib/wasm32-wasi/libc++abi.a),,libc++-dev-wasm32) \
	$(if $(WASM_CLANG),$(if $(wildcard $(shell $(WASM_CLANG) --target=wasm32-wasi -print-libgcc-file-name)),,libclang-rt-dev-wasm32)))

# The layers that a launch takes; of report and input, what reads terminals and records, and of device, what drives a GPU, stay behind.
ENGINE := $(wildcard $(patsubst %,src/%/*.c,base ptx kernel machine observe report input explore explore/wasm host/wasm)) \
	$(patsubst %,src/device/%.c,arithmetic device model profile timing waits)
ENGINE := $(filter-out $(patsubst %,src/report/%.c,evidence record terminal) src/explore/explorer_page.c,$(ENGINE))
ENGINE_OBJECTS := $(ENGINE:%.c=$(EXPLORE)/obj/%.o)
ENGINE_BYTES_MOST := 1073741824 # of its memory
WASM_COMPILE = $(WASM_CLANG) --target=wasm32-wasi -std=gnu11 -Wall -Wextra -Werror=implicit-function-declaration -Wno-pass-failed -Isrc -Isrc/host/wasm/system \
	-ffp-contract=off -fno-math-errno -fno-trapping-math -O3 -msimd128 -mnontrapping-fptoint
WASM_LINK = $(WASM_CLANG) --target=wasm32-wasi -mexec-model=reactor -Wl,--strip-all -Wl,--stack-first -Wl,-z,stack-size=1048576 \
	-Wl,--max-memory=$(strip $(ENGINE_BYTES_MOST))

$(EXPLORE)/flags: FORCE
	$(call keep,$(WASM_COMPILE) $(WASM_LINK) $(ENGINE))

$(ENGINE_OBJECTS): $(EXPLORE)/obj/%.o: %.c $(EXPLORE)/flags
	$(say) WASM $<
	@mkdir -p $(@D)
	$(Q)$(WASM_COMPILE) -MMD -MP -c -o $@ $<

$(EXPLORE)/engine.wasm: $(ENGINE_OBJECTS)
	$(say) LINK $@
	$(Q)$(WASM_LINK) -o $@ $^ -lc++abi

# What a page opened from a file can load: a script that has the module, packed.
$(EXPLORE)/engine.wasm.js: $(EXPLORE)/engine.wasm
	$(Q){ printf 'window.warpscopeEngine = "' && gzip -9nc $< | base64 | tr -d '\n' && printf '";\n'; } >$@

$(EXPLORE)/engine.js: src/explore/engine.js
	@mkdir -p $(@D) && cp $< $@

# What `warpscope explore` puts into its pages.
$(EXPLORE)/page.js: $(EXPLORE)/engine.wasm.js src/explore/engine.js src/explore/views.js src/explore/traced.js src/explore/explorer.js
	$(Q)cat $^ >$@
$(EXPLORE)/page.css: book/static/style.css src/explore/explorer.css
	@mkdir -p $(@D)
	$(Q)cat $^ >$@

# The suites of the ALU, for the same target: what instructions compute in a page (tests/explore).
ENGINE_SUITES := $(patsubst tests/unit/%.c,$(EXPLORE)/%.wasm,$(wildcard tests/unit/test_alu_*.c))
$(ENGINE_SUITES): $(EXPLORE)/%.wasm: tests/unit/%.c tests/unit/alu_test.h tests/explore/wasm/check.h $(ENGINE_OBJECTS)
	$(say) WASM $<
	$(Q)$(WASM_COMPILE) -O1 -Itests/explore/wasm -c -o $(@:.wasm=.o) $< && \
		$(filter-out -mexec-model=reactor,$(WASM_LINK)) -o $@ $(@:.wasm=.o) $(ENGINE_OBJECTS) -lc++abi
.PHONY: engine-suites
engine-suites: $(ENGINE_SUITES)

-include $(ENGINE_OBJECTS:.o=.d)

.PHONY: engine-files
engine-files: $(EXPLORE)/engine.js $(EXPLORE)/page.js $(EXPLORE)/page.css
	@:

## engine: the emulator for pages, in build/explore: what `warpscope explore` puts into its own, and the book into its site
.PHONY: engine
engine:
	@lacks='$(WASM_LACKS)'; if [ -z "$$lacks" ]; then $(MAKE) $(side_by_side) engine-files; else \
		rm -f $(EXPLORE)/engine.wasm.js $(EXPLORE)/page.js; echo "engine: not built, which takes $$lacks: pages keep their figures as they are (./setup)"; fi
