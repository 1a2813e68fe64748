import { shaping } from './shaping.ts'

/** Control characters, and characters that show nothing or change the writing direction. */
const hidden = '[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb]'

/** Those that must be made visible: all but line feeds, and those that shape an emoji or the letters beside them. */
export const unseen = new RegExp(`(?=${hidden})(?!\\n|${shaping})[^]`, 'gu')

/**
 * Makes invisible characters of a text from outside visible. With one in a user name that changes the writing direction, a question to
 * people could seem to be about somebody else.
 */
export function seen(value: string): string {
  return value.replace(unseen, (character) => nameOf(character.codePointAt(0) ?? 0))
}

/** `[U+202E]` */
export function nameOf(code: number): string {
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}
