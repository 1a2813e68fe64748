import { parseArgs } from 'node:util'
import { caFile, openPki } from '../pki.ts'
import { startBrowserSimulator } from './index.ts'
import { type Level, levels } from './vocabulary.ts'

/**
 * Runs the simulator as a process of its own: `node test/simulators/browser/main.ts --pki <folder>
 * [--port 0] [--key …] [--level …] [--api-path /api/v1] [--accounts 60] [--remember 0] [--strict]
 * [--tied]`. Prints one line of JSON, `{ url, ca, key, pid }`, when it listens. Ends on SIGINT or
 * SIGTERM. With `--tied` it also ends when its standard input ends, so it does not outlive the
 * process at the other end of that pipe.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    pki: { type: 'string' },
    key: { type: 'string', default: 'browser-demo-key' },
    level: { type: 'string', default: 'full_access' },
    'api-path': { type: 'string', default: '/api/v1' },
    accounts: { type: 'string', default: '60' },
    remember: { type: 'string', default: '0' },
    strict: { type: 'boolean', default: false },
    tied: { type: 'boolean', default: false },
  },
})
const level = levels.find((known): known is Level => known === values.level)
const apiPath = (['/api/v1', '/v1'] as const).find((known) => known === values['api-path'])
if (values.pki === undefined || !level || !apiPath) {
  console.error(`--pki <folder> is needed; --level is one of ${levels.join(', ')}; --api-path is /api/v1 or /v1`)
  process.exit(2)
}
const simulator = await startBrowserSimulator({
  pki: openPki(values.pki),
  key: values.key,
  level,
  apiPath,
  port: Number(values.port),
  accounts: Number(values.accounts),
  remember: Number(values.remember),
  strict: values.strict,
})
const end = (): void => void simulator.close().then(() => process.exit(0))
process.on('SIGINT', end)
process.on('SIGTERM', end)
if (values.tied) process.stdin.on('end', end).on('error', end).resume()
console.log(JSON.stringify({ url: simulator.url, ca: caFile(values.pki), key: values.key, pid: process.pid }))
