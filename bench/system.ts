import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { caFile, openPki } from '../test/simulators/pki.ts'

/**
 * The system that runs call: `node bench/system.ts <pki folder>`. `GET /enrich?item=ID` reads an item, `POST /act` changes it. Runs as a separate
 * process, and ends when its standard input ends.
 */
const [folder = ''] = process.argv.slice(2)
const { key, cert } = openPki(folder)

const server = createServer({ key, cert, keepAliveTimeout: 120_000 }, async (message, response) => {
  const { pathname, searchParams } = new URL(message.url ?? '/', 'https://system')
  const send = (value: object): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  if (pathname === '/enrich') return send({ id: searchParams.get('item'), name: 'ada', risk: 7, tags: ['vip', 'remote'] })
  if (pathname === '/me') return send({ id: 'bench' })
  const body = await text(message)
  if (pathname !== '/act') return void response.writeHead(404).end('{}')
  send({ id: (JSON.parse(body) as { item: string }).item, done: true })
})
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  console.log(JSON.stringify({ url: `https://127.0.0.1:${port}`, ca: caFile(folder) }))
})
process.stdin.on('end', () => process.exit(0)).resume()
