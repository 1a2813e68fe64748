/** The type of every value in a playbook, from the schemas of inputs and skills. */
export { mayBeSpared, skillOf, skillOutput } from './outputs.ts'

export { subPlaybookOf, typingOf } from './typing.ts'
