/** Shared by several resources: one alert, one run, links between cases, codes of organizations, names of principals, values that may be cut, and the errors of checking a text. */
export { alertOf } from './alert-of.ts'
export { CaseLinkSchema, caseLinkView, continuedIn, MergedIntoSchema, mergedIntoView } from './case-link.ts'
export { checkErrors } from './check-errors.ts'
export { organizationCodesOf, organizationIdsOf } from './organization-codes.ts'
export { type Names, namesOf } from './principal-names.ts'
export { runOf } from './run-of.ts'
export { ShownSchema, shownView } from './shown.ts'
