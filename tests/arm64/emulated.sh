# What tests/arm64/run and tests/x86/run share; they source it behind suite.sh. BUILD: the build folder of this machine; made: the folder of the other
# machine's, in it; the functions' RUNNER is the command that runs the other's programs.
: "${made:?}"

explained() { # WHAT FILE: something failed, and the file's last lines say why
    tail -n 20 "$2" >"$folder/out"
    bad "$1"
}

# Warnings of our own code: a compiler of another machine sees Check's header in a folder that is none of its system's.
warned() { grep -E 'warning:|error:' "$made/log" | grep -v '^[^:]*/usr/include/check\.h:' >"$made/warnings"; }

build() { # make's variables and goals: with no warning
    if make --no-print-directory "-j$(getconf _NPROCESSORS_ONLN)" BUILD="${made#"$PWD"/}" SAN= "$@" >"$made/log" 2>&1 &&
        ! warned; then
        good
    else
        explained 'the build has failed, or warns' "$made/log"
        finish
    fi
}

lab() { # RUNNER…: a solution, compiled by clang, earns all points
    if "$@" "$made/labs/05-transpose" --cc clang solutions/05-transpose/kernel.cu >"$made/log" 2>&1 &&
        grep -q '^Lab 05 .*: 100 of 100 points' "$made/log"; then
        good
    else
        explained 'lab 05 with its solution' "$made/log"
    fi
}

same_counts() { # RUNNER…: reports, results and faults are those of this machine, to the byte. The PTX is compiled once, for both.
    mkdir -p "$made/ptx"
    for kernel in solutions/*/kernel.cu; do
        name=${kernel#solutions/}
        arch=$(arch_of "$kernel")
        "$BUILD/warpscope" compile "$kernel" --cc clang ${arch:+--arch "$arch"} -o "$made/ptx/${name%/*}.ptx" >"$made/log" 2>&1 || explained "$kernel" "$made/log"
    done
    tests/arm64/counts "$BUILD" "$made/counts-here"
    tests/arm64/counts "$made" "$made/counts-there" "$@"
    for file in "$made"/counts-here/*; do
        if cmp "$file" "$made/counts-there/${file##*/}" >"$made/log" 2>&1; then good; else explained "${file##*/} differs" "$made/log"; fi
    done
}
