/** Control characters, invisible characters, and characters that change the writing direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
const unseen = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * Makes invisible characters of a text from outside visible. With one in a user name that changes the writing direction, a question to
 * people could seem to be about somebody else.
 */
export function seen(value: string): string {
  return value.replace(unseen, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}
