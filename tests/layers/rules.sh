#!/bin/sh
# rules.sh ROOT OBJECTS RULE…: holds the tree under ROOT to the house rules, one line for each violation; fails when there is one.
# OBJECTS is the folder of the compiled sources (OBJECTS/src/base/text.o, …); only the rules `calls` and `symbols` look there.
#
#   includes        base ← ptx ← kernel ← machine ← observe ← device ← input ← report ← runtime ← grade ← lab ← class ← lsp ← serve ← explore ← command; host and cuda stand beside ptx: host knows base, cuda both, and what computes neither;
#                   no header includes ptx/opcode.h
#   own_header      a .c file includes its own header first, so that the header cannot lean on what came before
#   self_contained  each header compiles alone: as the first of its own source when that is built, or else here
#   once            the name of a file or type occurs once, and that of a function that a header declares
#   size            no C file of more than 600 lines, no function of more than six parameters but where another library says what they are
#   names           no type name of our own ends in _t: POSIX keeps those
#   started         other programs are started in few places; compilers in one of them, door.c
#   reals           real numbers become JSON in one place, which knows what to do with those that JSON does not have
#   kinds           each kind of fault is found somewhere, and asked for in a test
#   counted         each member that is a metric is counted, in counters.c
#   drawn           one expression draws once: C does not say which of two calls comes first
#   gaps            a switch over an enum has no default, so that the compiler finds what it leaves out
#   said            scripts say what stands in a variable by printf: echo of some shells reads \033 in it
#   entered         scripts that change folders unset CDPATH, by which cd goes elsewhere and prints where
#   fetched         a suite that fetches from a network asks whether there is one
#   unfinished      no TODO, FIXME or XXX
#   map             the files, suites, functions and types that ARCHITECTURE.md names are there
#   calls           what a file calls lies below it, too; files call each other in a circle only where they recurse: in the parser, and where a
#                   warp's access takes its generic addresses apart
#   symbols         base, ptx, kernel, machine and observe do no input or output, never end the program, keep no mutable globals
# shellcheck disable=SC2317,SC2016 # the rules are called by name
set -u
root=$1 objects=$2
shift 2
cd "$root" || exit 2
bad=0

c_files() { find src tests \( -path src/include -o -path src/host/wasm/system \) -prune -o -type f \( -name '*.c' -o -name '*.h' \) -print | sort; }
src_files() { find src \( -path src/include -o -path src/host/wasm/system \) -prune -o -type f \( -name '*.c' -o -name '*.h' -o -name '*.def' \) -print | sort; }
# For awk: what asks the system stands between base and ptx, where nothing from ptx to observe looks; include has our CUDA headers.
ranks='
            n = split("base ptx kernel machine observe device input report runtime grade lab class lsp serve explore command", order, " ")
            for (i = 1; i <= n; i++) rank[order[i]] = i
            rank["host"] = rank["base"] + 0.2; rank["cuda"] = rank["base"] + 0.4
            rank["include"] = 0'
violations() { ! grep .; } # shows what it reads; any line at all is a violation

includes() {
    src_files | xargs awk '
        BEGIN {
            '"$ranks"'
        }
        FNR == 1 {
            split(FILENAME, path, "/")
            from = path[2]
            if (!(from in rank)) printf "%s: folder %s has no place in the order of layers\n", FILENAME, from
        }
        /^[ \t]*#[ \t]*include[ \t]*"/ {
            split($0, part, "\"")
            slash = index(part[2], "/")
            to = slash ? substr(part[2], 1, slash - 1) : ""
            where = FILENAME ":" FNR ": "
            if (part[2] == "ptx/opcode.h" && FILENAME ~ /\.h$/) printf "%sa header that includes ptx/opcode.h has all its users compiled again for a new opcode\n", where
            if (!(to in rank)) printf "%s\"%s\" is not relative to src\n", where, part[2]
            else if (rank[to] > rank[from] || (to != from && rank[to] == rank[from]))
                printf "%s%s must not include %s\n", where, from, to
            else if ((to == "cuda" || to == "host") && rank[from] >= rank["ptx"] && rank[from] < rank["device"])
                printf "%s%s must not include %s\n", where, from, to
        }' | violations
}

