/** Checks, activates, withdraws and lists the versions of playbooks in the store. */
export { type Activated, PlaybookActivation } from './activation.ts'

export { type ActivePlaybookSlots, ActiveSlots } from './active-slots.ts'
export { PlaybookHistory } from './history.ts'
export { type PlaybookKind, type PlaybookPlace, placeNamed } from './place.ts'
export { drawText, editorSchemaFor, examineText, generateFor, surroundingsOf, type TextNeeds } from './sent-text.ts'

export type { Slotted } from './unbound.ts'
