/** Nothing of an answer is kept by anybody on its way, and nothing is taken for what it does not say that it is. Files of the console say otherwise. */
export const onEveryAnswer = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const
