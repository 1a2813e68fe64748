/** The most steps of typing for one expression (about 20 ms), and for all expressions of a playbook together (about half a second). */
const mostOfExpression = 100_000
const mostOfPlaybook = 2_500_000

/** Typing has used up its steps. The expression then has any type, and no problems are reported for it. */
class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/** The steps left for the current expression. One variable is enough, because typing is synchronous. */
let left = mostOfExpression
/** The steps left for the current playbook. */
let together = Number.POSITIVE_INFINITY
let inExpression = false

/** Counts steps of typing, such as a field of a type or a fact. @throws TooMuch, which `boundedly` catches */
export function step(count = 1): void {
  // Types that are built outside of an expression are small.
  if (!inExpression) return
  left -= count
  if (left < 0) throw new TooMuch()
}

/** Types an expression, and any others that this needs. Returns `otherwise` if that takes too many steps or is nested too deeply. */
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

/** Examines a playbook with a limit on the steps for all its expressions together. */
export function forPlaybook<T>(examine: () => T): T {
  const outer = together
  together = mostOfPlaybook
  try {
    return examine()
  } finally {
    together = outer
  }
}
