import { compilePattern, Meter, WorkExceeded } from '../../expressions/index.ts'
import { kindOf, type ObservableKind, snake } from './kinds.ts'
import type { Sighting } from './sighting.ts'

/** `<key>=<value>` and `<key>: <value>`. */
const pairs = /(?<![\w.-])([A-Za-z][\w.-]{0,40})[ \t]{0,4}[=:][ \t]{0,4}"?([^\s,;"]{1,2000})/g

/**
 * RE2 patterns for values that need no key to be recognized. Kinds that only a key can tell are
 * missing here.
 */
const loosePatterns: readonly (readonly [kind: ObservableKind, name: string, pattern: string])[] = [
  [
    'email_address',
    'email',
    String.raw`(?:^|[^A-Za-z0-9._%+-])(?P<value>[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63})*\.[A-Za-z]{2,63})`,
  ],
  ['url', 'url', String.raw`(?P<value>https?://[^\s"'<>{}]+)`],
  ['ip_address', 'ip', String.raw`(?:^|[^0-9.])(?P<value>(?:[0-9]{1,3}\.){3}[0-9]{1,3})(?:[^0-9.]|\.?$|\.[^0-9])`],
  ['file_hash', 'file_hash', `(?:^|[^0-9A-Za-z])(?P<value>[0-9a-fA-F]{64}|[0-9a-fA-F]{40}|[0-9a-fA-F]{32})(?:[^0-9A-Za-z]|$)`],
]

/** Finds the observables of a text: by the key before them, then by their format. */
export function sightInText(text: string): readonly Sighting[] {
  const sightings: Sighting[] = []
  for (const [, key = '', value = ''] of text.matchAll(pairs)) {
    const kind = kindOf(snake(key), value)
    if (kind === null || sightings.some((other) => other.key === snake(key))) continue
    const pattern = String.raw`(?:^|[^\w.-])${key.replace(/[.-]/g, String.raw`\$&`)}[ \t]{0,4}[=:][ \t]{0,4}"?(?P<value>[^\s,;"]+)`
    sightings.push({ kind, key: snake(key), value, from: { pattern }, member: null })
  }
  return [...sightings, ...sightByLook(text)]
}

/** Finds the first value of each kind that its format alone tells. */
export function sightByLook(text: string): readonly Sighting[] {
  const meter = new Meter()
  return loosePatterns.flatMap(([kind, name, pattern]) => {
    const value = found(pattern, text, meter)
    return value !== null && kindOf('', value) === kind ? [{ kind, key: name, value, from: { pattern }, member: null }] : []
  })
}

/** Finds every value in a text that its format alone identifies. Stops when the meter has no work left. */
export function* everyLook(text: string, meter: Meter): Generator<Pick<Sighting, 'kind' | 'value'>> {
  for (const [kind, , pattern] of loosePatterns) {
    for (let rest = text; rest !== ''; ) {
      const value = found(pattern, rest, meter)
      if (value === null) break
      if (kindOf('', value) === kind) yield { kind, value }
      rest = rest.slice(rest.indexOf(value) + value.length)
    }
  }
}

/** Returns null if there is no match, or if the search takes too much work. */
function found(pattern: string, text: string, meter: Meter): string | null {
  try {
    return compilePattern(pattern).find(text, meter)
  } catch (error) {
    if (error instanceof WorkExceeded) return null
    throw error
  }
}
