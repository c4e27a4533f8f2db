# book.mk: the book from chapters/*.md. Included by the Makefile.
# Three steps: the runs that the text quotes (runs.launches), an index of all pages, then each page on its own.
BOOK := $(BUILD)/book
CHAPTERS := $(sort $(wildcard chapters/*.md))
PAGES := $(CHAPTERS:chapters/%.md=$(BOOK)/site/%.html) $(BOOK)/site/index.html
BOOK_INDEX := $(CHAPTERS:chapters/%.md=$(BOOK)/index/%.lua)
BOOK_TOOLS := book/filter.lua book/older.lua book/tools.lua book/json.lua book/prose.lua book/glossary.lua book/plot.lua book/explorer.lua book/draw.lua book/ideas.lua $(wildcard book/ideas/*.lua) src/report/figure.c book/runs.launches book/evidence.lua book/words.lua book/paths.lua book/typography.lua $(wildcard book/record/*.json tests/hardware/*.csv) book/profiles.lua src/device/profiles.def book/constants book/metadata.yaml
SYNTAX := --syntax-definition book/cuda.xml --syntax-definition book/ptx.xml
PANDOC := BOOK_BUILD=$(BOOK) pandoc --from markdown-smart+smart --wrap=none $(SYNTAX) --lua-filter book/filter.lua --metadata-file book/metadata.yaml

# Each run of runs.launches is made again when its arguments, its file or the emulator change. Always by clang, which every machine has: the
# numbers are the same everywhere.
RUN_NAMES := $(shell sed -n 's/^\([a-z][a-z0-9-]*\):.*/\1/p' book/runs.launches)
RUNS := $(RUN_NAMES:%=$(BOOK)/runs/%.json)
$(BOOK)/runs.mk: book/runs.launches
	@mkdir -p $(BOOK)/runs
	@sed -n 's|^\([a-z][a-z0-9-]*\): *\(fault \)\{0,1\}\([^ ]*\).*|$(BOOK)/runs/\1.json: \3|p' $< | \
		sed 's|tests/mutants/\(.*\)/.*|& solutions/\1/kernel.cu exercises/untouched/\1.cu|' >$@
-include $(if $(filter book% slides questions,$(MAKECMDGOALS)),$(BOOK)/runs.mk)
$(BOOK)/runs/%.args: book/runs.launches
	$(call keep,$(shell sed -n 's/^$*: *//p' book/runs.launches))
$(RUNS): $(BOOK)/runs/%.json: $(BOOK)/runs/%.args $(BUILD)/warpscope book/run
	$(say) RUN $*
	$(Q)book/run $(BUILD)/warpscope $@ $(BOOK)/runs/$*.svg $$(cat $<)

# A GPU's record and the emulator's of the same launches, compared: all pages may quote them as the runs `evidence` and `evidence-h100`.
RUNS += $(BOOK)/runs/evidence.json $(BOOK)/runs/evidence-h100.json
$(BOOK)/runs/evidence.json: book/record/h200.json book/record/h200-emulated.json book/record/known.differences $(BUILD)/warpscope
	@mkdir -p $(@D)
	$(Q)$(BUILD)/warpscope evidence $(wordlist 1,3,$^) >$@
$(BOOK)/runs/evidence-h100.json: book/record/h100-80gb-hbm3.json book/record/h100-emulated.json book/record/known.differences book/record/h100.differences $(BUILD)/warpscope
	@mkdir -p $(@D)
	$(Q)cat $(wordlist 3,4,$^) >$@.all && $(BUILD)/warpscope evidence $(wordlist 1,2,$^) $@.all >$@; status=$$?; rm -f $@.all; exit $$status

# What the labs ask: the tables of goals. Beside the runs, since every page waits for those.
RUNS += $(BOOK)/goals.json
$(BOOK)/goals.json: exercises/rules.goals $(wildcard exercises/*/lab.goals) $(BUILD)/warpscope
	@mkdir -p $(@D)
	$(Q)$(BUILD)/warpscope lab goals --json >$@

# An index is written anew only when it differs, and then all pages are made again; else the one page whose text has changed.
$(BOOK_INDEX:.lua=.seen): $(BOOK)/index/%.seen: chapters/%.md book/index.lua book/older.lua book/glossary.lua
	@mkdir -p $(@D)
	$(Q)pandoc --from markdown --lua-filter book/index.lua -t html --wrap=none -o $@ $<
	$(Q)cmp -s $@ $(@:.seen=.lua) || cp $@ $(@:.seen=.lua)
$(BOOK_INDEX): $(BOOK)/index/%.lua: $(BOOK)/index/%.seen ;

$(BOOK)/site/%.html: chapters/%.md $(BOOK_INDEX) $(RUNS) $(BOOK_TOOLS) book/page.html
	$(say) PAGE $@
	@mkdir -p $(@D)/programs $(BOOK)/plots $(BOOK)/words $(BOOK)/files
	$(Q)$(PANDOC) -t html5 --template book/page.html --mathml --toc-depth=2 -o $@ $<

# Which of its other forms were made: the front page leads to them.
OTHER_FORMS = $(wildcard $(addprefix $(BOOK)/thirty-two.,pdf epub))
$(BOOK)/forms: FORCE
	$(call keep,$(OTHER_FORMS))

$(BOOK)/site/index.html: book/index.md $(BOOK)/forms $(BOOK_INDEX) $(RUNS) $(BOOK_TOOLS) book/page.html README.md
	@mkdir -p $(@D)/programs $(BOOK)/plots $(BOOK)/files
	$(Q)$(PANDOC) -t html5 --template book/page.html --mathml --metadata pagetitle=Thirty-Two -o $@ $<

# The pages' words are written with the pages, so that the search finds them as they are read.
$(BOOK)/site/search.js: $(PAGES) book/search.lua book/synonyms
	$(Q)BOOK_BUILD=$(BOOK) pandoc --lua-filter book/search.lua --from markdown -t html --wrap=none -o $@ /dev/null

# Figures that are taken hold of.
EXPLORER := $(notdir $(wildcard src/explore/*.js src/explore/*.css))
$(BOOK)/site/%: src/explore/%
	@mkdir -p $(@D)
	@cp $< $@

$(BOOK)/site/%: book/static/%
	@mkdir -p $(@D)
	@cp $< $@

.PHONY: record-is-fresh
record-is-fresh:
	@for record in $(wildcard book/record/*.json); do book/measure --stale $$record || exit 1; done

# The runs alone, with the PTX of their files.
.PHONY: book-runs
book-runs: $(RUNS)

# The engine lies beside the pages, where it could be made.
.PHONY: book-engine
book-engine: engine
	@mkdir -p $(BOOK)/site && rm -f $(BOOK)/site/engine.wasm.js && \
		{ [ ! -e $(EXPLORE)/engine.wasm.js ] || cp -p $(EXPLORE)/engine.wasm.js $(BOOK)/site/; }

# $(call needs_pandoc,2.MINOR,WHAT)
needs_pandoc = pandoc --version 2>/dev/null | awk 'NR == 1 {split($$2, v, "."); new = v[1] > 2 || (v[1] == 2 && v[2] >= $(1:2.%=%))} END {exit !new}' || \
	{ echo "$(2) Pandoc $(1) or newer, unlike $$(pandoc --version 2>/dev/null | head -n 1 | grep . || echo 'here, where there is none'); make doctor says what there is" >&2; exit 2; }

## book: the book as web pages in build/book/site
.PHONY: book book-pages
book:
	@$(call needs_pandoc,2.9,book: needs)
	@$(MAKE) $(side_by_side) book-pages
book-pages: record-is-fresh book-engine $(PAGES) $(BOOK)/site/search.js $(patsubst book/static/%,$(BOOK)/site/%,$(wildcard book/static/*)) $(EXPLORER:%=$(BOOK)/site/%)
	@sort -u $(BOOK)/files/*.list | while read -r path from; do \
		mkdir -p "$(BOOK)/site/files/$$(dirname "$$path")" && cmp -s "$$from" "$(BOOK)/site/files/$$path.txt" || cp "$$from" "$(BOOK)/site/files/$$path.txt"; done
	@$(if $(OTHER_FORMS),cp -pu $(OTHER_FORMS) $(BOOK)/site/)
	@echo "the book is in $(BOOK)/site/index.html"

# --- one file: EPUB and PDF. Equal inputs give equal bytes: no date but the one that SOURCE_DATE_EPOCH says.
export SOURCE_DATE_EPOCH ?= 1767225600

JOIN := BOOK_BUILD=$(BOOK) pandoc --from json --wrap=none --metadata-file book/metadata.yaml --metadata title="$(shell sed -n 's/^book: //p' book/metadata.yaml)" --toc --toc-depth=2 --lua-filter book/key.lua

.PHONY: has-newer-pandoc
has-newer-pandoc:
	@$(call needs_pandoc,2.17,EPUB and PDF as well as slides and questions need)

define one_file_page
$(BOOK)/$(1)/%.json: chapters/%.md $(BOOK_INDEX) $(RUNS) $(BOOK_TOOLS) | has-newer-pandoc
	@mkdir -p $$(@D) $(BOOK)/plots
	$$(Q)BOOK_FORMAT=$(1) $$(PANDOC) -t json -o $$@ $$<
endef
$(foreach format,epub latex,$(eval $(call one_file_page,$(format))))

$(BOOK)/thirty-two.epub: $(CHAPTERS:chapters/%.md=$(BOOK)/epub/%.json) book/epub.css book/key.lua
	$(say) EPUB $@
	$(Q)$(JOIN) -t epub3 --mathml --css book/epub.css $(SYNTAX) -o $@ $(filter %.json,$^)

## book-epub: the book as one EPUB
.PHONY: book-epub
book-epub: $(BOOK)/thirty-two.epub

# Any warning fails, such as of a letter that the fonts do not have, but one: newer Pandocs pass on what LaTeX says of labels after the last of a fixed
# number of runs.
$(BOOK)/thirty-two.pdf: $(CHAPTERS:chapters/%.md=$(BOOK)/latex/%.json) book/page.tex book/document.latex book/tags.tex book/latex.lua book/columns.lua book/typography.lua book/tags.lua book/key.lua book/terms.lua book/synonyms
	$(say) PDF $@
	$(Q)$(JOIN) --pdf-engine=lualatex --template book/document.latex --include-in-header book/page.tex --include-in-header book/tags.tex --lua-filter book/terms.lua --lua-filter book/latex.lua --lua-filter book/tags.lua $(SYNTAX) \
		-V documentclass=scrbook -V classoption=oneside -V fontsize=10pt -V papersize=a4 -V geometry=margin=25mm \
		-V linkcolor=black -V urlcolor=black -V toccolor=black -o $@ $(filter %.json,$^) 2>$@.said; status=$$?; cat $@.said >&2; \
		if grep '^\[WARNING\]' $@.said | grep -qv 'Label(s) may have changed'; then status=1; fi; exit $$status

## book-pdf: the book as a PDF (./setup --pdf installs what it needs)
.PHONY: book-pdf
book-pdf: $(BOOK)/thirty-two.pdf
