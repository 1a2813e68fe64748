/** By how much clocks go back anywhere, in milliseconds: half an hour on Lord Howe Island, an hour elsewhere. */
const steps = [1_800_000, 3_600_000]
const offset = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'shortOffset' })

/**
 * Adds the zone's offset to a time in the viewer's zone that clocks show twice, because they go back: `Sun 25, 02:00 GMT+1`.
 * @param at epoch milliseconds
 * @param text the time without an offset
 */
export function withOffset(at: number, text: string): string {
  const twice = steps.some((step) => behind(at + step) - behind(at) === step || behind(at) - behind(at - step) === step)
  return twice ? `${text} ${offset.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''}` : text
}

/** How far the viewer's clock is behind UTC, in milliseconds. */
function behind(at: number): number {
  return new Date(at).getTimezoneOffset() * 60_000
}
