// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The open PPU authors
#include "firmware/assembler/lexer.hpp"

#include <charconv>
#include <string>

namespace ppu::firmware {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_word(char c) {
  return is_name_start(c) || is_digit(c) || c == '.';
}

/// A character that may not stand in a program, as a message shows it.
std::string show(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte > 0x20 && byte < 0x7f) return quoted(std::string(1, c));
  constexpr char kHex[] = "0123456789abcdef";
  return std::string("byte 0x") + kHex[byte >> 4U] + kHex[byte & 15U];
}

/// [-]digits or [-]0x digits, saturated to the range of std::int64_t.
bool parse_number(std::string_view text, std::int64_t& value) {
  const bool negative = text.front() == '-';
  if (negative) text.remove_prefix(1);
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hex) text.remove_prefix(2);
  if (text.empty()) return false;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value, hex ? 16 : 10);
  if (result.ptr != end || result.ec == std::errc::invalid_argument || text.front() == '-') {
    return false;
  }
  if (result.ec == std::errc::result_out_of_range) value = INT64_MAX;
  if (negative) value = -value;
  return true;
}

}  // namespace

bool tokenize(std::string_view line, Report& report, std::vector<Token>& tokens) {
  std::size_t at = 0;
  while (at < line.size() && line[at] != ';') {
    const char c = line[at];
    if (c == ' ' || c == '\t') {
      ++at;
      continue;
    }
    const bool number = is_digit(c) || c == '-';
    std::size_t end = at + 1;
    if (is_word(c) || number) {
      while (end < line.size() && is_word(line[end])) ++end;
    }
    Token token{Token::Kind::kName, line.substr(at, end - at), static_cast<int>(at) + 1, 0};
    if (number) {
      token.kind = Token::Kind::kNumber;
      if (!parse_number(token.text, token.value)) token.kind = Token::Kind::kNotANumber;
    } else if (c == '.') {
      token.kind = Token::Kind::kDirective;
    } else if (c == ',' || c == ':') {
      token.kind = c == ',' ? Token::Kind::kComma : Token::Kind::kColon;
    } else if (!is_name_start(c)) {
      report.error(Error::kCharacter, token.column, 1, show(c) + " cannot stand here",
                   "comments begin with `;`, operands are separated by `,`");
      return false;
    }
    tokens.push_back(token);
    at = end;
  }
  return true;
}

}  // namespace ppu::firmware
