import type { Misspelling } from '../../../yaml/index.ts'

/** Text to add to a message, and the fix if what was meant is certain. */
export interface Advice {
  readonly told: string
  readonly misspelt?: Misspelling
}

/** Advice to replace one text by another that certainly means the same. */
export function meaning(written: string, meant: string): Advice {
  return { told: `; write \`${meant}\``, misspelt: { name: written, meant } }
}

/** Words of other products, and Tocsin's words for them. */
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

/** Returns Tocsin's word for a word of another product. A `=` before it says that both mean exactly the same. */
export function ownWord(key: string, word: string): string | undefined {
  const own = Object.hasOwn(words, key) ? words[key] : undefined
  return own !== undefined && Object.hasOwn(own, word.toLowerCase()) ? own[word.toLowerCase()] : undefined
}

/** Returns the allowed word of a key that another word certainly means, such as `completed` for `success`. */
export function wordMeant(key: 'outcome' | 'type', word: string): string | undefined {
  return Object.values(words[key] ?? {}).includes(`=${word}`) ? word : ownWord(key, word)?.slice(1)
}
