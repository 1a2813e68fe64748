import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { caFile, openPki } from '../../test/simulators/pki.ts'

/**
 * A system behind a remote agent: `node bench/agents/system.ts <pki folder>`. `/short` is 1 KB of JSON, `/log?megabytes=N` a file of that size.
 * Runs as a separate process, and ends when its standard input ends.
 */
const [folder = ''] = process.argv.slice(2)
const { key, cert } = openPki(folder)
const short = JSON.stringify({ id: 1, name: 'ada', note: 'x'.repeat(1_000) })
const part = Buffer.alloc(64 * 1024, 'a line of a log file\n')

function* log(megabytes: number): Generator<Buffer> {
  for (let left = megabytes * 1024 * 1024; left > 0; left -= part.length) yield part
}

const server = createServer({ key, cert, keepAliveTimeout: 120_000 }, (message, response) => {
  const { pathname, searchParams } = new URL(message.url ?? '/', 'https://system')
  if (pathname === '/short') return void response.writeHead(200, { 'content-type': 'application/json' }).end(short)
  response.writeHead(200, { 'content-type': 'text/plain' })
  pipeline(Readable.from(log(Number(searchParams.get('megabytes')))), response).catch(() => {})
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `https://127.0.0.1:${port}`, ca: caFile(folder) }))
})
process.stdin.on('end', () => process.exit(0)).resume()
