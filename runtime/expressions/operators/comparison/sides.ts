import { showKinds, without } from '../../typing/model/index.ts'
import { type Argument, calledArgument } from '../call.ts'

/** Returns the kinds of one side of a comparison, and its path if it has one. */
export function kindsOf(argument: Argument): string {
  const kinds = showKinds(without(argument.type, 'null'))
  const name = calledArgument(argument)
  return name.startsWith('`') ? `${kinds} (${name})` : kinds
}
