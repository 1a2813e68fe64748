import { malformed } from '../replies.ts'

const day = 24 * 3_600_000

/** A time range in epoch milliseconds: from, and up to. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** Returns the range that a literal such as TODAY or LAST_N_DAYS:7 means at a time. Days are UTC days. */
export function spanOf(literal: string, now: number): Span {
  const [name = '', number] = literal.toUpperCase().split(':')
  const n = Number(number ?? 0)
  const today = Math.floor(now / day) * day
  const date = new Date(today)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const week = today - date.getUTCDay() * day
  const days = (from: number, to: number): Span => ({ from: today + from * day, to: today + to * day })
  const months = (from: number, to: number): Span => ({ from: Date.UTC(year, month + from), to: Date.UTC(year, month + to) })
  switch (name) {
    case 'TODAY':
      return days(0, 1)
    case 'YESTERDAY':
      return days(-1, 0)
    case 'TOMORROW':
      return days(1, 2)
    case 'LAST_90_DAYS':
      return days(-90, 1)
    case 'LAST_N_DAYS':
      return days(-n, 1)
    case 'NEXT_N_DAYS':
      return days(1, n + 1)
    case 'N_DAYS_AGO':
      return days(-n, -n + 1)
    case 'THIS_WEEK':
      return { from: week, to: week + 7 * day }
    case 'LAST_WEEK':
      return { from: week - 7 * day, to: week }
    case 'THIS_MONTH':
      return months(0, 1)
    case 'LAST_MONTH':
      return months(-1, 0)
    case 'LAST_N_MONTHS':
      return months(-n, 0)
    case 'THIS_YEAR':
      return { from: Date.UTC(year), to: Date.UTC(year + 1) }
    case 'LAST_YEAR':
      return { from: Date.UTC(year - 1), to: Date.UTC(year) }
    default:
      throw malformed(`the simulator has no date literal ${name}`)
  }
}
