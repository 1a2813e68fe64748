/** Shared by several resources: codes of organizations, names of principals, and the errors of checking a text. */
export { checkErrors } from './check-errors.ts'
export { organizationCodesOf, organizationIdsOf } from './organization-codes.ts'
export { type Names, namesOf } from './principal-names.ts'
