import type { Policy, ProtectedRule } from '../domain/index.ts'
import { compilePattern } from '../expressions/index.ts'

/** A target that a call may not act on. */
export interface Protection {
  readonly target: string
  readonly reason: string
}

/** Returns the same text for all spellings of one thing. */
function folded(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

/** The names of a rule as they are compared. Rules are read once for many calls. */
const namesOf = new WeakMap<ProtectedRule, ReadonlySet<string>>()

function matches(rule: ProtectedRule, target: string): boolean {
  let names = namesOf.get(rule)
  if (!names) {
    names = new Set(rule.names.map(folded))
    namesOf.set(rule, names)
  }
  const one = folded(target)
  return names.has(one) || (rule.pattern !== null && occurs(`(?i)${rule.pattern}`, one))
}

/**
 * Returns whether a pattern occurs in a target. True if that is too expensive to find out: then the target
 * counts as protected.
 */
function occurs(pattern: string, target: string): boolean {
  try {
    return compilePattern(pattern).test(target)
  } catch {
    return true
  }
}

/**
 * Returns the first target of a call that a policy protects from it. Null: none.
 * @param skill `<integration>.<skill>`, a skill that changes something
 */
export function protectionOf({ protected: rules }: Pick<Policy, 'protected'>, skill: string, targets: readonly string[]): Protection | null {
  for (const rule of rules) {
    if (rule.skills !== null && !rule.skills.includes(skill)) continue
    const target = targets.find((one) => matches(rule, one))
    if (target !== undefined) return { target, reason: rule.reason }
  }
  return null
}
