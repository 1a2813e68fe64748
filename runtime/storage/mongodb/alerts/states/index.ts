/** Pages of states: which alerts of a segment have which status and playbook. Writes them, and finds alerts with them. */
export { isSelective } from './selectivity.ts'
export { StateReader, type StateSearch } from './state-pages.ts'
export { StateWriter } from './state-writer.ts'
