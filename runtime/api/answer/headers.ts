/** Nobody caches an answer, and no browser guesses its type. Files of the console set their own headers. */
export const onEveryAnswer = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
