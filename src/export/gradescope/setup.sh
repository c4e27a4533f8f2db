#!/bin/bash
# Gradescope runs this once, as root, when the autograder is uploaded: it installs what grading needs and builds it. The programs are made
# for any processor of this kind, since submissions are graded on other machines than this one.
set -e
unset CDPATH # by which cd goes elsewhere, and says so
cd "$(dirname "$0")/thirty-two"
./setup --grading
make MACHINE= programs
