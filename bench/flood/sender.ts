import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../load.ts'

/**
 * `node bench/flood/sender.ts URL KEY ORGANIZATION CONNECTIONS ALERTS`: floods a Tocsin with alerts of the type `flood`. With `ALERTS` 0, each
 * connection posts its next alert when the run of its last one has ended, until standard input ends. Otherwise it posts that many alerts in
 * batches, without waiting for their runs. When the flood is there, it says so as one line of JSON.
 */
const [url = '', key = '', organization = '', connections = '', alerts = ''] = process.argv.slice(2)
/** How many alerts a request of a backlog has. */
const inRequest = 100
const load = new Load(url, key, Number(connections))
const alert = { alert_content: '{"title":"Flood"}', alert_provider: 'FLOOD', organization_code: organization, alert_type: 'flood' }
let stopped = false
process.stdin.on('end', () => {
  stopped = true
})
process.stdin.resume()

async function endlessly(): Promise<void> {
  while (!stopped) await load.call('POST', '/platformapi/alerts', alert, { prefer: 'wait=60' })
}

let left = Number(alerts)
async function inBatches(): Promise<void> {
  while (left > 0) {
    const some = Array.from({ length: Math.min(left, inRequest) }, () => alert)
    left -= some.length
    await load.call('POST', '/platformapi/alerts/batch', { alerts: some })
  }
}

const isBacklog = left > 0
const posting = Promise.all(Array.from({ length: Number(connections) }, isBacklog ? inBatches : endlessly))
await (isBacklog ? posting : sleep(500))
console.log('{}')
await posting
await load.close()
