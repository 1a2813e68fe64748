/**
 * The folder of Node's compile cache for the processes that check texts. With it they start in half the time. They may write to the folder,
 * and Node runs the code that it reads from it. So no other process may use it.
 */
export const cache = new URL('../../node_modules/.cache/tocsin-checks/', import.meta.url)
