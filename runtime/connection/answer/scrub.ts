import type { Json } from '../../domain/index.ts'
import type { Turns } from '../../fairness/index.ts'

const mark = '[secret]'

/** So much of an encoded text must be the secret's own that it cannot be there by chance. */
const leastEncoded = 8

/** Takes secrets out of what an external system answers: it must not carry them into a journal, a case or an error. */
export interface Scrub {
  text(text: string): string
  /** The same of a text that may be long, in turns. */
  longText(text: string, turns: Turns, key: string): Promise<string>
  /** Every string and every name of a field. @param source the text that the value was read from, to be quick where nothing is in it */
  json(value: Json, source: string): Json
  /** The same of a value as JSON. */
  jsonText(text: string): string
}

/** A byte of Base64 that does not line up begins and ends within a character: those characters are not the secret's own. */
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
  // A text of JSON within a text of JSON.
  const twice = JSON.stringify(plain).slice(1, -1)
  return [plain, ascii, plain.replaceAll('/', '\\/'), ascii.replaceAll('/', '\\/'), twice]
}

function htmlEscapes(secret: string): string[] {
  const once = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
  return [once, once.replaceAll("'", '&#39;'), once.replaceAll("'", '&#x27;')]
}

/** What does not show its bytes: Base64 of something that has them, at any offset, and hexadecimal. */
function opaqueForms(bytes: Buffer): string[] {
  const base64 = base64Cores(bytes).flatMap((core) => [core, core.replaceAll('+', '-').replaceAll('/', '_')])
  const hex = [bytes.toString('hex'), bytes.toString('hex').toUpperCase()]
  return [bytes.toString('base64'), bytes.toString('base64url'), ...base64, ...hex].filter((form) => form.length >= leastEncoded)
}

/** What a secret in Base64 stands for, a signing key for one; systems write its bytes in other ways. */
function meantBy(secret: string): Buffer[] {
  const bytes = Buffer.from(secret, 'base64')
  return [bytes.toString('base64'), bytes.toString('base64url')].includes(secret) ? [bytes] : []
}

/** A secret as it may stand in an answer: plain, and as systems and gateways write what they were sent. */
function formsOf(secret: string): string[] {
  const [json, uri] = [jsonEscapes(secret), uriEscapes(secret)]
  // A whole request, written as JSON or as an address, may be encoded again.
  const inner = [...new Set([secret, ...json, encodeURIComponent(secret), formEncoded(secret)])].map((text) => Buffer.from(text))
  return [secret, ...json, ...uri, ...htmlEscapes(secret), ...[...inner, ...meantBy(secret)].flatMap(opaqueForms)]
}

/** A part of a text: from the first character to behind the last. */
type Span = readonly [from: number, to: number]

/** Whatever of a text is part of a form: parts that overlap are one. */
function spansIn(text: string, forms: readonly string[]): readonly Span[] {
  const found: Span[] = []
  for (const form of forms) for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + form.length)) found.push([at, at + form.length])
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

/** Characters of a long text that are searched in one go. */
const window = 65_536

/** @param secrets every one that went into the request */
export function createScrub(secrets: readonly string[]): Scrub {
  const forms = [...new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf))]
  const longest = Math.max(0, ...forms.map(({ length }) => length))
  const clean = (text: string): string => without(text, spansIn(text, forms))
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return clean(value)
    if (typeof value === 'number') return secrets.includes(String(value)) ? mark : value
    if (Array.isArray(value)) return value.map(walk)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), walk(inner)]))
  }
  // JSON may write any character as an escape; without one, what is in the value is in the text.
  const suspect = (source: string): boolean => source.includes('\\') || forms.some((form) => source.includes(form))
  return {
    text: clean,
    async longText(text, turns, key) {
      const parts: string[] = []
      let kept = 0
      let open: Span | null = null
      for (let from = 0; from < text.length; from += window) {
        const made: string[] = []
        // A form that begins in this window may end in the next; what begins there is found there.
        for (const [at, end] of spansIn(text.slice(from, from + window + longest), forms)) {
          if (at >= window) break
          if (open && from + at < open[1]) open = [open[0], Math.max(open[1], from + end)]
          else {
            if (open) made.push(text.slice(kept, open[0]), mark)
            if (open) kept = open[1]
            open = [from + at, from + end]
          }
        }
        parts.push(made.join(''))
        const turn = turns.next(key)
        if (turn) await turn
      }
      if (!open) return text
      parts.push(text.slice(kept, open[0]), mark, text.slice(open[1]))
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
 * The scrub of a connection's secrets, made once for as long as the connection is held in memory (a second, while runs use it): working out
 * the forms of a secret costs more than looking for them.
 */
export function scrubFor(connection: object, secrets: readonly string[]): Scrub {
  const standing = made.get(connection)
  if (standing && standing.secrets.length === secrets.length && secrets.every((secret, index) => secret === standing.secrets[index]))
    return standing.scrub
  const scrub = createScrub(secrets)
  made.set(connection, { secrets: [...secrets], scrub })
  return scrub
}
