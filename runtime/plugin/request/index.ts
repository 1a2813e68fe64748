/**
 * The request of a skill. `request.ts` renders method, path, query, headers and body from the
 * skill's input. `paginate.ts` requests all pages of a listing. Nothing is signed or sent here.
 */
export { ownHeaders } from './own-headers.ts'
export { renderRequest } from './request.ts'
export type * from './skill-request.ts'
