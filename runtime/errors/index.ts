/** Every error that Tocsin reports, with its cause and remedy. `error.ts` is the class; `registry/` has the entries. */
export * from './error.ts'
export * from './registry/index.ts'
