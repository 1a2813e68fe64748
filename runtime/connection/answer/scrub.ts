import type { Json } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'
import { type EscapedSecret, escapedSecret, type Span } from './escaped.ts'

const mark = '[secret]'

/** Shorter encoded forms are not searched for, because they could match by chance. */
const leastEncoded = 8

/** Removes secrets from what an external system answers, to keep them out of journals, cases and errors. */
export interface Scrub {
  text(text: string): string
  /**
   * Like `text`, for a long text. Works in turns of the event loop.
   * @param end where to cut the text. A secret across this place is removed if the text goes on for `longest`
   * characters
   */
  longText(text: string, turns: Turns, key: string, end?: number): Promise<string>
  /** How long a secret may be in an answer, in characters. */
  readonly longest: number
  /**
   * Scrubs every string and every field name.
   * @param source the text that the value was parsed from. If it has nothing suspicious, the value
   * is not searched.
   */
  json(value: Json, source: string): Json
  /** Like `json`, for a value that is still JSON text. */
  jsonText(text: string): string
}

/**
 * Returns the Base64 characters that depend only on these bytes, for each of the three alignments.
 * Characters at the edges also depend on the neighbouring bytes, so they are left out.
 */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const from = offset === 0 ? 0 : offset + 1
    return whole.slice(from, (offset + bytes.length) % 3 === 0 ? undefined : -1)
  })
}

function formEncoded(secret: string): string {
  return new URLSearchParams([['', secret]]).toString().slice(1)
}

function uriEscapes(secret: string): string[] {
  const uri = encodeURIComponent(secret)
  const strict = uri.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  const form = formEncoded(secret)
  const all = [...Buffer.from(secret)].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('')
  return [uri, strict, form, encodeURI(secret), all].flatMap((each) => [each, each.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())])
}

function jsonEscapes(secret: string): string[] {
  const plain = JSON.stringify(secret).slice(1, -1)
  const ascii = plain.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
  // JSON inside a string of JSON.
  const twice = JSON.stringify(plain).slice(1, -1)
  return [plain, ascii, plain.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), twice]
}

function htmlEscapes(secret: string): string[] {
  const once = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  return [once, once.replaceAll("'", '&#39;'), once.replaceAll("'", '&#x27;')]
}

/** Returns the encodings that hide the bytes: Base64 at any alignment, and hexadecimal. */
function opaqueForms(bytes: Buffer): string[] {
  const base64 = base64Cores(bytes).flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')])
  const hex = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]
  return [bytes.toString('base64'), bytes.toString('base64url'), ...base64, ...hex].filter((form) => form.length >= leastEncoded)
}

/**
 * Decodes a secret that is Base64 itself, such as a signing key. Systems may write its bytes in
 * other encodings.
 */
function meantBy(secret: string): Buffer[] {
  const bytes = Buffer.from(secret, 'base64')
  return [bytes.toString('base64'), bytes.toString('base64url')].includes(secret) ? [bytes] : []
}

/**
 * Returns every form in which a secret may appear in an answer: plain, and encoded as systems and gateways
 * do when they repeat a request.
 */
function formsOf(secret: string): string[] {
  const [json, uri] = [jsonEscapes(secret), uriEscapes(secret)]
  // A whole request may be encoded again after it was written as JSON or as a URL.
  const inner = [...new Set([secret, ...json, encodeURIComponent(secret), formEncoded(secret)])].map((text) => Buffer.from(text))
  return [secret, ...json, ...uri, ...htmlEscapes(secret), ...[...inner, ...meantBy(secret)].flatMap(opaqueForms)]
}

/** What is searched for: forms as they are, and secrets with some of their characters escaped. */
interface Sought {
  readonly forms: readonly string[]
  readonly escaped: readonly EscapedSecret[]
}

/** Finds the parts of a text that match. Overlapping parts become one. */
function spansIn(text: string, { forms, escaped }: Sought): readonly Span[] {
  const found: Span[] = []
  for (const form of forms) for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) found.push([at, at + form.length])
  for (const secret of escaped) for (const span of secret.find(text)) found.push(span)
  return joined(found)
}

function joined(spans: Span[]): readonly Span[] {
  if (spans.length < 2) return spans
  const result: [number, number][] = []
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    const last = result.at(-1)
    if (last && from < last[1]) last[1] = Math.max(last[1], to)
    else result.push([from, to])
  }
  return result
}

function without(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text
  const parts: string[] = []
  let kept = 0
  for (const [from, to] of spans) {
    parts.push(text.slice(kept, from), mark)
    kept = to
  }
  parts.push(text.slice(kept))
  return parts.join('')
}

/** How many characters of a long text are searched in one turn. */
const window = 65_536

/** @param secrets all secrets that were used for the request */
export function createScrub(secrets: readonly string[]): Scrub {
  const known = [...new Set(secrets)].filter((secret) => secret !== '')
  const forms = [...new Set(known.flatMap(formsOf))]
  const escaped = known.map(escapedSecret).filter((secret) => secret !== null)
  const longest = Math.max(0, ...forms.map(({ length }) => length), ...escaped.map((secret) => secret.longest))
  const sought = { forms, escaped }
  const clean = (text: string): string => without(text, spansIn(text, sought))
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return clean(value)
    if (typeof value === 'number') return secrets.includes(String(value)) ? mark : value
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), walk(inner)]))
  }
  // JSON can write any character as an escape. If the text has no escapes, whatever is in the value is
  // also in the text.
  const suspect = (source: string): boolean =>
    source.includes('\\') || forms.some((form) => source.includes(form)) || escaped.some((secret) => secret.suspects(source))
  return {
    text: clean,
    longest,
    async longText(text, turns, key, end = text.length) {
      const parts: string[] = []
      let kept = 0
      let open: Span | null = null
      for (let from = 0; from < end; from += window) {
        const made: string[] = []
        // A form that begins in this window may end in the next one. One that begins in the next window
        // is found there.
        for (const [at, to] of spansIn(text.slice(from, from + window + longest), sought)) {
          if (at >= Math.min(window, end - from)) break
          if (open && from + at < open[1]) open = [open[0], Math.max(open[1], from + to)]
          else {
            if (open) made.push(text.slice(kept, open[0]), mark)
            if (open) kept = open[1]
            open = [from + at, from + to]
          }
        }
        parts.push(made.join(''))
        const turn = turns.next(key)
        if (turn) await turn
      }
      if (!open) return text.slice(0, end)
      parts.push(text.slice(kept, open[0]), mark, text.slice(open[1], end))
      return parts.join('')
    },
    json: (value, source) => (suspect(source) ? walk(value) : value),
    jsonText: (text) => (suspect(text) ? JSON.stringify(walk(JSON.parse(text) as Json)) : text),
  }
}

interface Made {
  readonly secrets: readonly string[]
  readonly scrub: Scrub
}

const made = new WeakMap<object, Made>()

/**
 * Returns the scrub for a connection's secrets. It is kept as long as the connection object is in
 * memory (a second while runs use it), because computing the forms of a secret costs more than
 * searching for them.
 */
export function scrubFor(connection: object, secrets: readonly string[]): Scrub {
  const standing = made.get(connection)
  if (standing && standing.secrets.length === secrets.length && secrets.every((secret, index) => secret === standing.secrets[index]))
    return standing.scrub
  const scrub = createScrub(secrets)
  made.set(connection, { secrets: [...secrets], scrub })
  return scrub
}
