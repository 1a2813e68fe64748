/** Replacing and removing parts of a text. */
export { remove } from './remove.ts'
export { removeFirst } from './remove-first.ts'
export { removeLast } from './remove-last.ts'
export { replace } from './replace.ts'
export { replaceFirst } from './replace-first.ts'
export { replaceLast } from './replace-last.ts'
