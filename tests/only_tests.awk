# SPDX-License-Identifier: MIT
# Prints the functions that no program or library of gfe reaches: NAME FILE:LINE.
#
#   awk -f tests/only_tests.awk SOURCES-AND-HEADERS
#
# Reads the text, so that neither inlining nor the linker hides a call, and counts on its format:
# a function's brace stands in the first column, and so does what begins a definition.  Each
# function, table and macro is a node that uses the words in it.  Reached are main(), what libgfe
# and the preloaded libraries export, constructors and destructors, what macros define at file
# scope, and the definitions of every word that something reached uses: those of its own file if it
# has one, else those that other files can see.  A variable called like a function keeps it: the
# check misses some, and accuses none.

# The words of a line belong to the current node; names of members and events are none.
function take_words(text,    count, i, part)
{
    gsub(/(->|\.) *[A-Za-z_][A-Za-z0-9_]*/, " ", text)
    sub(/EVENT\([A-Z0-9_]+, [a-z0-9_]+,/, " ", text)
    gsub(/[^A-Za-z0-9_]+/, " ", text)
    count = split(text, part, " ")
    for (i = 1; i <= count; i++)
        if (part[i] ~ /^[A-Za-z_]/ && !((node, part[i]) in seen)) {
            seen[node, part[i]] = 1
            uses[node] = uses[node] " " part[i]
        }
}

function begin_node(name, is_function, is_seen)
{
    node = ++nodes
    name_of[node] = name
    is_function_of[node] = is_function
    is_seen_of[node] = is_seen
    file_of[node] = FILENAME
    line_of[node] = first
    in_file[FILENAME, name] = in_file[FILENAME, name] " " node
    if (is_seen)
        anywhere[name] = anywhere[name] " " node
}

# The word before the parameters.
function function_name(text)
{
    gsub(/__attribute__ *\(\(([^()]|\([^()]*\))*\)\)/, "", text)
    sub(/\(.*/, "", text)
    sub(/[ *]+$/, "", text)
    sub(/.*[ *]/, "", text)
    return text
}

# The word before the array's size or the sign, or within the parentheses of a pointer to functions.
function variable_name(text)
{
    sub(/ *=.*/, "", text)
    gsub(/\[[^]]*\]/, "", text)
    sub(/ *__attribute__.*/, "", text)
    if (match(text, /\(\*(const )?[A-Za-z0-9_]+/))
        text = substr(text, RSTART, RLENGTH)
    sub(/.*[ *]/, "", text)
    return text
}

# The line without comments and without what strings say.
function code_of(line,    at, rest)
{
    if (in_comment) {
        if (!sub(/^.*\*\//, "", line))
            return ""
        in_comment = 0
    }
    gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
    gsub(/'([^'\\]|\\.)*'/, "0", line)
    sub(/\/\/.*/, "", line)
    while ((at = index(line, "/*")) > 0) {
        rest = substr(line, at + 2)
        line = substr(line, 1, at - 1)
        at = index(rest, "*/")
        if (at == 0) {
            in_comment = 1
            break
        }
        line = line " " substr(rest, at + 2)
    }
    return line
}

function take_macro(line,    name)
{
    if (state == "function" || state == "table") {
        take_words(line)
    } else {
        sub(/^ *# *define +/, "", line)
        name = line
        sub(/[^A-Za-z0-9_].*/, "", name)
        first = FNR
        begin_node(name, 0, FILENAME ~ /\.h$/)
        take_words(substr(line, length(name) + 1))
    }
    if (line ~ /\\$/) {
        after_macro = state
        state = "macro"
    }
}

# A whole head: what stands between the first column and a brace, a sign or a semicolon.
function take_head(is_body)
{
    if (is_body) {
        begin_node(function_name(head), 1, head !~ /(^| )static / || FILENAME ~ /\.h$/)
        if (head ~ /constructor|destructor|RECORD_EXPORT|GFE_API/ || name_of[node] ~ /^[A-Z]/)
            is_root[node] = 1
        take_words(head)
        state = "function"
    } else if (head ~ /=/) {
        begin_node(variable_name(head), 0, head !~ /(^| )static /)
        take_words(head)
        state = head ~ /; *$/ ? "top" : "table"
    } else if (head ~ /\{ *$/) {
        state = "type"
    } else if (head ~ /; *$/) {
        if (head ~ /RECORD_EXPORT|GFE_API/)
            is_exported[function_name(head)] = 1
    } else if (head ~ /^[A-Z][A-Z0-9_]*(\(.*\))?$/) {
        begin_node(head, 0, 0)
        is_root[node] = 1
        take_words(head)
    } else {
        return
    }
    head = ""
}

function reach(list,    count, i, part)
{
    count = split(list, part, " ")
    for (i = 1; i <= count; i++)
        if (!(part[i] in reached)) {
            reached[part[i]] = 1
            queue[++queued] = part[i]
        }
}

FNR == 1 {
    state = "top"
    head = ""
    in_comment = 0
}

{
    line = code_of($0)
    if (state == "macro") {
        take_words(line)
        if (line !~ /\\$/)
            state = after_macro
        next
    }
    if (line ~ /^ *# *define/)
        take_macro(line)
    if (line ~ /^ *#/)
        next
    if (state == "function" || state == "table") {
        take_words(line)
        if (state == "function" ? line ~ /^}/ : line ~ /; *$/)
            state = "top"
        next
    }
    if (state == "type") {
        if (line !~ /^}/)
            next
        state = "top"
        if (line !~ /=/)
            next
        sub(/^} */, "", line)
    }
    if (head == "" && line ~ /^[A-Za-z_]/) {
        head = line
        first = FNR
    } else if (head != "" && line !~ /^[{}]/) {
        head = head " " line
    }
    if (head != "")
        take_head(line ~ /^\{/)
}

END {
    for (i = 1; i <= nodes; i++)
        if (i in is_root || name_of[i] == "main" || name_of[i] in is_exported)
            reach(i)
    for (at = 1; at <= queued; at++) {
        user = queue[at]
        count = split(uses[user], word, " ")
        for (i = 1; i <= count; i++)
            if ((file_of[user], word[i]) in in_file)
                reach(in_file[file_of[user], word[i]])
            else if (word[i] in anywhere)
                reach(anywhere[word[i]])
    }
    for (i = 1; i <= nodes; i++)
        if (is_function_of[i] && is_seen_of[i] && !(i in reached))
            print name_of[i] " " file_of[i] ":" line_of[i]
}
