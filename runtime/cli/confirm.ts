import { createInterface } from 'node:readline/promises'
import { TocsinError } from '../errors/index.ts'
import type { Shared } from './remote-command.ts'

/**
 * Asks a yes/no question. Writes it to standard error, so that standard output has only the result. The end of the input means no.
 * With `--json` it does not ask but fails: the caller is a script, and nobody may be there to answer.
 * @param left the error message if the answer is not yes, such as `X was not run.`
 * @throws TocsinError `write_not_confirmed`
 */
export async function mustConfirm(question: string, left: string, { json }: Shared): Promise<void> {
  if (json) throw new TocsinError('write_not_confirmed', `${left} With --json, Tocsin does not ask: add --yes.`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(question), closed])
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new TocsinError('write_not_confirmed', left)
}
