import { createInterface } from 'node:readline/promises'

/** Asks on the terminal's error output, so that the standard output is the result alone. The end of the input means no. */
export async function confirmed(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  const answer = await Promise.race([terminal.question(question), closed])
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}
