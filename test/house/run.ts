import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const inPackages = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
const vitest = inPackages('vitest/vitest.mjs')
/** A shared compile cache: each test file has its own process, and many start others. */
const environment: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: inPackages('.cache/tests'), ...process.env }

/** Runs Vitest in its own process. @returns whether all tests passed */
async function run(words: readonly string[], label: string | null, more: NodeJS.ProcessEnv = {}): Promise<boolean> {
  const child = spawn(process.execPath, [vitest, 'run', ...words], {
    env: { ...environment, ...more },
    stdio: ['ignore', label === null ? 'inherit' : 'pipe', 'inherit'],
  })
  if (child.stdout) createInterface(child.stdout).on('line', (line) => console.log(`${label} | ${line}`))
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0
}

/**
 * `npm test`: runs all tests. Tests that use services run one after the other and mostly wait, so the other tests run at the same time.
 * Vitest alone would run the two groups one after the other. With arguments, runs Vitest with them.
 */
const words = process.argv.slice(2)
const passed =
  words.length > 0
    ? [await run(words, null)]
    : await Promise.all([
        run(['--project', 'apart', '--project', 'together'], null, { TEST_TOGETHER: '1' }),
        run(['--project', 'services'], 'services'),
      ])
process.exitCode = passed.every(Boolean) ? 0 : 1
