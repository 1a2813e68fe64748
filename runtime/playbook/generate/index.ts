/**
 * Generates a first playbook for an alert type from the schemas of the skills that an organization
 * has.
 */
export { generatePlaybook } from './generate.ts'
