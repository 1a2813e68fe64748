/** The few parts of DER (X.690) that a certificate needs. Each function returns one encoded value. */

function encode(tag: number, content: Uint8Array): Buffer {
  const length = content.length
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content])
  const digits: number[] = []
  for (let rest = length; rest > 0; rest >>= 8) digits.unshift(rest & 0xff)
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length, ...digits]), content])
}

export const sequence = (...values: readonly Uint8Array[]): Buffer => encode(0x30, Buffer.concat(values))
export const set = (...values: readonly Uint8Array[]): Buffer => encode(0x31, Buffer.concat(values))
export const octets = (content: Uint8Array): Buffer => encode(0x04, content)
export const utf8 = (text: string): Buffer => encode(0x0c, Buffer.from(text))
export const truth = (): Buffer => encode(0x01, Buffer.from([0xff]))

/** Encodes a positive integer, given as big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  return encode(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

/** Encodes a bit string. The last `unused` bits do not count. */
export const bits = (content: Uint8Array, unused = 0): Buffer => encode(0x03, Buffer.concat([Buffer.from([unused]), content]))

/** Encodes a dotted object identifier. */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const arc of rest) {
    const septets = [arc & 0x7f]
    for (let left = arc >> 7; left > 0; left >>= 7) septets.unshift((left & 0x7f) | 0x80)
    bytes.push(...septets)
  }
  return encode(0x06, Buffer.from(bytes))
}

/** Encodes a date before 2050 as RFC 5280 wants it: `YYMMDDHHMMSSZ`. */
export const utcTime = (text: string): Buffer => encode(0x17, Buffer.from(text, 'ascii'))

/** Encodes a date as `YYYYMMDDHHMMSSZ`. */
export const time = (text: string): Buffer => encode(0x18, Buffer.from(text, 'ascii'))

/** Encodes a context-specific value that wraps other values. */
export const tagged = (tag: number, ...values: readonly Uint8Array[]): Buffer => encode(0xa0 | tag, Buffer.concat(values))

/** Encodes a context-specific value that has bytes of its own. */
export const taggedBytes = (tag: number, content: Uint8Array): Buffer => encode(0x80 | tag, content)
