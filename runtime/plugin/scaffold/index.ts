/** The first files of a plugin: `tocsin plugin new` writes an example, or what an OpenAPI document says. */
export { blankPlugin } from './blank.ts'
export { draftFromOpenApi } from './draft.ts'
export { writePlugin } from './write-plugin.ts'
