/** Versions of playbooks in the store: checked, activated, withdrawn, and listed. */
export { type Activated, type ActivationNeeds, type ActivationRequest, type Actor, type PlaceOutcome, PlaybookActivation } from './activation.ts'
export { ActivePlaybooks } from './active.ts'
export { PlaybookHistory } from './history.ts'
export { type LintNeeds, lintText } from './lint-text.ts'
export { describePlace, type PlaybookKind, type PlaybookPlace, placeNamed } from './place.ts'
export { type OverPolicy, policiesExceeded } from './policy.ts'
export type { Outcome } from './set-active.ts'
export type { Bind, Slotted, Unbound } from './unbound.ts'
