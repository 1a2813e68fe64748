const mostItems = 3
const mostText = 60
/** The most telling fields of a thing, in the order in which they are shown. */
const telling = [
  'kind',
  'step',
  'address',
  'state',
  'status',
  'verdict',
  'position',
  'epoch',
  'effect',
  'code',
  'alertId',
  'run',
  'id',
  'wakeAt',
  'until',
  'records',
  'error',
]

/** Returns what a person needs to see of a value to follow the events. */
export function brief(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Error) return value.message
  if (Array.isArray(value)) {
    const shown = value
      .slice(0, mostItems)
      .map(brief)
      .filter((text) => text !== '')
    return value.length > mostItems ? `${shown.join(', ')}, … (${value.length})` : shown.join(', ')
  }
  if (typeof value !== 'object') return cut(String(value))
  const members = value as Readonly<Record<string, unknown>>
  const named = telling.filter((name) => members[name] !== undefined && members[name] !== null)
  const names =
    named.length > 0
      ? named
      : Object.keys(members)
          .filter((name) => members[name] !== 0)
          .slice(0, mostItems)
  return `{${names.map((name) => `${name} ${brief(members[name])}`).join(', ')}}`
}

/** Shortens ids. Their ends are enough to tell them apart. */
function cut(text: string): string {
  const short = text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{6}([0-9a-f]{6})/g, '~$1')
    .split('\n', 1)
    .join('')
  return short.length > mostText ? `${short.slice(0, mostText)}…` : short
}
