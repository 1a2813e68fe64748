import { type Act, namesIn } from '../domain/index.ts'
import type { ActFilter } from './port/index.ts'

/** Returns what an act is found by: who did it, its action, and the names in its details. Each has a prefix of its own. */
export function actTerms({ principal, by, action, on }: Pick<Act, 'principal' | 'by' | 'action' | 'on'>): readonly string[] {
  return [`by:${principal}`, `by:${by}`, `did:${action}`, ...namesIn(on).map((name) => `on:${name}`)]
}

/** Returns the terms that an act must have to pass a filter. The first one is usually the rarest, so looking for it reads least. */
export function wantedActTerms({ about, by, action }: ActFilter): readonly string[] {
  return [
    ...(about === undefined ? [] : [`on:${about}`]),
    ...(action === undefined ? [] : [`did:${action}`]),
    ...(by === undefined ? [] : [`by:${by}`]),
  ]
}
