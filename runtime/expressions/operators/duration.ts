const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** For a text such as `2h` where a number is needed: says how many milliseconds it is. Empty for other texts. */
export function durationHint(text: string): string {
  const [, amount, unit = ''] = /^(\d+)(ms|s|m|h|d)$/.exec(text) ?? []
  return amount === undefined ? '' : `; ${text} is ${Number(amount) * (units[unit] ?? 1)} milliseconds`
}
