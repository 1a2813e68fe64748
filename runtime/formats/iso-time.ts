const isoPattern = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})?)?$/

/**
 * Returns the epoch milliseconds of a text in ISO 8601. Without a zone it is UTC, so that it means the same on every
 * machine. Undefined if the text is not a time.
 */
export function isoTime(text: string): number | undefined {
  const match = isoPattern.exec(text)
  if (match === null || !isDay(text.slice(0, 10))) return undefined
  const zoned = match[1] !== undefined || text.length === 10 ? text : `${text}Z`
  const time = Date.parse(zoned.replace(' ', 'T'))
  return Number.isNaN(time) ? undefined : time
}

/** Returns whether a day exists. `Date.parse` reads 30 February as 2 March. */
function isDay(date: string): boolean {
  const day = Number(date.slice(8))
  return day <= 28 || new Date(date).getUTCDate() === day
}
