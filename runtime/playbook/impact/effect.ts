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

/**
 * Side by side. Where fewer than all are `needed` for the next step to follow, what the others do, however they end, comes on top.
 */
export function beside(effects: readonly Effect[], needed: number): Effect {
  const any = effects.reduce((all, effect) => plus(all, effect.any), nothing)
  const ready = effects.flatMap(({ through }) => through ?? [])
  const through = needed < effects.length ? any : ready.reduce(plus, nothing)
  return { through: ready.length >= needed ? through : null, any }
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
