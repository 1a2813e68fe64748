import type { Misspelling } from '../../../yaml/index.ts'

/** What is added to a message, and what was meant where that is certain. */
export interface Advice {
  readonly told: string
  readonly misspelt?: Misspelling
}

/** Advice to write one thing for another, which is certain to mean the same. */
export function meaning(written: string, meant: string): Advice {
  return { told: `; write \`${meant}\``, misspelt: { name: written, meant } }
}

/** Words of other products for those that are here. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: { str: '=string', text: '=string', int: '=integer', bool: '=boolean', float: '=number', list: '=array', dict: '=object', map: '=object' },
  on_error: { ignore: '=continue', skip: '=continue', stop: '=fail', abort: '=fail', raise: '=fail' },
  outcome: { success: '=completed', succeeded: '=completed', ok: '=completed', failure: '=failed', error: '=failed' },
  severity: {
    moderate: 'medium',
    p1: 'critical',
    p2: 'high',
    p3: 'medium',
    p4: 'low',
    sev1: 'critical',
    sev2: 'high',
    severe: 'high',
    warning: 'low',
    none: 'unassigned',
  },
  risk: { moderate: 'medium', severe: 'high' },
  status: { open: 'in_progress', active: 'in_progress', pending: 'analyst_pending', resolved: 'closed', done: 'closed', mitigated: 'contained' },
  disposition: { true_positive: 'malicious', tp: 'malicious', false_positive: 'no_threat_found', fp: 'no_threat_found', benign: 'no_threat_found' },
}

/** What is here for a word of another product; `=` before one that means the very same. */
export function ownWord(key: string, word: string): string | undefined {
  const own = Object.hasOwn(words, key) ? words[key] : undefined
  return own !== undefined && Object.hasOwn(own, word.toLowerCase()) ? own[word.toLowerCase()] : undefined
}

/** The word of a key's that a word means without doubt, such as `success` for `completed`. */
export function wordMeant(key: 'outcome' | 'type', word: string): string | undefined {
  return Object.values(words[key] ?? {}).includes(`=${word}`) ? word : ownWord(key, word)?.slice(1)
}
