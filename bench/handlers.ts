import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { processorTimeOf } from '../runtime/subprocess/processor-time.ts'
import { spawnTocsin } from '../test/support/processes/tocsin-process.ts'
import { type AgentProcess, startAgent } from './agents/agent.ts'
import { Load } from './load.ts'
import { startChild } from './table/child.ts'

/**
 * `node bench/handlers.ts [--megabytes 500] [--agent]`: measures the cost of a handler call, and the time, the processor time and the memory of a call that
 * reads a table of this size. Processor time and memory are those of the runtime and its child processes together. Memory is counted without their
 * use after a small call. With `--agent`, all calls go through a remote agent. Linux only.
 */
const { values } = parseArgs({ options: { megabytes: { type: 'string', default: '500' }, agent: { type: 'boolean', default: false } } })
const megabytes = Number(values.megabytes)

/** Returns the resident memory of a process, in MiB. */
function resident(pid: number): number {
  try {
    const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
    return Number(found?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** Returns the peak memory of a process and its children during the work. */
async function watched<T>(pid: number, act: () => Promise<T>): Promise<{ readonly value: T; readonly most: number; readonly parts: string }> {
  let most = 0
  let parts = ''
  const look = (): void => {
    const all = [pid, ...childrenOf(pid)].map(resident)
    const sum = all.reduce((one, other) => one + other, 0)
    if (sum <= most) return
    most = sum
    parts = all.map((each) => each.toFixed(0)).join(' + ')
  }
  const timer = setInterval(look, 50)
  try {
    return { value: await act(), most, parts }
  } finally {
    clearInterval(timer)
  }
}

/** Returns the processor time of a process and its children so far, in milliseconds. */
function processorTime(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, one) => sum + (processorTimeOf(one) ?? 0), 0)
}

const folder = mkdtempSync(join(tmpdir(), 'tocsin-bench-'))
// An empty folder: this benchmark needs no playbook, and the project's own use integrations that are not loaded here.
const playbooks = join(folder, 'playbooks')
mkdirSync(playbooks)
const server = await startChild<{ readonly url: string; readonly ca: string }>(fileURLToPath(new URL('table-server.ts', import.meta.url)), [folder])
const { url, ca } = server.told
const key = `bench-${randomBytes(24).toString('hex')}`
const tocsin = await spawnTocsin('up', {
  TOCSIN_DATA: join(folder, 'data'),
  TOCSIN_ADMIN_KEY: key,
  TOCSIN_PLUGINS: fileURLToPath(new URL('plugins', import.meta.url)),
  TOCSIN_PLAYBOOKS: playbooks,
  TOCSIN_CA_FILE: ca,
  TOCSIN_EGRESS_ALLOW: '127.0.0.1',
  TOCSIN_LOG_LEVEL: 'warn',
  MONGODB_URL: '',
  REDIS_URL: '',
})
const pid = tocsin.child.pid ?? 0
const load = new Load(tocsin.url, key, 16)
let agent: AgentProcess | null = null
const say = (measure: string, value: string): void => console.log(`  ${measure.padEnd(62)} ${value}`)
try {
  const credentials = { base_url: url, api_token: 'token' }
  if (values.agent) {
    const { token } = (await load.call('POST', '/platformapi/agents', { name: 'bench' })) as { token: string }
    agent = await startAgent({ url: tocsin.url, token, system: url, keyFile: join(folder, 'agent.pem') })
  }
  const connection = { instance: 'table', integration: 'table', credentials, ...(values.agent && { remote_agent: 'bench' }) }
  const { id } = (await load.call('POST', '/platformapi/connections', connection)) as { id: string }
  const skill = async (name: string, input: object = {}): Promise<{ readonly output: { readonly rows: number } }> => {
    const result = (await load.call('POST', `/platformapi/connections/${id}/skills/table.${name}`, { input })) as {
      ok: boolean
      output: { rows: number }
    }
    if (!result.ok) throw new Error(JSON.stringify(result))
    return result
  }
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const at = performance.now()
    await act()
    return performance.now() - at
  }
  const idle = resident(pid)
  say('the first call of a process', `${(await timed(() => skill('nothing'))).toFixed(0)} ms`)
  for (let call = 0; call < 50; call += 1) await skill('nothing')
  const times: number[] = []
  for (let call = 0; call < 200; call += 1) times.push(await timed(() => skill('nothing')))
  times.sort((a, b) => a - b)
  say('a call, one at a time, over the API, median', `${(times[100] ?? 0).toFixed(1)} ms (95 %: ${(times[190] ?? 0).toFixed(1)} ms)`)
  const thousand = await timed(() => Promise.all(Array.from({ length: 16 }, () => repeated(63, () => skill('nothing')))))
  say(
    'the runtime, and the process of the isolates after these',
    `${idle.toFixed(0)} MB at first, ${[pid, ...childrenOf(pid)].map((one) => resident(one).toFixed(0)).join(' + ')} MB`,
  )
  say('1,008 calls, 16 at a time', `${thousand.toFixed(0)} ms`)
  for (const name of ['write_declared', 'write_code']) {
    const write = (call: number): Promise<unknown> => skill(name, { id: `thing-${call}` })
    for (let call = 0; call < 50; call += 1) await write(call)
    const used = processorTime(pid)
    const writes: number[] = []
    for (let call = 0; call < 500; call += 1) writes.push(await timed(() => write(call)))
    const processor = (processorTime(pid) - used) / writes.length
    say(
      `${name}: a write, over the API, median`,
      `${(writes.sort((a, b) => a - b)[250] ?? 0).toFixed(1)} ms, ${processor.toFixed(1)} ms of processor time`,
    )
  }
  for (const format of ['csv', 'jsonl'] as const) {
    await skill('pick_rows', { megabytes: 5, format })
    const before = await watched(pid, () => new Promise((resolve) => setTimeout(resolve, 500)))
    const [at, used] = [performance.now(), processorTime(pid)]
    const { value, most, parts } = await watched(pid, () => skill('pick_rows', { megabytes, format }))
    const seconds = (performance.now() - at) / 1_000
    const processor = (processorTime(pid) - used) / 1_000
    say(`${megabytes} MB of ${format}, ${value.output.rows} rows`, `${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s`)
    say('  processor time, runtime and isolates together', `${processor.toFixed(1)} s, ${(megabytes / processor).toFixed(0)} MB/s`)
    say(
      '  extra memory, runtime and isolates together',
      `${(most - before.most).toFixed(0)} MB (${before.parts} before, ${parts} at most, runtime + isolates)`,
    )
  }
} finally {
  await agent?.stop()
  await load.close()
  await tocsin.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function repeated(times: number, act: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time += 1) await act()
}
