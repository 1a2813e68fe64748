/** A part of a text. `to` is exclusive. */
export type Span = readonly [from: number, to: number]

/** Finds a secret in texts in which some of its characters are escaped. */
export interface EscapedSecret {
  /** Says quickly whether the text may contain the secret with escapes. */
  suspects(text: string): boolean
  find(text: string): readonly Span[]
  /** How long the secret may be with usual escapes. */
  readonly longest: number
}

/**
 * The escapes of JSON and JavaScript, of URLs, and of HTML, also if they were escaped again. A backslash before
 * any other character stands for nothing.
 */
const escapes =
  /\\+(?:u([0-9a-f]{4})|x([0-9a-f]{2})|([bfnrt])|)|%(?:25)*([0-9a-f]{2})|&(?:amp;)*(?:#x0*([0-9a-f]{1,6})|#0*(\d{1,7})|(amp|lt|gt|quot|apos));/gi

const controls: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** Shorter texts without their escapes could match by chance. */
const leastPlain = 8
/** The most characters of one escape that is not escaped many times: a character of four bytes in a URL, twice. */
const longestEscape = 28

/** A longer one would make each part of a long text much longer. */
const mostLonger = 65_536
/** A text is searched so many times: as it is, and after its escapes were replaced once, twice and three times. */
const mostTimes = 4

/** A text as its UTF-8, one character for each byte, and where in the text each byte comes from. */
interface Plain {
  readonly bytes: string
  readonly from: Uint32Array
  readonly to: Uint32Array
}

function utf8(char: string): string {
  return Buffer.from(char).toString('latin1')
}

function codePoint(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? utf8(String.fromCodePoint(code)) : ''
}

/** Returns the bytes that an escape stands for. */
function meaningOf([, unit, code, control, byte, hex, decimal, entity]: RegExpExecArray): string {
  if (byte !== undefined) return String.fromCharCode(Number.parseInt(byte, 16))
  if (unit !== undefined) return codePoint(unit, 16)
  if (code !== undefined) return codePoint(code, 16)
  if (control !== undefined) return controls[control.toLowerCase()] ?? ''
  if (hex !== undefined) return codePoint(hex, 16)
  if (decimal !== undefined) return codePoint(decimal, 10)
  return entities[(entity ?? '').toLowerCase()] ?? ''
}

function plainOf(text: string): Plain {
  const bytes = utf8(text)
  const [from, to] = [new Uint32Array(bytes.length), new Uint32Array(bytes.length)]
  let [at, size] = [0, 0]
  for (const char of text) {
    const next = size + (char <= '\u007f' ? 1 : Buffer.byteLength(char))
    from.fill(at, size, next)
    to.fill(at + char.length, size, next)
    at += char.length
    size = next
  }
  return { bytes, from, to }
}

/** Replaces escapes by what they stand for, which is never longer. */
function unescaped({ bytes, from, to }: Plain): Plain {
  const parts: string[] = []
  const origins = { from: new Uint32Array(bytes.length), to: new Uint32Array(bytes.length) }
  let [read, size] = [0, 0]
  const keep = (end: number): void => {
    parts.push(bytes.slice(read, end))
    origins.from.set(from.subarray(read, end), size)
    origins.to.set(to.subarray(read, end), size)
    size += end - read
  }
  for (const match of bytes.matchAll(escapes)) {
    keep(match.index)
    read = match.index + match[0].length
    const meaning = meaningOf(match)
    parts.push(meaning)
    origins.from.fill(from[match.index] ?? 0, size, size + meaning.length)
    origins.to.fill(to[read - 1] ?? 0, size, size + meaning.length)
    size += meaning.length
  }
  keep(bytes.length)
  return { bytes: parts.join(''), ...origins }
}

/** Calls back with the text, and with what is left each time that its escapes were replaced. */
function eachReading(text: string, use: (plain: Plain) => void): void {
  let plain = plainOf(text)
  use(plain)
  for (let times = 1; times < mostTimes; times += 1) {
    const next = unescaped(plain)
    if (next.bytes === plain.bytes) return
    plain = next
    use(plain)
  }
}

/**
 * Systems and gateways escape different characters, and may escape a text again that another one has escaped. So
 * the escaped forms of a secret cannot be listed. Returns null if the secret has nothing to escape.
 */
export function escapedSecret(secret: string): EscapedSecret | null {
  const special = secret.replace(/[A-Za-z0-9]/g, '').length
  if (special === 0) return null
  const readings: string[] = []
  // A secret may itself look as if it had escapes. Backslashes are lost in texts that were freed of theirs.
  eachReading(secret, ({ bytes }) => void readings.push(bytes))
  const sought = readings.filter((bytes, index) => index === 0 || bytes.length >= leastPlain)
  // Letters and digits are hardly ever escaped. A search for them passes over almost every text quickly.
  const cores = sought.map((bytes) => longestRun(bytes))
  const suspects = (text: string): boolean => cores.some((core) => text.includes(core)) && /[\\%&]/.test(text)
  return {
    suspects,
    find(text) {
      const found: Span[] = []
      if (suspects(text))
        eachReading(text, ({ bytes, from, to }) => {
          for (const one of sought)
            for (let at = bytes.indexOf(one); at >= 0; at = bytes.indexOf(one, at + one.length))
              found.push([from[at] ?? 0, to[at + one.length - 1] ?? 0])
        })
      return found
    },
    longest: Math.min(secret.length - special + special * longestEscape, mostLonger),
  }
}

function longestRun(bytes: string): string {
  return (bytes.match(/[A-Za-z0-9]+/g) ?? []).reduce((longest, run) => (run.length > longest.length ? run : longest), '')
}
