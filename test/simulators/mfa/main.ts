import { parseArgs } from 'node:util'
import { caFile, openPki } from '../pki.ts'
import { startMfaSimulator } from './index.ts'

/**
 * Runs the simulator as a process of its own: `node test/simulators/mfa/main.ts --pki <folder>
 * [--port 0] [--org-alias …] [--token …] [--key …] [--remember 0] [--strict] [--tied]`. Prints one
 * line of JSON, `{ url, idp_url, org_alias, token, use_base64_key, ca, pid }`, when it listens.
 * Ends on SIGINT or SIGTERM, and with `--tied` also when its standard input ends.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    pki: { type: 'string' },
    'org-alias': { type: 'string', default: '11111111-2222-3333-4444-555555555555' },
    token: { type: 'string', default: 'mfa-demo-token' },
    key: { type: 'string', default: Buffer.alloc(32, 'mfa demo key').toString('base64') },
    remember: { type: 'string', default: '0' },
    strict: { type: 'boolean', default: false },
    tied: { type: 'boolean', default: false },
  },
})
if (values.pki === undefined) {
  console.error('--pki <folder> is needed')
  process.exit(2)
}
const client = { orgAlias: values['org-alias'], token: values.token, key: values.key }
const { strict, pki, port, remember } = values
const simulator = await startMfaSimulator({ ...client, strict, pki: openPki(pki), port: Number(port), remember: Number(remember) })
const end = (): void => void simulator.close().then(() => process.exit(0))
process.on('SIGINT', end)
process.on('SIGTERM', end)
if (values.tied) process.stdin.on('end', end).on('error', end).resume()
const credentials = { idp_url: simulator.idpUrl, org_alias: client.orgAlias, token: client.token, use_base64_key: client.key }
console.log(JSON.stringify({ url: simulator.url, ...credentials, ca: caFile(values.pki), pid: process.pid }))
