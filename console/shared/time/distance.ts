const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

/**
 * Formats the distance of a time from now, in the largest unit that it fills, rounded towards now: `3 min. ago`, `in 2 hr.`
 * @param at epoch milliseconds, like `now`
 */
export function distance(at: number, now: number): string {
  const apart = at - now
  if (Math.abs(apart) < 1_000) return 'now'
  const [unit, size] = units.find(([, length]) => Math.abs(apart) >= length) ?? ['second', 1_000]
  return words.format(Math.trunc(apart / size), unit)
}
