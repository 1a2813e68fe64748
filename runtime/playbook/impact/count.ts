/** Counts beyond this are not exact, and are all the same to whoever reads them. */
const most = Number.MAX_SAFE_INTEGER

export function add(a: number, b: number): number {
  return Math.min(a + b, most)
}

/** @param times may be infinite: then what is there at all counts as the most */
export function multiply(count: number, times: number): number {
  return count === 0 || times === 0 ? 0 : Math.min(count * times, most)
}
