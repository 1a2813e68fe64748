/** Alerts that Tocsin fetches: what to call, how to read the answer, and how far it has come. */
export * from './alert-fetch.ts'
export * from './fetch-state.ts'
