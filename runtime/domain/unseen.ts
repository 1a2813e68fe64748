/**
 * Characters that steer a terminal or that nobody sees: controls (C0, C1), formats (zero-width, turns of the direction of writing, tags), halves of
 * surrogate pairs, separators of lines and paragraphs, and fillers. Line feeds are left alone, and so is what belongs to an emoji.
 */
const unseen = /(?!\n)(?!(?<=\p{Extended_Pictographic}\ufe0f?)[\ufe0f\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu

/** Each of them as a mark that is seen. */
export function withoutUnseen(text: string): string {
  return text.replace(unseen, '\ufffd')
}

/** Each of them as an escape: for text that is JSON, and stays the same JSON. White space between its values is left alone. */
export function escapeUnseen(json: string): string {
  return json.replace(unseen, (character) =>
    character === '\t' || character === '\r'
      ? character
      : Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}
