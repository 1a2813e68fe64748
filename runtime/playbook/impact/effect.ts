import { type Amount, larger, nothing, plus } from './amount.ts'

/** What steps do at most, by how they end. */
export interface Effect {
  /** When they run to their end and the next step follows; null when that cannot be, because a `stop` comes first. */
  readonly through: Amount | null
  /** However they end: all of them run, a `stop` ends the run, one of them fails. */
  readonly any: Amount
}

export const noEffect: Effect = { through: nothing, any: nothing }

/** Always the same, however it ends. */
export function always(amount: Amount): Effect {
  return { through: amount, any: amount }
}

/** One after the other; what comes after a certain `stop` never happens. */
export function sequence(effects: Iterable<Effect>): Effect {
  let through: Amount | null = nothing
  let any: Amount = nothing
  for (const effect of effects) {
    any = larger(any, plus(through, effect.any))
    through = effect.through && plus(through, effect.through)
    if (!through) break
  }
  return { through, any }
}

/** At the same time: what stops one of them stops none that is under way. */
export function beside(effects: readonly Effect[]): Effect {
  return {
    through: effects.reduce<Amount | null>((all, { through }) => (all && through ? plus(all, through) : null), nothing),
    any: effects.reduce((all, { any }) => plus(all, any), nothing),
  }
}

/** One of several. */
export function choice(effects: readonly [Effect, ...Effect[]]): Effect {
  return effects.reduce((a, b) => ({ through: larger(a.through, b.through), any: larger(a.any, b.any) }))
}

/** It may also be left out. */
export function maybe(effect: Effect): Effect {
  return choice([effect, noEffect])
}

/** A failure of it is passed over, or other steps run after it (design: `on_error` steps add). */
export function handled(effect: Effect, handler: Effect): Effect {
  const through = handler.through && plus(effect.any, handler.through)
  return { through: larger(effect.through, through), any: plus(effect.any, handler.any) }
}
