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

/** Sub-playbooks within each other. Each may run several: ten levels of two are a thousand. */
export const mostNested = 10
/** That a playbook runs, those that they run counted, and their characters together: a run keeps all of them at hand. */
export const mostSubPlaybooks = 100
export const subPlaybooksLength = 2_000_000

/** Alert types and names of sub-playbooks for which one organization has something active; the shared ones have as many. */
export const mostPlaces = 1_000
