/** The usual size of text in a browser, in pixels. The console gives its lengths for it. */
const usual = 16

/** Returns a length for the size of text that people have chosen in their browser. @param length in pixels, for text of the usual size */
export function scaled(length: number): number {
  return (length * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)) / usual
}

/** The same for a style sheet: `2.5rem`. */
export function inRem(length: number): string {
  return `${length / usual}rem`
}