own_header() {
    src_files | grep '\.c$' | while read -r file; do if [ -f "${file%.c}.h" ]; then echo "$file"; fi; done | xargs awk '
        FNR == 1 {seen = 0}
        !seen && /^#include ["<]/ {
            seen = 1
            split($0, part, "[\"<>]")
            if ("src/" part[2] != substr(FILENAME, 1, length(FILENAME) - 1) "h" || $0 !~ /"/)
                print FILENAME ": includes " ($0 ~ /"/ ? part[2] : "<" part[2] ">") " before its own header"
        }' | violations
}

# But for those that stand before all else in the source of the same name: building it has shown that; and for what is not built here.
self_contained() {
    unbuilt='^$'
    pkg-config --exists libmicrohttpd || unbuilt='^src/serve/'
    built=$(src_files | grep '\.h$' | while read -r header; do if [ -f "${header%.h}.c" ]; then echo "${header%.h}.c"; fi; done | xargs awk '
        FNR == 1 {begun = 0}
        begun || /^( \*|$)/ || /^\/\*.*\*\/$/ || (/^\/\*/ && !/\*\//) {next}
        {begun = 1}
        $0 == "#include \"" substr(FILENAME, 5, length(FILENAME) - 5) "h\"" {print substr(FILENAME, 1, length(FILENAME) - 1) "h"}')
    { src_files | grep '\.h$' && echo "$built"; } | sort | uniq -u | grep . | grep -v "$unbuilt" | while read -r header; do
        printf '#include "%s"\n' "${header#src/}" | ${CC:-cc} -std=gnu11 -Wall -Wextra -Isrc -fsyntax-only -x c - 2>/dev/null ||
            echo "$header: does not compile alone"
    done | violations
}

once() {
    {
        src_files | sed 's,.*/,,' | sort | uniq -d | sed 's/$/: two files of src have this name/'
        src_files | xargs awk '/^typedef (struct|enum|union) [A-Za-z]+/ {gsub(/[{;]/, ""); if (seen[$3]++) print FILENAME ": type " $3 " is defined elsewhere too"}'
        src_files | grep -v '^src/host/wasm' | xargs awk '
            /^[A-Za-z].*[ *][a-z][a-z0-9_]*\(/ && !/^typedef/ && (/^static / || FILENAME ~ /\.h$/) {
                name = $0
                sub(/\(.*/, "", name)
                sub(/.*[ *]/, "", name)
                if (FILENAME !~ /\.h$/) own[name] = FILENAME
                else if (name in declared && declared[name] != FILENAME) print FILENAME ": " name " is declared in " declared[name] ", too"
                else declared[name] = FILENAME
            }
            END {for (name in own) if (name in declared) print own[name] ": " name " is the name of a function of " declared[name]}'
    } | violations
}

size() {
    {
        c_files | xargs awk 'FNR == 601 {print FILENAME ": more than 600 lines"}'
        src_files | xargs awk '
            FNR == 1 {head = ""}
            /^[A-Za-z].*\(/ && !/^(typedef|[A-Z0-9_]+\()/ {head = ""; begun = FNR}
            begun {head = head $0}
            begun && /[;{]$/ {
                commas = depth = 0
                for (i = index(head, "("); i <= length(head); i++) {
                    c = substr(head, i, 1)
                    depth += (c == "(") - (c == ")")
                    if (depth == 0) break
                    commas += c == "," && depth == 1
                }
                if (commas > 5 && head !~ /__cuda|MHD_|DRIVER_|BLAS_WEAK|CU(result|launchConfig)| cuda[A-Za-z0-9]*_(called|locked)\(/) print FILENAME ":" begun ": a function of more than six parameters"
                begun = 0
            }'
    } | violations
}

names() {
    c_files | xargs awk '
        /^[ \t]*(\/\*|\*|\/\/)/ {next}
        /typedef.*[A-Za-z0-9]_t[ \t]*;/ || /^}[ \t]*[A-Za-z0-9_]+_t;/ || /(struct|enum|union)[ \t]+[A-Za-z0-9_]+_t[ \t]*\{/ {
            print FILENAME ":" FNR ": a type of our own ends in _t"
        }' | violations
}

started() {
    src_files | grep -vE '^src/(include/.*|host/process\.[ch]|cuda/door\.c|grade/scratch\.c|runtime/callsite\.c|lsp/worker\.c|serve/http\.c|class/sandboxed\.c|command/command\.c)$' |
        xargs grep -nE '(^|[^a-z_])(system|popen|exec[lv]p?e?|posix_spawnp?|process_run)\(' | sed 's/$/: starts a program/' | violations
}

reals() {
    src_files | grep -vE '^src/(host/wasm/.*|report/object\.c)$' |
        xargs grep -nE '(^|[^a-z_])json_real\(|json_pack\("[^"]*f' | sed 's/$/: object_real has null for what is no number/' | violations
}

kinds() {
    sed -n 's/^ *FAULT(\([a-z_]*\),.*/\1/p' src/machine/fault.h | while read -r kind; do
        grep -rqw --include='*.c' "FAULT_$kind" src || echo "src/machine/fault.h: nothing finds $kind"
        grep -rqwE "(FAULT_)?$kind" tests/unit tests/ptx || echo "src/machine/fault.h: no test asks for $kind"
    done | violations
}

counted() {
    sed -n 's/^\(SECTORS\|BANKS\)(\([a-z0-9_]*\),.*/\2/p' src/report/metrics.def | sort -u | while read -r member; do
        grep -qE "(->|\.)$member\>" src/observe/counters.c || echo "src/report/metrics.def: nothing in observe/counters.c counts $member"
    done | violations
}

# Declarations with several names have an order, and of what ? and : choose from one is drawn.
drawn() {
    find tests/labs src/lab -name '*.c' | sort | xargs awk '
        FNR == 1 { statement = "" }
        { statement = statement " " $0 }
        /;|\{$/ {
            while (match(statement, /(lab_draw|drawn_launch)\(/)) {
                before = substr(statement, 1, RSTART - 1)
                if (seen && before !~ / = | : /) print FILENAME ":" FNR ": draws twice in one expression"
                seen = 1
                statement = substr(statement, RSTART + RLENGTH)
            }
            statement = ""
            seen = 0
        }' | violations
}

# By what stands in the cases beside it; DRIVER_, OPTION_ and WINDOW_ are numbers.
gaps() {
    src_files | xargs awk '
        FNR == 1 { split("", last) }
        { match($0, /^[ \t]*/); indent = RLENGTH }
        /^[ \t]*case / { last[indent] = $2 }
        /^[ \t]*default:/ && last[indent] ~ /^[A-Z]+_[A-Za-z0-9_]*:?$/ && last[indent] !~ /^(DRIVER|OPTION|WINDOW)_/ {
            print FILENAME ":" FNR ": a default beside " last[indent]
        }' | violations
}

said() {
    grep -rlE '^#! */bin/(ba)?sh' src | xargs awk -v quoted="'[^']*'" '
        {gsub(quoted, "")}
        /(^|[^a-z_])echo [^|;&>]*\$/ {print FILENAME ":" FNR ": an echo of a variable"}' | violations
}

entered() {
    grep -rlE '^#! */bin/(ba)?sh' src setup .ci 2>/dev/null | while read -r script; do
        ! grep -qE '(^|[^a-z_])cd [^ ]' "$script" || grep -q '^unset CDPATH' "$script" || echo "$script: a cd, and CDPATH may be set"
    done | violations
}

fetched() {
    find tests -type f \( -name run -o -name '*.sh' \) ! -path '*/layers/*' ! -name network.sh | xargs grep -lE '(^ *|[&|;({'"'"'] *|(try|then|else|if|!) +)(debootstrap|apt-get|wget|curl) ' | while read -r suite; do
        grep -qE '^ *needs_network ' "$suite" || echo "$suite: fetches without needs_network (tests/network.sh)"
    done | violations
}

unfinished() { c_files | xargs grep -nwE 'TODO|FIXME|XXX' | violations; }

# "`NAME` (`FILE`" says where a function is. A file stands there by its path or by the end of it; left out is what make builds, and what stands
# for many (NN, NAME).
map() {
    [ -d src/export ] || return 0 # the tree for learners, which lacks what teachers have
    places='src tests book exercises export Makefile'
    # shellcheck disable=SC2086 # words
    {
        grep -oE '`[a-z_]+` \(`[a-z_/]+\.[ch]`' ARCHITECTURE.md | tr -d '(\140' | while read -r name file; do
            grep -qw "$name" "src/$file" || echo "ARCHITECTURE.md: $name is not in $file"
        done
        grep -o '`[^`]*`' ARCHITECTURE.md | tr -d '\140' | sed 's,/$,,' | sort -u | grep -vE '[^A-Za-z0-9_./-]|^[-.]|^build/|NN|NAME|MODULE|PLATFORM' |
            while read -r name; do
                case $name in
                unit-*) [ -e "tests/unit/${name#unit-}.c" ] ;;
                */* | *.*) [ -e "$name" ] || find src tests book exercises -path "*/$name" 2>/dev/null | grep -q . ;;
                *_* | [A-Z]*) grep -rqw --include='*.[ch]' --include='*.def' --include='*.sh' --include='*.js' --include='*.lua' --include='*.goals' --include=run --include=Makefile -e "$name" $places 2>/dev/null ;;
                esac || echo "ARCHITECTURE.md: $name is not there"
            done
    } | violations
}

calls() {
    src_files | sed -n 's/c$/o/p' | (cd "$objects" && while read -r object; do if [ -f "$object" ]; then nm -A -P -g "$object"; fi; done) | awk '
        BEGIN {
            '"$ranks"'
        }
        function circle(file) { # where recursion is, all its files are one
            return file ~ /ptx\/(parse|contract)/ ? "src/ptx/parser.o" : file ~ /machine\/(bounds|loadstore)\.o/ ? "src/machine/loadstore.o" : file
        }
        {sub(/:$/, "", $1)}
        $3 == "U" {uses[$1 " " $2]; next}
        {defined[$2] = $1}
        END {
            for (use in uses) {
                split(use, word, " ")
                if (!(word[2] in defined)) continue
                from = word[1]; to = defined[word[2]]
                split(from, folder, "/"); split(to, other, "/")
                if (rank[other[2]] > rank[folder[2]]) print from ": calls " word[2] " of " to ", which stands above it"
                else if (circle(from) != circle(to)) print circle(from), circle(to) | "tsort 2>&1 >/dev/null | sed -n \"s/^tsort: \\(src.*\\)/\\1: in a circle of calls/p\""
            }
        }' | violations
}

# text_read_file is the one place below the devices that touches a file.
symbols() {
    {
        list=$(src_files | grep -E '^src/(base|ptx|kernel|machine|observe)/[^/]*\.c$')
        for source in $list; do [ -f "$objects/${source%.c}.o" ] || echo "$source: no object file to look at"; done
        echo "$list" | sed 's/c$/o/' | (cd "$objects" && xargs nm --format=sysv 2>/dev/null) | awk -F'|' '
            /^Symbols from / {
                source = substr($0, 14)
                sub(/\.o:$/, ".c", source)
            }
            {
                gsub(/ /, "")
                name = $1; class = $3; section = $7
            }
            class == "U" && source != "src/base/text.c" &&
            name ~ /^_*(v?f?printf|puts|putchar|fputs|fputc|putc|f?write|f?read|f?open|fdopen|popen|scanf|fgets|getline|getenv|system|fork|exec[lv]p?e?|exit|_exit|_Exit|quick_exit|std(in|out|err)|perror|stat|time|clock_gettime|gettimeofday|s?rand)(_chk|64)?$/ {
                printf "%s: uses %s\n", source, name
            }
            section ~ /^(\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && section !~ /^\.data\.rel\.ro/ && class ~ /^[A-Za-z]$/ {
                printf "%s: mutable global %s\n", source, name
            }'
    } | violations
}

for rule in "$@"; do "$rule" || bad=1; done
exit $bad
