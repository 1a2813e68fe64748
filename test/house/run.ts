import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const inPackages = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
const vitest = inPackages('vitest/vitest.mjs')
/** Every file of tests has a process, and many begin others: what one has compiled the next need not. */
const environment: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: inPackages('.cache/tests'), ...process.env }

/** Runs Vitest in a process of its own. @returns whether all passed */
async function run(words: readonly string[], label: string | null): Promise<boolean> {
  const child = spawn(process.execPath, [vitest, 'run', ...words], {
    env: environment,
    stdio: ['ignore', label === null ? 'inherit' : 'pipe', 'inherit'],
  })
  if (child.stdout) createInterface(child.stdout).on('line', (line) => console.log(`${label} | ${line}`))
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0
}

/**
 * All tests: those that use services run one after the other, and mostly wait for what they have broken; the others run meanwhile. Vitest
 * itself would do first the ones, then the others. With arguments, as Vitest.
 */
const words = process.argv.slice(2)
const passed =
  words.length > 0 ? [await run(words, null)] : await Promise.all([run(['--project', 'apart'], null), run(['--project', 'services'], 'services')])
process.exitCode = passed.every(Boolean) ? 0 : 1
