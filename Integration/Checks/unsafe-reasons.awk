# The reading half of `unsafe-reasons`.

BEGIN {
    count = split("@unchecked Sendable|nonisolated(unsafe)|unowned(unsafe)|@exclusivity(unchecked)|unsafeBitCast|" \
        "unsafeDowncast|assumingMemoryBound|_withUnsafeGuaranteedRef|_withUnprotected", kinds, "|")
}

FNR == 1 { group = 0 }
{ line[FNR] = $0 }
FNR <= 20 && /^[ \t]*\/\/ Unsafe:/ { group = 1 }

function indentation(text) {
    match(text, /^[ \t]*/)
    return RLENGTH
}

function is_comment(text) { return text ~ /^[ \t]*(\/\/|\/\*|\*)/ }

function is_declaration(text) {
    return text ~ /(^|[ \t])(var|let|func|init|subscript|case|struct|class|enum|actor|protocol|extension|typealias)[ \t(<?]/
}

# Whether a comment stands close enough above line `at` to speak of it.
function has_reason_above(at,    above, text) {
    for (above = at - 1; above >= 1 && above >= at - 6; above--) {
        text = line[above]
        if (is_comment(text)) return 1
        # The end of what stands before the declaration, or another declaration beside it.
        if (text ~ /^[ \t]*}/ && indentation(text) <= indentation(line[at])) return 0
        if (is_declaration(line[at]) && is_declaration(text) && indentation(text) == indentation(line[at])) return 0
        if (text ~ /[^:]\/\/ /) return 1
    }
    return 0
}

!is_comment($0) {
    code = $0
    sub(/[ \t]\/\/.*/, "", code)
    for (i = 1; i <= count; i++) {
        if (!index(code, kinds[i])) continue
        found[i]++
        if (group || code != $0 || has_reason_above(FNR)) continue
        missing++
        print FILENAME ":" FNR ": " kinds[i] " without a reason" > "/dev/stderr"
    }
}

END {
    for (i = 1; i <= count; i++) print kinds[i] ": " found[i] + 0
    if (missing) {
        print "unsafe-reasons: " missing " place(s) without a reason" > "/dev/stderr"
        exit 1
    }
}
