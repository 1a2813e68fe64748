/** Where alert sources put what people call an alert; the first that is a text wins. */
const namePaths: readonly (readonly string[])[] = [
  ['title'],
  ['name'],
  ['alert_name'],
  ['alertName'],
  ['rule_name'],
  ['ruleName'],
  ['rule', 'name'],
  ['rule', 'title'],
  ['signature'],
  ['subject'],
  ['event', 'title'],
  ['summary'],
]
const longest = 200

/** The content's title or rule name where it has one, else the type, else the provider. */
export function alertName(content: string, type: string | null, provider: string): string {
  return titleIn(content) ?? type ?? provider
}

function titleIn(content: string): string | null {
  // Only an object can have a title; text is not worth a parse.
  if (!/^\s*\{/.test(content)) return null
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return null
  }
  for (const path of namePaths) {
    const found = path.reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, unknown>)[key] : undefined),
      value,
    )
    if (typeof found === 'string' && found.trim() !== '') return found.trim().slice(0, longest)
  }
  return null
}
