import { beginningOf, type Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { type Static, Type } from '../../schema/index.ts'
import { compileCheck, faultsOf } from '../../yaml/index.ts'
import { closed, formsBy } from '../grammar/shared.ts'
import { hurried, type Listening, toldBy } from './told.ts'

/** How a handler ended, as the prelude reports it. The handler's own code may have forged this. */
const finish = formsBy('kind', {
  returned: closed({ kind: Type.Literal('returned'), output: Type.Unsafe<Json>({}) }),
  refused: closed({ kind: Type.Literal('refused'), index: Type.Integer({ minimum: 0 }) }),
  failed: closed({ kind: Type.Literal('failed'), code: Type.String(), message: Type.String() }),
  unfit: closed({ kind: Type.Literal('unfit'), message: Type.String() }),
  threw: closed({ kind: Type.Literal('threw'), message: Type.String() }),
})
export type Finish = Static<typeof finish>

/**
 * Longest error message from a handler, in characters. The prelude limits it too, but the handler's
 * code could bypass that.
 */
const longestMessage = 2_000

export function cutMessage(message: string): string {
  return beginningOf(message, longestMessage)
}

const check = compileCheck<unknown>(finish)

/** Reads how a handler ended. A result that cannot be read is a fault of the handler. */
export async function readFinish(text: string, listening: Listening = hurried): Promise<Finish> {
  let told: Json
  try {
    told = await toldBy(text, listening, (piece) => JSON.parse(piece) as Json)
  } catch (error) {
    return { kind: 'threw', message: `its result ${messageOf(error)}` }
  }
  const [fault] = faultsOf(check, told)
  if (fault) return { kind: 'threw', message: `its result is malformed: ${fault.message}` }
  return told as unknown as Finish
}
