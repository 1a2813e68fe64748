/** Checks, activates, withdraws and lists the versions of playbooks in the store. */
export { type Activated, PlaybookActivation } from './activation.ts'

export { PlaybookHistory } from './history.ts'
export { lintText } from './lint-text.ts'
export { type PlaybookKind, type PlaybookPlace, placeNamed } from './place.ts'

export type { Slotted } from './unbound.ts'
