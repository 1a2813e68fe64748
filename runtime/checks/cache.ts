/**
 * The folder of Node's compile cache for the processes that check texts. With it they start in half the time. No other process may use this
 * folder: the checking processes can write to it, and Node runs the code that it reads there.
 */
export const cache = new URL('../../node_modules/.cache/tocsin-checks/', import.meta.url)
