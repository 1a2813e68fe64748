/** Says a duration in milliseconds: `850 ms`, `12 s`, `3 min`, `2.5 h`. Null: `–`. */
export function spanOf(duration: number | null): string {
  if (duration === null) return '–'
  if (duration < 1_000) return `${duration} ms`
  if (duration < 120_000) return `${Math.round(duration / 1_000)} s`
  return duration < 7_200_000 ? `${Math.round(duration / 60_000)} min` : `${(duration / 3_600_000).toFixed(1)} h`
}
