/** A statement is not sent because it is not a SELECT, or because it changes something. The message says why. */
export class NoSelect extends Error {}

export type Token =
  /** A name, a keyword or a date literal. */
  | { readonly kind: 'word'; readonly text: string; readonly upper: string; readonly at: number }
  /** A text in quotes, a number, a date or a time. */
  | { readonly kind: 'value'; readonly text: string; readonly at: number }
  | { readonly kind: 'sign'; readonly text: string; readonly at: number }

/** The most characters of a statement: a URL has no room for more. */
export const longestStatement = 12_000

const space = /[ \t\r\n\f]+/y
const word = /[A-Za-z_][A-Za-z0-9_]*/y
const time = /(?:\d{4}-\d\d-\d\d(?:[Tt]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d))?|\d\d:\d\d(?::\d\d(?:\.\d+)?)?[Zz])/y
const number = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
/** A quoted text. `\` escapes the next character. Raw line breaks, control characters and lone surrogates are not allowed. */
const text = /'(?:[^'\\\p{Cc}\p{Cs}\u2028\u2029]|\\[^\p{Cc}\p{Cs}\u2028\u2029])*'/uy
const sign = /!=|<>|<=|>=|[(),.=<>:+-]/y

/** Common mistakes that no single statement may contain, with their error messages. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/;/y, 'Give only one statement, without a semicolon.'],
  [/--|\/\*|\/\//y, 'Comments are not allowed in the statement.'],
  [/'/y, 'A quoted text does not end, or contains a line break or a control character.'],
  [/["“”‘’]/y, "Write texts between straight single quotes: 'text'."],
]

/** Splits a statement into tokens, in linear time. @throws NoSelect */
export function tokensOf(soql: string): readonly Token[] {
  if (soql.length > longestStatement) throw new NoSelect(`It has more than ${longestStatement} characters.`)
  const tokens: Token[] = []
  for (let at = 0; at < soql.length; ) {
    const piece = (pattern: RegExp): string | null => {
      pattern.lastIndex = at
      return pattern.exec(soql)?.[0] ?? null
    }
    const blank = piece(space)
    if (blank !== null) {
      at += blank.length
      continue
    }
    const name = piece(word)
    const value = name === null ? (piece(text) ?? piece(time) ?? piece(number)) : null
    const known = foreign.find(([pattern]) => name === null && value === null && piece(pattern) !== null)
    if (known) throw new NoSelect(known[1])
    const found = name ?? value ?? piece(sign)
    if (found === null) throw new NoSelect(`${shown(soql, at)} is only allowed inside quotes.`)
    tokens.push(
      name !== null ? { kind: 'word', text: name, upper: name.toUpperCase(), at } : { kind: value === null ? 'sign' : 'value', text: found, at },
    )
    at += found.length
  }
  return tokens
}

function shown(soql: string, at: number): string {
  const character = String.fromCodePoint(soql.codePointAt(at) ?? 0)
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character)
    ? `The character ${character}`
    : `The character U+${(soql.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
