/** Returns a function that shows on the terminal how much is done, how fast, and how long the rest takes. At most once a second. */
export function progressOf(total: number, what: string): (done: number) => void {
  const began = performance.now()
  let shown = 0
  return (done) => {
    const now = performance.now()
    if (done < total && now - shown < 1_000) return
    shown = now
    const rate = done / ((now - began) / 1_000)
    process.stderr.write(
      `\r${done} of ${total} ${what}, ${rate.toFixed(0)} a second, ${Math.ceil((total - done) / rate)} s left   ${done < total ? '' : '\n'}`,
    )
  }
}
