import { parseArgs } from 'node:util'
import { caFile, openPki } from '../pki.ts'
import { startMailsecSimulator } from './index.ts'
import { type Role, roles } from './vocabulary.ts'

/**
 * Runs the simulator as a process of its own: `node test/simulators/mailsec/main.ts --pki <folder>
 * [--port 0] [--token …] [--role …] [--issues 60] [--remember 0] [--tied]`. Prints one line of
 * JSON, `{ url, ca, token, pid }`, when it listens. Ends on SIGINT or SIGTERM. With `--tied` it
 * also ends when its standard input ends, so it does not outlive the process at the other end of
 * that pipe.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    pki: { type: 'string' },
    token: { type: 'string', default: 'mailsec-demo-token' },
    role: { type: 'string', default: 'issue_responder' },
    issues: { type: 'string', default: '60' },
    remember: { type: 'string', default: '0' },
    tied: { type: 'boolean', default: false },
  },
})
const role = roles.find((known): known is Role => known === values.role)
if (values.pki === undefined || !role) {
  console.error(`--pki <folder> is needed; --role is one of ${roles.join(', ')}`)
  process.exit(2)
}
const simulator = await startMailsecSimulator({
  pki: openPki(values.pki),
  token: values.token,
  role,
  port: Number(values.port),
  issues: Number(values.issues),
  remember: Number(values.remember),
})
const end = (): void => void simulator.close().then(() => process.exit(0))
process.on('SIGINT', end)
process.on('SIGTERM', end)
if (values.tied) process.stdin.on('end', end).on('error', end).resume()
console.log(JSON.stringify({ url: simulator.url, ca: caFile(values.pki), token: values.token, pid: process.pid }))
