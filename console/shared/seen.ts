/** Control characters, those that take no room, and those that turn the direction of writing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const unseen = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * What came from outside, with the characters shown that nobody would see: with one that turns the direction of writing in a user name, a
 * question would read as if it were about somebody else.
 */
export function seen(value: string): string {
  return value.replace(unseen, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`)
}
