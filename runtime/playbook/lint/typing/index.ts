/** The type of every value in a playbook, from the schemas of inputs and skills. */
export { skillOf, skillOutput } from './outputs.ts'
export { inputType } from './roots.ts'
export { subPlaybookOf, type Typing, typingOf } from './typing.ts'
