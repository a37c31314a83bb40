#include "pascal/token.h"

const char *const dp_pascal_token_text[DP_T_KINDS] = {
    "",       "",          "",         "",       "",       "",        "+",        "-",    "*",
    "/",      "=",         "<>",       "<",      ">",      "<=",      ">=",       "(",    ")",
    "[",      "]",         ",",        ";",      ":",      ":=",      ".",        "..",   "^",
    "and",    "array",     "assert",   "begin",  "case",   "const",   "div",      "do",   "downto",
    "else",   "end",       "external", "file",   "for",    "forward", "function", "goto", "hex",
    "if",     "in",        "label",    "mod",    "nil",    "not",     "oct",      "of",   "or",
    "packed", "procedure", "program",  "record", "repeat", "set",     "then",     "to",   "type",
    "until",  "var",       "while",    "with",
};

static const char *const titles[] = {"the end of the file", "a name",        "a number",
                                     "an octal number",     "a real number", "a string"};

const char *dp_pascal_token_title(enum dp_pascal_token_kind kind)
{
    /* cppcheck-suppress arrayIndexOutOfBoundsCond ; titles are of the first kinds only */
    return kind <= DP_T_STRING ? titles[kind] : dp_pascal_token_text[kind];
}
