import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Installation, newInstallation, shippedPlugin } from '../../support/processes/installation.ts'
import { spawnTocsin } from '../../support/processes/tocsin-process.ts'
import { until } from '../../support/until.ts'

const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))
const preload = new URL('./stops-itself.ts', import.meta.url).href
/** Each test imports the plugins for the first time. */
let installation: Installation
let environment: NodeJS.ProcessEnv

beforeEach(() => {
  installation = newInstallation('embedded')
  environment = {
    ...process.env,
    ...installation.environment,
    TOCSIN_PLUGINS: shippedPlugin('mailsec'),
    TOCSIN_PLAYBOOKS: fileURLToPath(new URL('../../faults/playbooks', import.meta.url)),
  }
})
afterEach(() => installation.remove())

/** Starts Tocsin, and has the signal come when its main thread loads a file. Returns how it ended, and what it printed. */
async function stoppedAt(at: string, signal: NodeJS.Signals) {
  const child = spawn(process.execPath, ['--import', preload, main, 'up', '--port', '0'], {
    env: { ...environment, AT: at, SIGNAL: signal },
    // A group of its own, so that the test sees whether it leaves processes behind.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += String(data)))
  const [code, by] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { ended: by ?? code, printed, group: child.pid ?? 0 }
}

/** Returns whether any process of a group still runs. One that has ended may stay in the list of processes for a while. */
function isAlive(group: number): boolean {
  const states = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) =>
      statOf(name)
        .replace(/^.*\) /s, '')
        .split(' '),
    )
  return states.some(([state, , of]) => Number(of) === group && state !== 'Z')
}

/** Returns what the system says about a process, which may just have ended. */
function statOf(name: string): string {
  try {
    return readFileSync(`/proc/${name}/stat`, 'utf8')
  } catch {
    return ''
  }
}

test.each([
  ['the program', '/runtime/main.ts', 'SIGTERM'],
  ['the command', '/runtime/cli/commands/up.ts', 'SIGINT'],
  ['the rest, while the store opens', '/runtime/app/start.ts', 'SIGTERM'],
  ['the bundler, for the first import of a plugin', '/node_modules/esbuild/', 'SIGINT'],
] as const)('a process that is told to stop while it loads %s ends in order with 0, and the next one starts', async (_, at, signal) => {
  const { ended, printed, group } = await stoppedAt(at, signal)
  expect(ended, printed).toBe(0)
  expect(printed).not.toMatch(/listens on|error/i)
  // A child may end a moment later than its parent.
  await until(async () => !isAlive(group))
  const log: string[] = []
  await (await spawnTocsin('up', environment, log)).stop()
  expect(log).toEqual([])
})
