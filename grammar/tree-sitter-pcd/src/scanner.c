// What the grammar cannot see with one token of lookahead. Each rule here is one of `../../pcd.pest`, named beside it.

#include "tree_sitter/parser.h"

enum Token { KEY, DURATION, SQL, JSONPATH, XPATH, SINGLE_TEXT, TRIPLE_TEXT, DESCENDING, ERROR_SENTINEL };

#define WORD 16

static void advance(TSLexer *lexer) { lexer->advance(lexer, false); }

static bool is_blank(int32_t c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool is_digit(int32_t c) { return c >= '0' && c <= '9'; }

static bool is_letter(int32_t c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_word(int32_t c) { return is_letter(c) || is_digit(c); }

static void blanks(TSLexer *lexer) {
  while (is_blank(lexer->lookahead)) advance(lexer);
}

static void rest_of_line(TSLexer *lexer) {
  while (!lexer->eof(lexer) && lexer->lookahead != '\n') advance(lexer);
}

static void blanks_and_comments(TSLexer *lexer) {
  for (;;) {
    blanks(lexer);
    if (lexer->lookahead != '#') return;
    rest_of_line(lexer);
  }
}

// Reads a word in lower case; what does not fit in is read and left out.
static void word(TSLexer *lexer, char out[WORD]) {
  int length = 0;
  while (is_word(lexer->lookahead)) {
    int32_t c = lexer->lookahead;
    if (length < WORD - 1) out[length++] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    advance(lexer);
  }
  out[length] = 0;
}

static bool same(const char *a, const char *b) {
  while (*a && *a == *b) a++, b++;
  return *a == *b;
}

static bool is_among(const char *a, const char *const *words) {
  for (; *words; words++) {
    if (same(a, *words)) return true;
  }
  return false;
}

// `:`, `,` or a lone `=`.
static bool sign_follows(TSLexer *lexer, bool comma) {
  if (lexer->lookahead == ':') return true;
  if (lexer->lookahead == ',') return comma;
  if (lexer->lookahead != '=') return false;
  advance(lexer);
  return lexer->lookahead != '=';
}

// `decl`, `key`, `field_key`: a word in front of `:`, `=` or `,`. After a column of `ordered by`, `desc` in front of `,` is its direction.
static bool key(TSLexer *lexer, bool descending) {
  char read[WORD];
  word(lexer, read);
  lexer->mark_end(lexer);
  lexer->result_symbol = KEY;
  blanks_and_comments(lexer);
  if (!descending || !same(read, "desc") || lexer->lookahead != ',') return sign_follows(lexer, true);
  lexer->result_symbol = DESCENDING;
  return true;
}

// `duration`: a whole number, blanks, a unit, and no sign that would make the unit a name.
static bool duration(TSLexer *lexer) {
  static const char *const units[] = {"second", "seconds", "minute", "minutes", "hour",   "hours", "day",  "days",
                                      "week",   "weeks",   "month",  "months",  "year", "years", 0};
  char unit[WORD];
  while (is_digit(lexer->lookahead) || lexer->lookahead == '_') advance(lexer);
  if (lexer->lookahead != ' ' && lexer->lookahead != '\t') return false;
  while (lexer->lookahead == ' ' || lexer->lookahead == '\t') advance(lexer);
  // Units are written in small letters.
  if (lexer->lookahead < 'a' || lexer->lookahead > 'z') return false;
  word(lexer, unit);
  if (!is_among(unit, units)) return false;
  lexer->mark_end(lexer);
  lexer->result_symbol = DURATION;
  blanks(lexer);
  return !sign_follows(lexer, false);
}

// `sql_comment`, its first character read already. Whether it was one.
static bool sql_comment(TSLexer *lexer, int32_t first) {
  if (first == '-' && lexer->lookahead == '-') {
    rest_of_line(lexer);
    return true;
  }
  if (first != '/' || lexer->lookahead != '*') return false;
  advance(lexer);
  for (int32_t before = 0; !lexer->eof(lexer); advance(lexer)) {
    if (before == '*' && lexer->lookahead == '/') {
      advance(lexer);
      break;
    }
    before = lexer->lookahead;
  }
  return true;
}

// `sql_start`: what begins like a query. Reads on behind its first words.
static bool sql_start(TSLexer *lexer) {
  static const char *const changes[] = {"update", "drop", "create", "alter", "attach", "detach", "pragma", 0};
  static const char *const reserved[] = {"and", "or", "not", "in", "if", "then", "else", "where", "except", "true", "false",
                                         "null", "at", "from", "within", "rounded", "ignore", "ordered", "weight", 0};
  char first[WORD], second[WORD];
  for (;;) {
    blanks(lexer);
    int32_t c = lexer->lookahead;
    if (c != '-' && c != '/') break;
    advance(lexer);
    if (!sql_comment(lexer, c)) return false;
  }
  word(lexer, first);
  if (same(first, "select") || same(first, "with")) {
    if (lexer->lookahead == '.') return false;
    blanks(lexer);
    if (lexer->lookahead == ',') return false;
    if (lexer->lookahead != '>') return true;
    advance(lexer);
    return lexer->lookahead != '>';
  }
  if (same(first, "values")) {
    blanks(lexer);
    return lexer->lookahead == '(';
  }
  if (!is_blank(lexer->lookahead)) return false;
  blanks(lexer);
  if (is_among(first, changes)) {
    if (lexer->lookahead == '\'' || lexer->lookahead == '"') return true;
    if (!is_word(lexer->lookahead)) return false;
    word(lexer, second);
    return !is_among(second, reserved);
  }
  if (same(first, "insert") || same(first, "replace") || same(first, "delete")) {
    word(lexer, second);
    return same(second, same(first, "delete") ? "from" : "into") && is_blank(lexer->lookahead);
  }
  return false;
}

// `sql_piece+` or `path_piece+`: on to the `>>` that stands in no quotes, comment or parentheses. Blanks behind are left out. A quote
// that does not close on its line is a character, and so is a parenthesis that does not close: then the raw text ends at the first
// `>>` that was passed over (`end_found`).
static bool raw_inside(TSLexer *lexer, enum Token token, unsigned depth) {
  bool end_found = false;
  lexer->result_symbol = token;
  while (!lexer->eof(lexer)) {
    int32_t c = lexer->lookahead;
    if (c == '>') {
      // Where the token ended before: in front of the blanks and of this sign.
      if (depth > 0 && !end_found) lexer->mark_end(lexer);
      advance(lexer);
      if (lexer->lookahead == '>') {
        if (depth == 0) return true;
        end_found = true;
        advance(lexer);
      }
      if (depth == 0) lexer->mark_end(lexer);
      continue;
    }
    advance(lexer);
    if (c == '(') {
      depth++;
      continue;
    }
    if (depth > 0 && (c == '{' || c == '}')) {
      if (end_found) return true;
      depth = 0;
    } else if (depth > 0 && c == ')') {
      depth--;
    } else if (c == '\'' || c == '"' || c == '`') {
      bool inside = false;
      int32_t before = 0;
      while (!lexer->eof(lexer) && lexer->lookahead != c && lexer->lookahead != '\n') {
        if (lexer->lookahead == '>' && !end_found && !inside && before != '>') lexer->mark_end(lexer);
        inside = inside || (before == '>' && lexer->lookahead == '>');
        before = lexer->lookahead;
        advance(lexer);
      }
      if (lexer->lookahead == c) {
        advance(lexer);
      } else if (inside && depth == 0) {
        return true;
      }
    } else if (token == SQL && c == '-' && lexer->lookahead == '>') {
      // `->` and `->>`.
      advance(lexer);
      if (lexer->lookahead == '>') advance(lexer);
    } else if (token == SQL) {
      sql_comment(lexer, c);
    }
    if (depth == 0 && !is_blank(c)) {
      lexer->mark_end(lexer);
      end_found = false;
    }
  }
  return end_found;
}

static bool raw(TSLexer *lexer, enum Token token) { return raw_inside(lexer, token, 0); }

// `xpath_start`: an XPath that begins with brackets or functions, such as `(//name)[1]` and `count(//name)`.
static bool opened_xpath(TSLexer *lexer) {
  unsigned depth = 0;
  for (;;) {
    while (is_letter(lexer->lookahead) || lexer->lookahead == '-') advance(lexer);
    blanks(lexer);
    if (lexer->lookahead != '(') return depth > 0 && lexer->lookahead == '/' && raw_inside(lexer, XPATH, depth);
    depth++;
    advance(lexer);
    blanks(lexer);
  }
}

// `sql_start` has read no parenthesis and no quote.
static bool sql(TSLexer *lexer) {
  if (!sql_start(lexer)) return false;
  lexer->mark_end(lexer);
  return raw(lexer, SQL);
}

// An XPath, or a query with a comment in front. `/*/a`, `/*[1]` and `/*` alone are paths.
static bool slash(TSLexer *lexer) {
  advance(lexer);
  lexer->mark_end(lexer);
  if (lexer->lookahead != '*') return raw(lexer, XPATH);
  advance(lexer);
  lexer->mark_end(lexer);
  int32_t c = lexer->lookahead;
  if (c == '/' || c == '[' || c == '>') return raw(lexer, XPATH);
  for (int32_t before = 0; !lexer->eof(lexer); advance(lexer)) {
    if (before == '*' && lexer->lookahead == '/') {
      advance(lexer);
      return sql(lexer);
    }
    before = lexer->lookahead;
  }
  return false;
}

// `single_text` and `triple_text`, up to an escape, a placeholder or the end of the string.
static bool text(TSLexer *lexer, enum Token token) {
  bool some = false;
  lexer->result_symbol = token;
  for (; !lexer->eof(lexer); some = true) {
    lexer->mark_end(lexer);
    int32_t c = lexer->lookahead;
    if (c == '\n' && token == SINGLE_TEXT) return some;
    if (c == '"' && token == SINGLE_TEXT) return some;
    if (c == '"') {
      advance(lexer);
      if (!some) lexer->mark_end(lexer);
      unsigned behind = 0;
      for (; lexer->lookahead == '"' && behind < 3; behind++) advance(lexer);
      // Three end the string; of more, the first is text.
      if (behind == 2) return some;
      if (behind == 3) return true;
      continue;
    }
    advance(lexer);
    if (c == '<' && lexer->lookahead == '<') return some;
    if (c == '\\' && lexer->lookahead != '\n') return some;
  }
  return false;
}

void *tree_sitter_pcd_external_scanner_create(void) { return 0; }

void tree_sitter_pcd_external_scanner_destroy(void *payload) { (void)payload; }

unsigned tree_sitter_pcd_external_scanner_serialize(void *payload, char *buffer) {
  (void)payload, (void)buffer;
  return 0;
}

void tree_sitter_pcd_external_scanner_deserialize(void *payload, const char *buffer, unsigned length) {
  (void)payload, (void)buffer, (void)length;
}

bool tree_sitter_pcd_external_scanner_scan(void *payload, TSLexer *lexer, const bool *valid) {
  (void)payload;
  // After a mistake everything counts as valid; names are what a tree finds back by.
  bool lost = valid[ERROR_SENTINEL];
  if (!lost && valid[SINGLE_TEXT]) return text(lexer, SINGLE_TEXT);
  if (!lost && valid[TRIPLE_TEXT]) return text(lexer, TRIPLE_TEXT);
  while (is_blank(lexer->lookahead)) lexer->advance(lexer, true);
  int32_t c = lexer->lookahead;
  if (!lost && valid[SQL]) {
    if (c == '$') return raw(lexer, JSONPATH);
    if (c == '/') return slash(lexer);
    if (c == '(') return opened_xpath(lexer);
    if (is_letter(c) || c == '-') return sql(lexer) || opened_xpath(lexer);
  }
  if (valid[KEY] && is_letter(c)) return key(lexer, !lost && valid[DESCENDING]);
  if (valid[DURATION] && is_digit(c)) return duration(lexer);
  return false;
}
