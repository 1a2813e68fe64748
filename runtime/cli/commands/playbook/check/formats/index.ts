/** The formats in which `tocsin playbook lint` prints its findings: for people, as JSON, and as SARIF for code scanners. */
export { countOf, type Shown } from './format.ts'
export { asText } from './human.ts'
export { asJson } from './json.ts'
export { asSarif } from './sarif.ts'
