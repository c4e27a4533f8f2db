# Puts predictions (-v answers=FILE: lines of a row's name and its numbers, or of rows' names with a + between and a number each) into the table of an exercise,
# or its constants.
BEGIN {
    while ((getline text <answers) > 0) {
        many = split(text, words, " ")
        rows = split(words[1], names, "+")
        for (i = 1; rows > 1 && i <= rows; i++) numbers[names[i]] = words[i + 1]
        if (rows > 1) continue
        list = words[2]
        for (i = 3; i <= many; i++) list = list ", " words[i]
        numbers[words[1]] = list
    }
}
/^PREDICT[A-Z_]*\(/ {
    row = $0
    sub(/^[A-Z_]*\(/, "", row)
    sub(/,.*/, "", row)
    if (row in numbers) {
        sub(/\(.*/, "(" row ", " numbers[row] ")")
        done[row] = 1
    }
}
/^__constant__ int [a-z_]* = / {
    for (row in numbers) done[row] += sub(row " = -?[0-9]+", row " = " numbers[row])
}
/^__constant__ int [a-z_]*\[[0-9]\] = \{/ {
    row = $3
    sub(/\[.*/, "", row)
    if (row in numbers) {
        sub(/\{.*/, "{" numbers[row] "};")
        done[row] = 1
    }
}
{print}
END {
    for (row in numbers)
        if (!done[row]) {
            print "no row " row >"/dev/stderr"
            exit 1
        }
}
