function gcd(a, b) { return b ? gcd(b, a % b) : a }
/ launched with one block: / {
    numbers($0)
    threads["doubles_late"] = n[1]
    threads["pairs_late"] = n[2]
}
/rows_apart\(\) of 32 x / {
    numbers($0)
    rows = n[2]
}
kernel ~ /^(doubles_late|pairs_late)$/ && /in\[/ {
    numbers($0)
    begin()
    touch(8 * n[1], 8 * threads[kernel])
    right[kernel] = count(sector)
}
kernel == "some_lanes" && /in\[/ {
    numbers($0)
    begin()
    touch(16 * n[2], 16 * n[1])
    right[kernel] = count(sector)
}
kernel == "rows_apart" && /in\[/ {
    numbers(substr($0, index($0, "in[")))
    sectors = 0
    for (row = 0; row < rows; row++) {
        begin()
        touch(4 * n[1] * row, 4 * 32)
        sectors += count(sector)
    }
    right[kernel] = sectors
}
/pixels of .* points of / {
    numbers(substr($0, index($0, "pixels")))
    right["multiple_of_doubles"] = 32 / gcd(8, 32)
    right["multiple_of_shorts"] = 32 / gcd(2, 32)
    right["multiple_of_pixels"] = 32 / gcd(n[1], 32)
    right["multiple_of_points"] = 32 / gcd(4 * n[2], 32)
}
/a matrix has .* columns of floats/ {
    numbers($0)
    two = four = 0
    for (row = 0; row < n[2]; row++) {
        two += row * n[1] % 2 == 0
        four += row * n[1] % 4 == 0
    }
    right["rows_for_float2"] = two
    right["rows_for_float4"] = four
}
# A goal's two predictions are a row of two numbers.
function pair(one, other) { print one "+" other, right[one], right[other] }
END {
    pair("doubles_late", "pairs_late")
    pair("some_lanes", "rows_apart")
    pair("multiple_of_doubles", "multiple_of_shorts")
    pair("multiple_of_pixels", "multiple_of_points")
    pair("rows_for_float2", "rows_for_float4")
}
