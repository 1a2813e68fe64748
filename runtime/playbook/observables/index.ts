/**
 * Finds the observables in an alert's content. Key and format tell what a value is. The generator asks
 * external systems about them, and the API lists them.
 */
export { listObservables } from './list.ts'
