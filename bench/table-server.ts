import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { caFile, openPki } from '../test/simulators/pki.ts'

/** A system that generates a table while it sends it: `node bench/table-server.ts <pki folder>`. Runs as a separate process, and ends when its standard input ends. */
const [folder = ''] = process.argv.slice(2)
const { key, cert } = openPki(folder)
const names = [
  'EVENT_TYPE',
  'TIMESTAMP',
  'REQUEST_ID',
  'ORGANIZATION_ID',
  'USER_ID',
  'RUN_TIME',
  'CPU_TIME',
  'URI',
  'SESSION_KEY',
  'LOGIN_KEY',
  'CLIENT_IP',
]

function valuesOf(row: number): readonly string[] {
  const user = `user-${String(row % 100_000).padStart(8, '0')}`
  const id = row.toString(36).padStart(16, '0')
  const ip = `10.${(row >> 16) & 255}.${(row >> 8) & 255}.${row & 255}`
  return [
    'URI',
    '20250102030405.678',
    `4exLFBo${id}`,
    '00D000000000001',
    user,
    '42',
    '7',
    `/lightning/r/Account/${id}/view`,
    `AbC+${id}=`,
    `dEf/${id}`,
    ip,
  ]
}

/** Yields the table in parts of about 64 KiB. */
function* table(megabytes: number, format: string | null): Generator<Buffer> {
  let left = megabytes * 1024 * 1024
  let text = format === 'csv' ? `${names.map((name) => `"${name}"`).join(',')}\n` : ''
  for (let row = 0; left > 0; row += 1) {
    const values = valuesOf(row)
    const line = format === 'csv' ? `"${values.join('","')}"` : JSON.stringify(Object.fromEntries(names.map((name, at) => [name, values[at]])))
    text += `${line}\n`
    if (text.length < 64 * 1024) continue
    const part = Buffer.from(text)
    left -= part.length
    text = ''
    yield part
  }
}

const server = createServer({ key, cert }, (message, response) => {
  const { searchParams } = new URL(message.url ?? '/', 'https://table')
  const format = searchParams.get('format')
  response.writeHead(200, { 'content-type': format === 'csv' ? 'text/csv' : 'application/x-ndjson' })
  pipeline(Readable.from(table(Number(searchParams.get('megabytes')), format)), response).catch(() => {})
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `https://127.0.0.1:${port}`, ca: caFile(folder) }))
})
process.stdin.on('end', () => process.exit(0)).resume()
