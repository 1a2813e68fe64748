import { parseArgs } from 'node:util'
import { caFile, openPki } from '../pki.ts'
import { startCrmSimulator } from './index.ts'

/**
 * Runs the simulator as a process of its own: `node test/simulators/crm/main.ts --pki <folder>
 * [--port 0] [--client-id …] [--client-secret …] [--contacts 60] [--audit-entries 120] [--log-size
 * <bytes>] [--remember 0] [--tied]`. Prints one line of JSON, `{ url, client_id, client_secret, ca,
 * pid }`, when it listens. Ends on SIGINT or SIGTERM, and with `--tied` also when its standard
 * input ends.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    pki: { type: 'string' },
    'client-id': { type: 'string', default: 'crm-demo-consumer-key' },
    'client-secret': { type: 'string', default: 'crm-demo-consumer-secret' },
    contacts: { type: 'string', default: '60' },
    'audit-entries': { type: 'string', default: '120' },
    'log-size': { type: 'string' },
    remember: { type: 'string', default: '0' },
    tied: { type: 'boolean', default: false },
  },
})
if (values.pki === undefined) {
  console.error('--pki <folder> is needed')
  process.exit(2)
}
const client = { clientId: values['client-id'], clientSecret: values['client-secret'] }
const simulator = await startCrmSimulator({
  ...client,
  pki: openPki(values.pki),
  port: Number(values.port),
  contacts: Number(values.contacts),
  auditEntries: Number(values['audit-entries']),
  remember: Number(values.remember),
})
if (values['log-size'] !== undefined) simulator.behave({ logSize: Number(values['log-size']) })
const end = (): void => void simulator.close().then(() => process.exit(0))
process.on('SIGINT', end)
process.on('SIGTERM', end)
if (values.tied) process.stdin.on('end', end).on('error', end).resume()
const credentials = { client_id: client.clientId, client_secret: client.clientSecret }
console.log(JSON.stringify({ url: simulator.url, ...credentials, ca: caFile(values.pki), pid: process.pid }))
