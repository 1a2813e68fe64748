import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { flags } from '../../runtime/plugin/isolate/launch.ts'
import { until } from '../support/until.ts'

/**
 * Checks what an attacker who escapes from an isolate would find: the process that runs plugins'
 * code, seen from outside and tried from inside.
 */

const parentFile = fileURLToPath(new URL('../support/processes/isolate-parent.ts', import.meta.url))
const parents: ChildProcess[] = []
afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL')
})

/** Starts a process with a secret in its environment, and its isolate process with a running call. */
async function begin(): Promise<{ readonly parent: ChildProcess; readonly pid: number }> {
  const parent = spawn(process.execPath, [parentFile], {
    env: { ...process.env, TOCSIN_VAULT_KEY: 'kanarienvogel' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  parents.push(parent)
  if (!parent.stdout) throw new Error('no output')
  const [line] = (await once(createInterface(parent.stdout), 'line')) as [string]
  return { parent, pid: Number(line) }
}

/** Tells whether a process has ended. A zombie counts as ended. */
function ended(pid: number): boolean {
  return !existsSync(`/proc/${pid}`) || /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

describe.runIf(process.platform === 'linux')('the process of the isolates', () => {
  test('has no environment variables and no open file of its parent', async () => {
    const { pid } = await begin()
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter(Boolean)
      .map((entry) => entry.split('=')[0])
    expect(names.sort()).toEqual(['LC_ALL', 'NODE_CHANNEL_FD', 'NODE_CHANNEL_SERIALIZATION_MODE', 'TZ'])
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('kanarienvogel')
    const open = readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    expect(open.filter((target) => target.startsWith('/') && !/^\/(dev|proc)\//.test(target) && !target.includes('node_modules'))).toEqual([])
  })

  test('ends with its parent, however the parent ends', async () => {
    const { parent, pid } = await begin()
    expect(ended(pid)).toBe(false)
    parent.kill('SIGKILL')
    await until(async () => ended(pid))
  })
})

const attempts = {
  'read a file': "process.getBuiltinModule('fs').readFileSync('/etc/passwd')",
  'list a folder': "process.getBuiltinModule('fs').readdirSync('/tmp')",
  'read an environment by its file': "process.getBuiltinModule('fs').readFileSync('/proc/self/environ')",
  'write a file': "process.getBuiltinModule('fs').writeFileSync('/tmp/tocsin-written', 'x')",
  'start a program': "process.getBuiltinModule('child_process').spawnSync('true')",
  'start a thread': "new (process.getBuiltinModule('worker_threads').Worker)('0', { eval: true })",
  'open an inspector': "process.getBuiltinModule('inspector').open(0)",
}

test.each(Object.entries(attempts))('does not let code %s', async (_, code) => {
  const script = `try { ${code}; console.log('done') } catch ({ code }) { console.log(code) }`
  const { stdout } = await promisify(execFile)(process.execPath, [...flags(), '--eval', script], { env: {} })
  expect(stdout.trim()).toBe('ERR_ACCESS_DENIED')
})
