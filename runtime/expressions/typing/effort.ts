/** Steps that typing one expression may take, and those of one playbook together: about 20 milliseconds, and half a second. */
const mostOfExpression = 100_000
const mostOfPlaybook = 2_500_000

/** Typing has taken more steps than it may. What is typed is then of any type, and nothing is told of it. */
class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/** Steps that are left to what is being typed; typing is synchronous. */
let left = mostOfExpression
/** Those that are left to the playbook that is being examined. */
let together = Number.POSITIVE_INFINITY
let inExpression = false

/** Counts steps of typing: a member of a type that is looked at, a fact that is applied. @throws TooMuch, which `boundedly` catches */
export function step(count = 1): void {
  // What is put together outside an expression is put together from few.
  if (!inExpression) return
  left -= count
  if (left < 0) throw new TooMuch()
}

/** Types an expression, which may type others on its way; what takes too much, or is nested too deeply, is `otherwise`. */
export function boundedly<T>(type: () => T, otherwise: T): T {
  if (inExpression) return type()
  inExpression = true
  const given = Math.min(mostOfExpression, together)
  left = given
  try {
    return type()
  } catch (error) {
    if (error instanceof TooMuch || error instanceof RangeError) return otherwise
    throw error
  } finally {
    together -= given - Math.max(left, 0)
    left = mostOfExpression
    inExpression = false
  }
}

/** Examines a playbook: what typing its expressions takes together is bounded, too. */
export function forPlaybook<T>(examine: () => T): T {
  const outer = together
  together = mostOfPlaybook
  try {
    return examine()
  } finally {
    together = outer
  }
}
