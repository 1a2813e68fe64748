/**
 * Where the processes that check texts keep what Node compiled for them; they start in half the time with it. A folder of their own: they
 * may write to it, and what is read from it is run, so nothing else may read from it.
 */
export const cache = new URL('../../node_modules/.cache/tocsin-checks/', import.meta.url)
