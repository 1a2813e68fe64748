/** How much a text may be, before anybody reads it. */
export interface TextLimits {
  readonly characters: number
  /** Values of its JSON: numbers, texts, lists, objects and what they hold. An empty list or object counts as two. */
  readonly values: number
  /** Different names of fields. Reading a text takes much longer where each field has a name of its own. */
  readonly names: number
}

const [quote, backslash, comma, colon, brace, bracket] = [0x22, 0x5c, 0x2c, 0x3a, 0x7b, 0x5b]

/**
 * What of a JSON text is beyond its limits, in words; null: nothing is. It only looks for what stands outside of texts, so it takes a
 * fraction of the time of reading the text, and works on what is no JSON.
 */
export function excessOf(text: string, { characters, values, names }: TextLimits): string | null {
  if (text.length > characters) return `${text.length} characters of JSON; ${characters} are allowed`
  let [counted, fields] = [1, 0]
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === quote) at = endOfText(text, at)
    else if (character === comma || character === brace || character === bracket) counted += 1
    else if (character === colon) fields += 1
    if (counted > values) return `more than ${values} values`
  }
  return fields > names && moreNamesThan(text, names) ? `more than ${names} different names of fields` : null
}

function moreNamesThan(text: string, most: number): boolean {
  const names = new Set<string>()
  let last = ''
  for (let at = 0; at < text.length && names.size <= most; at += 1) {
    const character = text.charCodeAt(at)
    if (character === quote) {
      const end = endOfText(text, at)
      last = text.slice(at, end)
      at = end
    } else if (character === colon) names.add(last)
  }
  return names.size > most
}

/** Where the text that opens at `start` closes. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charCodeAt(at)
    if (character === backslash) at += 1
    else if (character === quote) return at
  }
  return text.length
}
