import { mostFaults, type YamlLimits } from '../yaml/index.ts'

/**
 * The largest text of a playbook. It has room for two thousand steps. Reading the largest takes
 * half a second of processor time, as measured.
 */
export const playbookLimits: YamlLimits = {
  bytes: 512 * 1_024,
  lines: 20_000,
  tokens: 100_000,
  depth: 100,
  keys: 1_000,
  items: 5_000,
}

/** The most scripts in one playbook. Compiling each starts a process. */
export const mostScripts = 100
/** In characters. */
export const scriptLength = 65_536
/** Includes nested steps. */
export const mostSteps = 3_000
/** The most texts with `{{ … }}` or `{% … %}`. */
export const mostTemplates = 10_000

/**
 * The most findings that are reported for one playbook. The author corrects these, and then sees
 * the next. It must not exceed `mostFaults`: a document with unknown faults cannot be compiled.
 */
export const mostFindings = mostFaults

/** The deepest nesting of sub-playbooks. Each may run several: two each make a thousand in ten levels. */
export const mostNested = 10
/**
 * The most other playbooks that a playbook may run, directly or through others, and the most
 * characters in all of them. A run keeps all of them in memory.
 */
export const mostSubPlaybooks = 100
export const subPlaybooksLength = 2_000_000

/**
 * The most alert types and sub-playbook names that one organization may have active playbooks for.
 * The same limit applies to the shared ones.
 */
export const mostPlaces = 1_000
