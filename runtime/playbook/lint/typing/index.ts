export { skillOf, skillOutput } from './outputs.ts'
export { inputType } from './roots.ts'
export { subPlaybookOf, type Typing, typingOf } from './typing.ts'
