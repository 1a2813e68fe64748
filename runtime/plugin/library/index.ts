/**
 * The plugins of an installation. `library.ts` keeps them in the store and finds them.
 * `catalogue.ts` describes them for the API, and `readme.ts` for people who read their folder.
 */
export * from './catalogue.ts'
export * from './library.ts'
export { renderReadme } from './readme.ts'
