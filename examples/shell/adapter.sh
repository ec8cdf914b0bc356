#!/bin/sh
# The reward of a trial as a shell script reads it, and the wire of docs/protocol.md around it.
# Only what a script can do: reward.txt as one number, reward.json as one flat object of numbers.
# mawk waits for a whole block of input unless it is told not to.
case $(awk -W version 2>&1 </dev/null) in mawk*) set -- -W interactive ;; *) set -- ;; esac
exec awk "$@" '
# Return the text of a file in the request, with the escapes of JSON undone; set found to whether there is one.
function content(file,   rest, text, c) {
    found = match($0, "\"" file "\": *[{]\"bytes\": *\"")
    if (!found) return ""
    rest = substr($0, RSTART + RLENGTH)
    text = ""
    while ((c = substr(rest, 1, 1)) != "\"") {
        rest = substr(rest, 2)
        if (c == "\\") {
            c = substr(rest, 1, 1)
            rest = substr(rest, c == "u" ? 6 : 2)
            c = c == "n" ? "\n" : c == "t" ? "\t" : c == "r" ? "\r" : c
        }
        text = text c
    }
    return text
}

# Write a number as Python does: the fewest digits that give it back, and always a point or an exponent.
function spelled(number,   digits, text, exponent) {
    for (digits = 0; digits < 17; digits++) {
        text = sprintf("%." digits "e", number)
        if (text + 0 == number) break
    }
    exponent = substr(text, index(text, "e") + 1) + 0
    if (exponent < -4 || exponent > 15) { sub(/[.]0*e/, "e", text); return text }
    return sprintf("%." (digits > exponent ? digits - exponent : 1) "f", number)
}

function value(text) {
    return text ~ /^-?[0-9]+$/ ? "{\"int\": \"" text "\"}" : "{\"float\": \"" spelled(text + 0) "\"}"
}

function failed(type) { return "\"error\": {\"type\": \"" type "\"}" }

function rewards(text,   pairs, pair, count, i) {
    gsub(/[ \t\r\n]/, "", text)
    if (text !~ /^[{].*[}]$/) return failed("VerifierOutputParseError")
    count = split(substr(text, 2, length(text) - 2), pairs, ",")
    for (i = 1; i <= count; i++) {
        if (split(pairs[i], pair, ":") != 2 || pair[2] !~ number) return failed("VerifierOutputParseError")
        pairs[i] = "[" pair[1] ", " value(pair[2]) "]"
        pairs[0] = pairs[0] (i > 1 ? ", " : "") pairs[i]
    }
    return "\"value\": {\"dict\": [" pairs[0] "]}"
}

function answer(   text) {
    if ($0 !~ /"surface": *"reward_files"/) return "\"skipped\": \"unknown surface\""
    text = content("reward[.]json")
    if (found) return text == "" ? failed("RewardFileEmptyError") : rewards(text)
    text = content("reward[.]txt")
    if (!found) return failed("RewardFileNotFoundError")
    gsub(/[ \t\r\n]/, "", text)
    if (text == "") return failed("RewardFileEmptyError")
    if (text !~ number) return failed("VerifierOutputParseError")
    return "\"value\": {\"dict\": [[\"reward\", {\"float\": \"" spelled(text + 0) "\"}]]}"
}

BEGIN { number = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$" }

/"cmd": *"start"/ {
    print "{\"version\": 1, \"implementation\": {\"name\": \"naive-shell\"}, \"surfaces\": [\"reward_files\"]}"
}
/"cmd": *"run"/ {
    match($0, /"seq": *[0-9]+/)
    print "{" substr($0, RSTART, RLENGTH) ", " answer() "}"
}
/"cmd": *"stop"/ { exit }
{ fflush() }
'
