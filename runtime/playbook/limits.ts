import { mostFaults, type YamlLimits } from '../yaml/index.ts'

/** How large a playbook's text may be. Two thousand steps fit; measured, the largest takes half a second of a processor to read. */
export const playbookLimits: YamlLimits = {
  bytes: 512 * 1_024,
  lines: 20_000,
  tokens: 100_000,
  depth: 100,
  keys: 1_000,
  items: 5_000,
}

/** Of one playbook. Each takes a process of its own to compile. */
export const mostScripts = 100
/** Characters. */
export const scriptLength = 65_536
/** Those in other steps counted. */
export const mostSteps = 3_000
/** Texts with `{{ … }}` or `{% … %}`. */
export const mostTemplates = 10_000

/**
 * Findings that are told of one playbook; who corrects these sees the next. No more than the faults that are found of a document: where
 * some are not known, the document cannot be compiled.
 */
export const mostFindings = mostFaults

/** How deep sub-playbooks may be nested. Each may run several: ten levels with two each are a thousand. */
export const mostNested = 10
/** How many other playbooks a playbook may run, directly or through others, and their characters together. A run keeps all of them in memory. */
export const mostSubPlaybooks = 100
export const subPlaybooksLength = 2_000_000

/** For how many alert types and sub-playbook names one organization may have active playbooks. The same limit applies to the shared ones. */
export const mostPlaces = 1_000
