/** The charset of a text, or why the text cannot be read exactly. */
export type Charset = { readonly name: string } | { readonly fault: string }

/** Byte order marks. If two begin alike, the longer one comes first. Null: this encoding is not supported. */
const marks: readonly (readonly [bytes: readonly number[], name: string | null])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe, 0, 0], null],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
]

/** The length of the longest byte order mark. */
export const markBytes = 4

/**
 * Returns the charset of a text: from its byte order mark, else from its content type, else UTF-8.
 * Names are those of the WHATWG Encoding Standard, which reads `iso-8859-1` as `windows-1252`.
 * @param start the first `markBytes` bytes, or fewer if the text is shorter
 */
export function charsetOf(contentType: string, start: Uint8Array): Charset {
  // In an image or an archive these bytes are not a byte order mark.
  const marked = isTextual(contentType) ? marks.find(([bytes]) => bytes.every((byte, at) => start[at] === byte)) : undefined
  if (marked) return marked[1] === null ? { fault: 'its byte order mark says UTF-32' } : { name: marked[1] }
  const declared = declaredCharset(contentType)
  // Systems that declare ASCII often send UTF-8. Valid ASCII is also valid UTF-8.
  if (declared === null || /^(us-)?ascii$/.test(declared)) return { name: 'utf-8' }
  if (/^(utf-?16|ucs-?2|utf-?32|ucs-?4)$/.test(declared)) return { fault: `its charset is ${shown(declared)}, without a byte order mark` }
  try {
    const { encoding } = new TextDecoder(declared)
    // The standard maps the bytes of this charset to private-use characters.
    if (encoding !== 'x-user-defined') return { name: encoding }
  } catch {
    // An unknown charset: returned as a fault below.
  }
  return { fault: `its charset ${shown(declared)} is not known` }
}

/** Returns the charset that a content type names, in lower case, or null if it names none. */
export function declaredCharset(contentType: string): string | null {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1]?.toLowerCase() ?? null
}

/** Returns `text/html` for `Text/HTML; charset=utf-8`. Empty if there is no content type. */
export function mediaTypeOf(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Returns whether a content type declares JSON. */
export function saysJson(contentType: string): boolean {
  return /json/i.test(mediaTypeOf(contentType))
}

/**
 * Returns whether a text that cannot be parsed was probably cut off: its content type is JSON, and
 * it begins like JSON.
 */
export function brokenJson(text: string, contentType: string): boolean {
  // These formats have one JSON value per line, so the whole text is not one JSON value.
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

/** Returns the message for an answer whose charset cannot be read. */
export function unknownCharset(fault: string): string {
  return `The answer cannot be read without changing it: ${fault}.`
}

/** Returns the message for a text with bytes that are invalid in its charset. */
export function misencoded(name: string, contentType: string): string {
  const type = mediaTypeOf(contentType).replaceAll(/[^\w./+-]/g, '?')
  const said = type === '' ? 'has no content type' : `is ${type.slice(0, 100)}`
  return `The answer ${said} and has bytes that are not valid in ${name}. Only JSON and text can be read. Text in another charset than UTF-8 can be read only if the content type names the charset.`
}

/** Returns the message for a compressed answer, or null if the answer is not compressed. */
export function codingFault(headers: Readonly<Record<string, string>>): string | null {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return null
  return `The answer is compressed (${coding.replaceAll(/[^\w,. -]/g, '?').slice(0, 40)}), although the request did not allow that.`
}
