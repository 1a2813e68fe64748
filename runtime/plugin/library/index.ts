/**
 * The plugins that an installation has. `library.ts` keeps and finds them in the store; `catalogue.ts` describes them for the API, `readme.ts`
 * for people who read their folder.
 */
export * from './catalogue.ts'
export * from './library.ts'
export { renderReadme } from './readme.ts'
