/**
 * Undoes a run. What each write needs to be taken back is decided when somebody asks for the undo. The undo is then a run of its own, which sends the
 * inverse calls one after the other.
 */
export type { NotUndone, UndoDocument, UndoneWrite, UndoStep } from './document.ts'
export type { Undo, UndoEnd } from './earlier-undos.ts'
export { undoPlan } from './stored-undo.ts'
export { type UndoPreview, type UndoRequest, UndoService } from './undo-service.ts'
