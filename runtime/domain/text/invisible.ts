import { shaping } from './shaping.ts'

/**
 * Characters that control a terminal or are invisible: control characters (C0, C1), format characters
 * (zero-width, text direction, tags), lone surrogates, line and paragraph separators, and fillers.
 */
const hidden = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}]'

/** Those that must be made visible: all but line feeds, and those that shape an emoji or the letters beside them. */
const unseen = new RegExp(`(?=${hidden})(?!\\n|${shaping})[^]`, 'gu')

/** Returns whether a text shows nothing: it is empty, or has only blanks and invisible characters such as the zero-width space. */
export function isBlank(text: string): boolean {
  return !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(text)
}

/** Returns whether a text is one line that people can read: no control character, line separator or lone surrogate, and not blank. */
export function isLine(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && !isBlank(text)
}

/** Replaces each invisible character with a visible mark. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, '\ufffd')
}

/**
 * Replaces each invisible character with an escape, so that JSON text keeps its meaning. White space between
 * values stays.
 */
export function escapeUnseen(json: string): string {
  return json.replace(unseen, (character) =>
    character === '\t' || character === '\r'
      ? character
      : Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}
