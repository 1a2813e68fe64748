/**
 * Undoes a run. What each write needs to be taken back is decided when a person asks for the undo. The undo
 * is then a run of its own, which sends the inverse calls one after the other.
 */
export type { NotUndone, UndoneWrite } from './document.ts'
export type { Undo } from './earlier-undos.ts'
export { undoPlan } from './stored-undo.ts'
export { type UndoPreview, UndoService } from './undo-service.ts'
