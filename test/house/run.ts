import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const inPackages = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url))
const vitest = inPackages('vitest/vitest.mjs')
/** A shared compile cache: each test file has its own process, and many start others. */
const environment: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: inPackages('.cache/tests'), ...process.env }

/** Raises the priority of a process and its children. */
function hurry(pid: number): void {
  try {
    setPriority(pid, -5)
  } catch (error) {
    // Usually only root may do this. Without it, the tests only take longer.
    const code = error instanceof Error && 'info' in error ? (error.info as { readonly code?: string }).code : undefined
    if (code !== 'EACCES' && code !== 'EPERM') throw error
  }
}

/** Runs Vitest in its own process. @returns whether all tests passed */
async function run(words: readonly string[], label: string | null, more: NodeJS.ProcessEnv = {}, hurries = false): Promise<boolean> {
  const child = spawn(process.execPath, [vitest, 'run', ...words], {
    env: { ...environment, ...more },
    stdio: ['ignore', label === null ? 'inherit' : 'pipe', 'inherit'],
  })
  if (hurries && child.pid !== undefined) hurry(child.pid)
  if (child.stdout) createInterface(child.stdout).on('line', (line) => console.log(`${label} | ${line}`))
  const [code] = (await once(child, 'close')) as [number | null]
  return code === 0
}

/**
 * `npm test`: runs all tests. Tests that use services run one after the other and mostly wait, so the other tests run at the same time.
 * Vitest alone would run the two groups one after the other. Those that use services take longest, so they go first. With arguments, runs Vitest with them.
 */
const words = process.argv.slice(2)
const passed =
  words.length > 0
    ? [await run(words, null)]
    : await Promise.all([
        run(['--project', 'apart', '--project', 'together'], null, { TEST_TOGETHER: '1' }),
        run(['--project', 'services'], 'services', {}, true),
      ])
process.exitCode = passed.every(Boolean) ? 0 : 1
