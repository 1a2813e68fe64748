import { vi } from 'vitest'
import { explainFailure } from '../../../runtime/cli/failure.ts'
import { buildProgram } from '../../../runtime/cli/index.ts'

/** The result of a command. */
export interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

/**
 * Runs `tocsin <words>` in this process, as `runtime/tocsin.js` does: starting another process would take a second or more. Wrong options and
 * arguments end the process, so a test of those must start one.
 */
export async function tocsin(words: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Ended> {
  let [out, err] = ['', '']
  const toOut = (text: unknown): true => {
    out += String(text)
    return true
  }
  const toErr = (text: unknown): true => {
    err += String(text)
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(toOut),
    vi.spyOn(process.stderr, 'write').mockImplementation(toErr),
    vi.spyOn(console, 'log').mockImplementation((text) => void toOut(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void toErr(`${text}\n`)),
  ]
  for (const [name, value] of Object.entries({ ...environment, NO_COLOR: '1', FORCE_COLOR: undefined })) vi.stubEnv(name, value)
  const before = process.exitCode
  process.exitCode = undefined
  try {
    const program = await buildProgram(words[0])
    await program.parseAsync(words, { from: 'user' })
    return { code: Number(process.exitCode ?? 0), out, err }
  } catch (error) {
    return { code: 1, out, err: `${err}${explainFailure(error)}\n` }
  } finally {
    process.exitCode = before
    vi.unstubAllEnvs()
    for (const spy of spies) spy.mockRestore()
  }
}
