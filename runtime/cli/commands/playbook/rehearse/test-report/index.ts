/** The formats in which `tocsin playbook test` prints its results: for people, as JSON, and as JUnit XML for CI. */
export { humanReport } from './human.ts'
export { jsonReport } from './json.ts'
export { junitReport } from './junit.ts'
export { type FileReport, type Report, tallyOf } from './report.ts'
