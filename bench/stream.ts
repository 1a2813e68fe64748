import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { loadPluginFolder } from '../runtime/plugin/index.ts'
import { crmHost } from '../test/plugins/crm-host.ts'
import { pluginsFolder } from '../test/plugins/fixtures.ts'
import { startCrmSimulator } from '../test/simulators/crm/index.ts'
import { makePki } from '../test/simulators/pki.ts'

/**
 * `node bench/stream.ts [--mebibytes 500] [--from <url> --ca <file>]`: reads an event log file of the simulated CRM platform by its skill, keeps
 * a few rows, and prints how much memory this process and that of the isolates took while it did. Without `--from` the simulator runs in this
 * process and its memory is counted too.
 */
const { values } = parseArgs({ options: { mebibytes: { type: 'string', default: '500' }, from: { type: 'string' }, ca: { type: 'string' } } })
const bytes = Number(values.mebibytes) * 1024 ** 2
const client = { clientId: 'crm-demo-consumer-key', clientSecret: 'crm-demo-consumer-secret' }
const pki = makePki()
const simulator = values.from === undefined ? await startCrmSimulator({ pki, ...client, remember: 0 }) : null
simulator?.behave({ logSize: bytes })
const url = values.from ?? simulator?.url ?? ''
const plugin = await loadPluginFolder(join(pluginsFolder, 'crm'))
const host = await crmHost(plugin, values.ca === undefined ? pki.ca : readFileSync(values.ca, 'utf8'), { instanceUrl: url, ...client }, Date.now())

function statusOf(pid: number, name: string): number {
  try {
    return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** Mebibytes of this process, and of the largest one that it started. */
function resident(): readonly [own: number, isolates: number] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statusOf(Number(name), 'PPid') === process.pid)
    .map((name) => statusOf(Number(name), 'VmRSS'))
  return [statusOf(process.pid, 'VmRSS') / 1024, Math.max(0, ...children) / 1024]
}

const ask = (where: Readonly<Record<string, string>>) =>
  host.call('get_crm_event_log_files', { event_types: ['Login'], max_files: 1, max_rows: 10, where })
await ask({})
const [own, isolates] = resident()
const peak = [own, isolates]
const watch = setInterval(() => {
  for (const [at, now] of resident().entries()) peak[at] = Math.max(peak[at] ?? 0, now)
}, 100)
const began = performance.now()
const result = await ask({ REQUEST_ID: 'none' })
clearInterval(watch)
if (!result.ok) throw new Error(result.failure.message)
const took = (performance.now() - began) / 1000
console.log(`${values.mebibytes} MiB in ${took.toFixed(1)} s, ${(bytes / 1024 ** 2 / took).toFixed(1)} MiB/s`)
console.log(
  `this process ${own.toFixed(0)} -> at most ${(peak[0] ?? 0).toFixed(0)} MiB, isolates ${isolates.toFixed(0)} -> at most ${(peak[1] ?? 0).toFixed(0)} MiB`,
)
process.exit(0)
