/** What makes an emoji of other characters: its colours, the frame around a digit, and the joiner between two pictograms, as in a family. */
const ofEmoji =
  /(?<=\p{Extended_Pictographic})\ufe0f|\ufe0f(?=\u20e3)|(?<=\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?)\u200d(?=\p{Extended_Pictographic})/u

/** Control characters, and characters that show nothing or change the writing direction. */
export const unseen = new RegExp(`(?!\\n|${ofEmoji.source})[\\p{Cc}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800\\ufff9-\\ufffb]`, 'gu')

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
