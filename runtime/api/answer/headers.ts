/** Headers of every answer: no caching, and no guessing of the content type. Files of the console set their own headers. */
export const onEveryAnswer = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
