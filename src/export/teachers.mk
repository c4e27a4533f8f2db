# teachers.mk: what the tree for learners has no means to make. Included by the Makefile.

## verify: the reference solutions against the same goals
.PHONY: verify
verify: programs
	@$(labs) verify "$$LAB"

## package: a lab's grader for a platform: make package LAB=05 PLATFORM=gradescope|autolab|prairielearn|classroom50|moodle [OUT=folder-or-file] [SECRET=file]
.PHONY: package
package: $(BUILD)/warpscope
	@BUILD=$(CURDIR)/$(BUILD) src/export/package "$$PLATFORM" "$$LAB" "$$OUT" "$$SECRET"

## release: the tree for learners, with no solutions and answers: make release [OUT=thirty-two.tar.gz]
.PHONY: release
release:
	@BUILD=$(CURDIR)/$(BUILD) src/export/release "$$OUT"

# --- what is taught with, from book/teach: build/teach. Numbers are bound to the book's runs, by the book's own filter.
TEACH := $(BUILD)/teach
QUESTION_PAGES := $(sort $(wildcard book/teach/questions/*.md))
ASKED := $(QUESTION_PAGES:book/teach/questions/%.md=$(TEACH)/questions/%.json)
$(ASKED): $(TEACH)/questions/%.json: book/teach/questions/%.md book/teach/check.lua $(BOOK_INDEX) $(RUNS) $(BOOK_TOOLS) | has-newer-pandoc
	@mkdir -p $(@D) $(BOOK)/plots
	$(Q)BOOK_FORMAT=html-questions BOOK_BUILD=$(BOOK) pandoc --from markdown-smart+smart --wrap=none --lua-filter book/teach/check.lua --lua-filter book/filter.lua \
		--metadata-file book/metadata.yaml -t json -o $@ $<

# What stands between header and foot, for those who hear pages.
in_main := -V include-before='<main>' -V include-after='</main>'
# FORMAT: a bank of questions, from all pages or from those that are named.
quiz = $(Q)QUIZ=$(1) pandoc --from json --wrap=none --lua-filter book/teach/quiz.lua
$(TEACH)/questions-moodle.xml: $(ASKED) book/teach/quiz.lua
	$(call quiz,moodle) -t plain -o $@ $(ASKED)
$(TEACH)/questions.gift: $(ASKED) book/teach/quiz.lua
	$(call quiz,gift) -t plain -o $@ $(ASKED)
$(TEACH)/questions.html $(TEACH)/answer-key.html: $(ASKED) book/teach/quiz.lua book/teach/sheet.css
	$(Q)(echo '<style>' && cat book/teach/sheet.css && echo '</style>') >$(TEACH)/head.html
	$(call quiz,$(if $(findstring key,$@),key,sheet)) -s -t html5 --mathml -H $(TEACH)/head.html $(in_main) -o $@ $(ASKED)
$(TEACH)/qti/%.xml: $(TEACH)/questions/%.json book/teach/quiz.lua
	@mkdir -p $(@D)
	$(call quiz,qti) -t plain -o $@ $<
$(TEACH)/questions-canvas.zip: $(ASKED:$(TEACH)/questions/%.json=$(TEACH)/qti/%.xml) book/teach/quiz.lua
	$(Q)rm -rf $(TEACH)/canvas && mkdir -p $(TEACH)/canvas
	$(call quiz,manifest) -t plain -o $(TEACH)/canvas/imsmanifest.xml $(ASKED)
	$(Q)for file in $(filter %.xml,$^); do name=$$(basename $$file .xml) && mkdir $(TEACH)/canvas/$$name && cp $$file $(TEACH)/canvas/$$name/; done
	$(Q)rm -f $@ && (cd $(TEACH)/canvas && bsdtar --format zip -cf ../$(@F) imsmanifest.xml [0-9]*)

## questions: a bank of questions with answers for Moodle and Canvas, a sheet to print and its key, in build/teach
.PHONY: questions
questions: $(addprefix $(TEACH)/,questions-moodle.xml questions.gift questions-canvas.zip questions.html answer-key.html)
	@echo "$(TEACH): $(notdir $^)"

# Slides for each chapter, of the chapter's own figures and numbers: a page of one file, a PDF where there is Chromium, and the plan by minutes.
DECKS := $(sort $(wildcard book/teach/slides/*.md))
SLIDES := $(DECKS:book/teach/slides/%.md=$(TEACH)/slides-%.html)
CHROMIUM := $(firstword $(shell command -v chromium chromium-browser google-chrome))
SLIDES_PDF := $(if $(CHROMIUM),$(SLIDES:.html=.pdf))
deck = $(Q)BOOK_FORMAT=html-slides BOOK_BUILD=$(BOOK) pandoc --from markdown-smart+smart --wrap=none $(SYNTAX) --lua-filter book/teach/slides.lua --lua-filter book/filter.lua \
	--lua-filter book/teach/deck.lua --metadata-file book/metadata.yaml --slide-level=2
DECK_TOOLS := $(addprefix book/teach/,slides.lua deck.lua slides.html slides.css) $(BOOK_INDEX) $(RUNS) $(BOOK_TOOLS)
$(SLIDES): $(TEACH)/slides-%.html: book/teach/slides/%.md chapters/%.md $(DECK_TOOLS) | has-newer-pandoc
	$(say) SLIDES $@
	@mkdir -p $(TEACH) $(BOOK)/plots
	$(deck) -t dzslides --mathml --template book/teach/slides.html -V lang=en-GB -V pagetitle="$(shell sed -n 's/^title: *//p' chapters/$*.md)" -V style="$$(cat book/teach/slides.css)" -o $@ $<
# Printed from the page, by the browser that ./setup --pages installs: a slide a page, with its notes.
$(TEACH)/%.pdf: $(TEACH)/%.html
	$(Q)$(CHROMIUM) --headless --disable-gpu $(if $(filter 0,$(shell id -u)),--no-sandbox) --no-pdf-header-footer --virtual-time-budget=5000 --print-to-pdf=$@ "file://$(abspath $<)" 2>$(TEACH)/print.log || { rm -f $@; echo "no $(@F): $(CHROMIUM) does not print here ($(TEACH)/print.log); print $< instead"; }
$(TEACH)/plan-%.json: book/teach/slides/%.md chapters/%.md book/teach/slides.lua | has-newer-pandoc
	@mkdir -p $(TEACH)
	$(Q)PLAN=yes pandoc --from markdown-smart+smart --wrap=none --lua-filter book/teach/slides.lua -t json -o $@ $<
$(TEACH)/plan.html: $(DECKS:book/teach/slides/%.md=$(TEACH)/plan-%.json) book/teach/sheet.css
	$(Q)(echo '<style>' && cat book/teach/sheet.css && echo '</style>') >$(TEACH)/head.html
	$(Q)pandoc --from json -s -t html5 -H $(TEACH)/head.html $(in_main) --metadata title="Thirty-Two: minute by minute" --metadata lang=en-GB -o $@ $(filter %.json,$^)

## slides: slides for each chapter, web pages and (./setup --pages) PDF, with notes, and a plan by minutes, in build/teach
.PHONY: slides
slides: $(SLIDES) $(SLIDES_PDF) $(TEACH)/plan.html
	@echo "$(TEACH): $(notdir $^)"
