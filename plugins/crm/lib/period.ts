/** The time part of a skill's input: a start and an end, or a duration back from now. */
export interface Asked {
  /** ISO 8601. */
  readonly after?: string
  readonly before?: string
  /** A duration such as `24h`. */
  readonly last?: string
}

/** In epoch milliseconds. Null: no bound. */
export interface Period {
  readonly after: number | null
  readonly before: number | null
}

/** The input gives no valid period. The message says why. */
export class NoPeriod extends Error {}

/** The earliest and latest time that the platform accepts, and the time before which it has no records. */
const [earliest, latest, first] = [Date.UTC(1700, 0, 1), Date.UTC(4000, 11, 31), Date.UTC(1999, 0, 1)]

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/**
 * @param now epoch milliseconds
 * @throws NoPeriod
 */
export function periodOf({ after, before, last }: Asked, now: number): Period {
  if (last !== undefined) {
    if (after !== undefined || before !== undefined) throw new NoPeriod('Give either a duration back from now, or times, but not both.')
    return { after: Math.max(now - duration(last), first), before: null }
  }
  const period = { after: moment(after), before: moment(before) }
  if (period.after !== null && period.before !== null && period.before <= period.after) throw new NoPeriod('The period ends before it begins.')
  return period
}

function duration(text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? []
  const each = units[unit]
  if (each === undefined) throw new NoPeriod(`${text} is not a duration; write an integer and m, h, d or w, for example 24h.`)
  return Number(number) * each
}

function moment(text: string | undefined): number | null {
  if (text === undefined) return null
  // The format date-time also allows a space, a small `t` and a small `z`. JavaScript does not define how
  // Date.parse reads them, or other formats.
  const time = /^\d{4}-\d\d-\d\d[T ]/i.test(text) ? Date.parse(text.toUpperCase().replace(' ', 'T')) : Number.NaN
  if (Number.isNaN(time)) throw new NoPeriod(`${text} is not a time.`)
  if (time < earliest || time > latest) throw new NoPeriod(`${text} is outside the years 1700 to 4000, which the platform accepts.`)
  return time
}
