import Type from 'typebox'
import type { Json } from '../../domain/index.ts'
import { messageOf } from '../../errors/index.ts'
import { compileCheck, faultsOf } from '../../yaml/index.ts'
import { closed, formsBy } from '../grammar/shared.ts'
import { hurried, type Listening, toldBy } from './told.ts'

/** How a handler came to its end, as the prelude tells it; its own code may have told something else. */
const finish = formsBy('kind', {
  returned: closed({ kind: Type.Literal('returned'), output: Type.Unsafe<Json>({}) }),
  refused: closed({ kind: Type.Literal('refused'), index: Type.Integer({ minimum: 0 }) }),
  failed: closed({ kind: Type.Literal('failed'), code: Type.String(), message: Type.String() }),
  threw: closed({ kind: Type.Literal('threw'), message: Type.String() }),
})
export type Finish = Type.Static<typeof finish>

/** Characters of what code says of an error; the prelude cuts it, too, but runs beside that code. */
const longestMessage = 2_000

export function cutMessage(message: string): string {
  return message.slice(0, longestMessage)
}

const check = compileCheck<unknown>(finish)

/** An end that cannot be understood is a fault of the handler. */
export async function readFinish(text: string, listening: Listening = hurried): Promise<Finish> {
  let told: Json
  try {
    told = await toldBy(text, listening, (piece) => JSON.parse(piece) as Json)
  } catch (error) {
    return { kind: 'threw', message: `what it ended with ${messageOf(error)}` }
  }
  const [fault] = faultsOf(check, told)
  if (fault) return { kind: 'threw', message: `it ended with what is no end: ${fault.message}` }
  return told as unknown as Finish
}
