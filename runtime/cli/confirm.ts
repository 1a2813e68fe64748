import { createInterface } from 'node:readline/promises'
import { TocsinError } from '../errors/index.ts'
import type { Shared } from './remote-command.ts'

/**
 * Asks whether to go on, on the terminal's error output, so that the standard output is the result alone. The end of the input means no. Who asks for JSON is a
 * script, and is not asked: nobody might answer.
 * @param left what has not been done if nobody says yes: `X was not run.`
 * @throws TocsinError `write_not_confirmed`
 */
export async function mustConfirm(question: string, left: string, { json }: Shared): Promise<void> {
  if (json) throw new TocsinError('write_not_confirmed', `${left} With --json Tocsin does not ask, so add --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(question), closed])
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new TocsinError('write_not_confirmed', left)
}
