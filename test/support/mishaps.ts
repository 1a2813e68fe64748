/** What has gone wrong in this test file beside what its test awaits, by what it happened to. */
const mishaps = new Map<object, () => string>()

/** Has every `until` of this test file throw from now on: what it waits for may never come. @param why says what happened */
export function addMishap(to: object, why: () => string): void {
  mishaps.set(to, why)
}

/** Takes it back: a test expects it. */
export function takeBackMishap(to: object): void {
  mishaps.delete(to)
}

/** @throws with everything that went wrong */
export function throwMishaps(): void {
  if (mishaps.size > 0) throw new Error([...mishaps.values()].map((why) => why()).join('\n'))
}
