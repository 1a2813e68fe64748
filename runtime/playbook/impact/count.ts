/** Counts stop here, because larger numbers are not exact. Nobody needs them exactly. */
const most = Number.MAX_SAFE_INTEGER

export function add(a: number, b: number): number {
  return Math.min(a + b, most)
}

/** @param times may be infinite; the result then is the largest count, or 0 if `count` is 0 */
export function multiply(count: number, times: number): number {
  return count === 0 || times === 0 ? 0 : Math.min(count * times, most)
}
