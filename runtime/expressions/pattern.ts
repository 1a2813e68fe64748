import { RE2JS } from 're2js'

/** A pattern with RE2 semantics: time linear in the text, whatever the pattern. */
export interface Pattern {
  /** Whether it occurs anywhere in the text. */
  test(text: string): boolean
  /** The first occurrence's group `value`, else its first group, else the whole match; null when there is none, or the group took no part. */
  find(text: string): string | null
}

/** Patterns are few; dynamic ones could be many. */
const kept = new Map<string, Pattern>()
const maxKept = 500

/** @throws Error with RE2's message when the pattern does not parse */
export function compilePattern(source: string): Pattern {
  const known = kept.get(source)
  if (known !== undefined) return known
  const compiled = RE2JS.compile(source)
  const group = Object.hasOwn(compiled.namedGroups(), 'value') ? 'value' : compiled.groupCount() > 0 ? 1 : 0
  const pattern: Pattern = {
    test: (text) => compiled.matcher(text).find(),
    find: (text) => {
      const matcher = compiled.matcher(text)
      return matcher.find() ? matcher.group(group) : null
    },
  }
  if (kept.size >= maxKept) kept.clear()
  kept.set(source, pattern)
  return pattern
}
