#!/bin/sh
# class.sh LAB FILE…: grades each file that somebody handed in, and prints a line of CSV for each: file, points, what it is.
# The whole result of each goes to a .json beside the file. What could not be graded has no points: that is not 0.
lab=$1
shift
echo file,points,result
for file in "$@"; do
    "${BUILD:-build}/warpscope" lab grade "$lab" --json --submission "$file" >"${file%.cu}.json" 2>"${file%.cu}.log"
    case $? in
    0) result='full marks' ;;
    1) result=graded ;;
    3) result='does not compile' ;;
    *) result=ungraded ;;
    esac
    points=$(sed -n 's/^  "score": \([0-9.]*\).*/\1/p' "${file%.cu}.json")
    echo "$file,$points,$result"
done
