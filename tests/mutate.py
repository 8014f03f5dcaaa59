#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Finds the places of C files where a mutant can be made, and makes one.

A mutant is one small change in the body of a function. tests/mutate.sh draws mutants, builds each and runs tests.
The operators are those of the literature on mutation testing (Offutt et al., 1996: relational, logical and arithmetic
operators, operands, constants), with removed statements and changed return values.

The draw is a hash of the seed, the file, the function and the changed line, not of a line's number. A change
elsewhere in the sources leaves the other mutants of a draw as they were.
"""
import collections
import hashlib
import re

TOKEN = re.compile(
    r"""(?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\\n|\\.)*|\s+)
      |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      |(?P<number>(?:0[xX][0-9a-fA-F]+|\d+\.\d+|\d+)[uUlL]*)
      |(?P<name>[A-Za-z_]\w*)
      |(?P<sign><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|/=|%=|&=|\|=|\^=|.)""",
    re.S | re.M | re.X)

RELATIONAL = {"<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "==": ["!="], "!=": ["=="]}
LOGICAL = {"&&": ["||"], "||": ["&&"]}
ARITHMETIC = {"+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "<<": [">>"], ">>": ["<<"], "&": ["|"],
              "|": ["&"], "^": ["&"], "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="], "|=": ["&="],
              "&=": ["|="], "<<=": [">>="], ">>=": ["<<="], "++": ["--"], "--": ["++"]}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
# What an operand of && or || ends at, beside the brackets around it.
ENDS = {",", ";", "?", ":", "{", "}", "return"} | ASSIGNMENTS
TYPES = {"const", "static", "struct", "union", "enum", "unsigned", "signed", "int", "char", "bool", "long", "short",
         "void", "double", "float", "volatile", "size_t", "va_list", "FILE"}
# Calls whose arguments are not changed: they do nothing in a program that is right.
QUIET = {"assert", "static_assert", "_Static_assert", "sizeof", "offsetof"}

Token = collections.namedtuple("Token", "kind text start end depth function")
Mutant = collections.namedtuple("Mutant", "file function operator line before after start end text rank")


def tokens_of(source):
    """The tokens of a file, each with the depth of its brackets and the function that it stands in ('' outside)."""
    tokens, depth, function, body, name = [], 0, "", None, ""
    for match in TOKEN.finditer(source):
        if match.lastgroup == "skip":
            continue
        text = match.group()
        if text == "{" and depth == 0 and tokens and tokens[-1].text == ")":
            function, body = name, depth
        if depth == 0 and match.lastgroup == "name" and source[match.end():match.end() + 1] == "(":
            name = text
        if text in (")", "]", "}"):
            depth -= 1
        tokens.append(Token(match.lastgroup, text, match.start(), match.end(), depth, function))
        if text in ("(", "[", "{"):
            depth += 1
        if text == "}" and body is not None and depth == body:
            function, body = "", None
    return tokens


def closing(tokens, index):
    """The index of the bracket that closes the one at index."""
    depth = tokens[index].depth
    index += 1
    while index < len(tokens) and tokens[index].depth != depth:
        index += 1
    return index


def quiet_tokens(tokens):
    """The indices of tokens in arguments of QUIET calls."""
    quiet = set()
    for index, token in enumerate(tokens[:-1]):
        if token.text in QUIET and tokens[index + 1].text == "(":
            quiet.update(range(index, closing(tokens, index + 1) + 1))
    return quiet


def is_binary(tokens, index):
    """Whether the sign at index has an operand in front of it (and so is no sign, pointer or address)."""
    before = tokens[index - 1]
    if before.kind in ("number", "text") or before.text == "]":
        return True
    if before.kind == "name":
        return before.text not in TYPES and before.text not in ("return", "case", "else")
    if before.text != ")":
        return False
    # A cast is a bracket with types alone; what stands behind one is an operand's sign.
    first = index - 1
    while tokens[first].depth != before.depth or tokens[first].text != "(":
        first -= 1
    inside = tokens[first + 1:index - 1]
    is_cast = bool(inside) and all(t.text == "*" or t.text in TYPES or t.kind == "name" for t in inside) and (
        inside[0].text in TYPES or inside[-1].text == "*" or inside[0].text.endswith("_t") or
        inside[0].text == "gfe_ps")
    return not is_cast


def statements_of(tokens):
    """(first, last) of each statement that ends with a semicolon, in functions."""
    first = None
    for index, token in enumerate(tokens):
        if not token.function:
            first = None
            continue
        before = tokens[index - 1].text
        if first is None or before in (";", "{", "}", "else", "do") or (before == ":" and first_is_label(tokens, first)):
            first = index
        if before == ")" and after_control(tokens, index - 1):
            first = index
        if token.text == ";" and tokens[first].depth == token.depth:
            yield first, index


def first_is_label(tokens, first):
    return tokens[first].text in ("case", "default")


def after_control(tokens, close):
    """Whether the bracket that ends at close belongs to if, while, for or switch."""
    first = close
    while not (tokens[first].text == "(" and tokens[first].depth == tokens[close].depth):
        first -= 1
    return tokens[first - 1].text in ("if", "while", "for", "switch")


def is_declaration(tokens, first):
    """Whether the statement at first declares something."""
    if tokens[first].text in TYPES:
        return True
    if tokens[first].kind != "name" or tokens[first].text in ("return", "goto", "case", "break", "continue", "else"):
        return False
    after = first + 1
    while tokens[after].text == "*":
        after += 1
    return tokens[after].kind == "name"


def operand(tokens, index, step, symbol):
    """The last index of the operand of && or || at index, in the direction of step."""
    depth = tokens[index].depth
    ends = ENDS | ({"&&", "||"} if symbol == "&&" else {"||"})
    at = index + step
    while True:
        token = tokens[at + step]
        if token.depth < depth or (token.depth == depth and (token.text in ends or (
                token.text in ("(", ")", "[", "]", "{", "}") and token.depth < depth))):
            return at
        # The bracket around the whole condition stands at a lower depth.
        at += step


def changes_of(tokens):
    """(operator, first, last, text) for each change: the tokens from first to last become text."""
    quiet = quiet_tokens(tokens)
    declared = set()
    for first, last in statements_of(tokens):
        declares = is_declaration(tokens, first)
        if declares:
            for index in range(first, last):
                if tokens[index].text == "=":
                    break
                declared.add(index)
        if first in quiet or declares or tokens[first].text in ("break", "continue", "goto", "return"):
            if tokens[first].text == "return" and last > first + 1:
                yield from changes_of_return(tokens, first, last)
            elif tokens[first].text == "continue":
                yield "statement", first, first, "break"
            continue
        if tokens[first].kind == "name" and tokens[first].text not in ("for", "while", "if", "case", "default") and \
                last > first + 1:
            yield "statement", first, last, ";"
    for index, token in enumerate(tokens):
        if not token.function or index in quiet or index in declared:
            continue
        text = token.text
        if text in RELATIONAL:
            for other in RELATIONAL[text]:
                yield "relational", index, index, other
        elif text in LOGICAL:
            yield "logical", index, index, LOGICAL[text][0]
            whole = "true" if text == "&&" else "false"
            yield "operand", operand(tokens, index, -1, text), index - 1, whole
            yield "operand", index + 1, operand(tokens, index, 1, text), whole
        elif text in ARITHMETIC and (text in ("++", "--") or text in ASSIGNMENTS or is_binary(tokens, index)):
            for other in ARITHMETIC[text]:
                yield "arithmetic", index, index, other
        elif token.kind == "number":
            suffix = re.search(r"[uUlL]*$", text).group()
            if "." in text:
                continue
            value = int(text[:len(text) - len(suffix)] or "0", 0) if not re.match(r"0\d", text) else None
            if value is None:
                continue
            yield "constant", index, index, f"{value + 1}{suffix}"
            if value > 0:
                yield "constant", index, index, f"{value - 1}{suffix}"
        elif text in ("true", "false"):
            yield "constant", index, index, "false" if text == "true" else "true"
        elif text == "if" and tokens[index + 1].text == "(":
            close = closing(tokens, index + 1)
            yield "condition", index + 1, close, None
        elif text == "!":
            yield "condition", index, index, ""


def changes_of_return(tokens, first, last):
    value = tokens[first + 1:last]
    if len(value) == 1 and value[0].text in ("0", "NULL", "true", "false"):
        return
    yield "return", first + 1, last - 1, "0"
    if any(t.text in RELATIONAL or t.text in LOGICAL or t.text == "!" for t in value):
        yield "return", first + 1, last - 1, None


def mutants_of(path, source, seed):
    """All mutants of a file, each with its rank in the draw."""
    tokens = tokens_of(source)
    seen = collections.Counter()
    mutants = []
    for operator, first, last, text in changes_of(tokens):
        start, end = tokens[first].start, tokens[last].end
        before = source[start:end]
        if text is None:
            text = f"(!{before})" if before.startswith("(") and operator == "condition" else f"!({before})"
        # Lines keep their numbers, so what the program prints of itself stays the same.
        text += "\n" * (before.count("\n") - text.count("\n"))
        line_start = source.rfind("\n", 0, start) + 1
        line_end = source.find("\n", end)
        line = " ".join(source[line_start:line_end].split())
        after = " ".join((source[line_start:start] + text + source[end:line_end]).split())
        name = (path, tokens[first].function, line, after)
        seen[name] += 1
        rank = hashlib.sha256("|".join([str(seed), *name, str(seen[name])]).encode()).hexdigest()
        mutants.append(Mutant(path, tokens[first].function, operator, source.count("\n", 0, start) + 1, line, after,
                              start, end, text, rank))
    return mutants


def mutated(source, mutant):
    return source[:mutant.start] + mutant.text + source[mutant.end:]
