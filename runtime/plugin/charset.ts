/** How the bytes of a text are read; or why they cannot be read without changing the text. */
export type Charset = { readonly name: string } | { readonly fault: string }

/** Byte order marks, the longer of two that begin alike first. Null: of an encoding that cannot be read. */
const marks: readonly (readonly [bytes: readonly number[], name: string | null])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe, 0, 0], null],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** How many of the first bytes say how a text is encoded. */
export const markBytes = 4

/**
 * How a text is encoded: as its byte order mark says, else as its content type says, else UTF-8. The names are those of the WHATWG
 * Encoding Standard, which reads `iso-8859-1` as `windows-1252`.
 * @param start the first bytes, `markBytes` of them where there are as many
 */
export function charsetOf(contentType: string, start: Uint8Array): Charset {
  // In a picture or an archive these bytes are no mark.
  const marked = isTextual(contentType) ? marks.find(([bytes]) => bytes.every((byte, at) => start[at] === byte)) : undefined
  if (marked) return marked[1] === null ? { fault: 'its byte order mark is that of UTF-32' } : { name: marked[1] }
  const declared = declaredCharset(contentType)
  // Whoever says ASCII often sends UTF-8, of which ASCII is a part.
  if (declared === null || /^(us-)?ascii$/.test(declared)) return { name: 'utf-8' }
  if (/^(utf-?16|ucs-?2|utf-?32|ucs-?4)$/.test(declared))
    return { fault: `it says that its charset is ${shown(declared)}, and does not say in which order the bytes are` }
  try {
    const { encoding } = new TextDecoder(declared)
    // The standard gives the bytes of this one no characters.
    if (encoding !== 'x-user-defined') return { name: encoding }
  } catch {
    // Told below.
  }
  return { fault: `its charset ${shown(declared)} is not known` }
}

/** What the content type says of the charset, in lower case; null: nothing. */
export function declaredCharset(contentType: string): string | null {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1]?.toLowerCase() ?? null
}

/** `text/html` of `Text/HTML; charset=utf-8`; empty where nothing is said. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Whether a body of this content type is JSON, by what it says. */
export function saysJson(contentType: string): boolean {
  return /json/i.test(mediaTypeOf(contentType))
}

/** Whether a text that cannot be parsed says that it is a JSON value, and looks like one: it was cut. */
export function brokenJson(text: string, contentType: string): boolean {
  // A value a line is no value.
  if (!saysJson(contentType) || /ndjson|jsonl|json-seq/.test(mediaTypeOf(contentType))) return false
  return /^\s*[[{"]/.test(text.slice(0, 1_024))
}

function isTextual(contentType: string): boolean {
  const type = mediaTypeOf(contentType)
  return type === '' || type.startsWith('text/') || /json|xml|csv|yaml|javascript|x-www-form-urlencoded/.test(type)
}

function shown(name: string): string {
  return `\`${name.replaceAll(/[^\w.:-]/g, '?').slice(0, 40)}\``
}

/** What to say of an answer whose charset is the fault. */
export function unknownCharset(fault: string): string {
  return `The answer cannot be read without changing it: ${fault}.`
}

/** What to say of a text that has bytes which its charset does not have. */
export function misencoded(name: string, contentType: string): string {
  const type = mediaTypeOf(contentType).replaceAll(/[^\w./+-]/g, '?')
  const said = type === '' ? 'does not say what it is' : `is ${type.slice(0, 100)}`
  return `The answer ${said}, and has bytes that are no text in ${name}. Only JSON and text can be read, and text that is not in UTF-8 only if the content type names its charset.`
}

/** Why an answer cannot be read because of how it is compressed; null: it is not. */
export function codingFault(headers: Readonly<Record<string, string>>): string | null {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return null
  return `The answer is compressed (${coding.replaceAll(/[^\w,. -]/g, '?').slice(0, 40)}), which was not asked for.`
}
