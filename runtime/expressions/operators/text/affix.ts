import { boolean, type Type } from '../../typing/model/index.ts'
import { decided, need, type OperatorCall } from '../call.ts'

/** Types for `starts_with` and `ends_with`. */
export function typesOfAffix(passes: (value: string, affix: string) => boolean): (call: OperatorCall) => Type {
  return (call) => {
    const fit = [need(call, 0, ['text'], 'a text'), need(call, 1, ['text'], 'a text')]
    return fit.includes(false) ? boolean : decided(call, passes)
  }
}
