import { type Amount, larger, nothing, plus } from './amount.ts'

/** The most that steps do, by how they end. */
export interface Effect {
  /** If they run to their end and the next step follows. Null if a `stop` always comes first. */
  readonly through: Amount | null
  /** However they end: all of them run, a `stop` ends the run, or one of them fails. */
  readonly any: Amount
}

export const noEffect: Effect = { through: nothing, any: nothing }

/** Returns an effect that is the same however the step ends. */
export function always(amount: Amount): Effect {
  return { through: amount, any: amount }
}

/** Adds up steps that run one after the other. Steps after a certain `stop` never run. */
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
 * Adds up branches that run at the same time. If the next step needs only some of them (`needed`),
 * the others still count, however they end.
 */
export function beside(effects: readonly Effect[], needed: number): Effect {
  const any = effects.reduce((all, effect) => plus(all, effect.any), nothing)
  const ready = effects.flatMap(({ through }) => through ?? [])
  const through = needed < effects.length ? any : ready.reduce(plus, nothing)
  return { through: ready.length >= needed ? through : null, any }
}

/** Takes the maximum: exactly one of the effects happens. */
export function choice(effects: readonly [Effect, ...Effect[]]): Effect {
  return effects.reduce((a, b) => ({ through: larger(a.through, b.through), any: larger(a.any, b.any) }))
}

/** Takes the maximum of the effect and nothing: the step may be skipped. */
export function maybe(effect: Effect): Effect {
  return choice([effect, noEffect])
}

/** Adds the steps that run after a failure (`on_error`). `continue` adds none. */
export function handled(effect: Effect, handler: Effect): Effect {
  const through = handler.through && plus(effect.any, handler.through)
  return { through: larger(effect.through, through), any: plus(effect.any, handler.any) }
}
