/** Formats a time as the REST API does: `2026-09-21T08:00:00.000+0000`. */
export function apiTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace('Z', '+0000')
}

const form = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d{1,3})?(Z|[+-]\d\d:?\d\d)$/

/** Parses a time in SOQL or JSON to epoch milliseconds. Null if it is not a time. */
export function millisecondsOf(text: string): number | null {
  const found = form.exec(text)
  if (!found) return null
  const [, date, time, fraction = '.0', zone = 'Z'] = found
  const milliseconds = Date.parse(`${date}T${time}${fraction.padEnd(4, '0')}${zone === 'Z' ? zone : `${zone.slice(0, 3)}:${zone.slice(-2)}`}`)
  return Number.isNaN(milliseconds) ? null : milliseconds
}
