# teachers.mk: what the tree for learners has no means to make. Included by the Makefile.

## verify: the reference solutions against the same goals
.PHONY: verify
verify: programs
	@$(labs) verify "$$LAB"

## package: a lab's grader for a platform: make package LAB=05 PLATFORM=gradescope|autolab|prairielearn|classroom|moodle [OUT=folder-or-file]
.PHONY: package
package: $(BUILD)/warpscope
	@BUILD=$(CURDIR)/$(BUILD) src/export/package "$$PLATFORM" "$$LAB" "$$OUT"

## release: the tree for learners, with no solutions and answers: make release [OUT=thirty-two.tar.gz]
.PHONY: release
release:
	@BUILD=$(CURDIR)/$(BUILD) src/export/release "$$OUT"
