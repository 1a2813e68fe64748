import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'undici'
import { expect, test } from 'vitest'
import { makePki, openPki } from './pki.ts'

async function get(host: string, ca: string): Promise<number | string> {
  const pki = makePki()
  const server = createServer({ key: pki.key, cert: pki.cert }, (_, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const agent = new Agent({ connect: { ca: ca === 'own' ? pki.ca : ca } })
  try {
    return (await request(`https://${host}:${(server.address() as AddressInfo).port}`, { dispatcher: agent })).statusCode
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  } finally {
    await agent.close()
    server.closeAllConnections()
    server.close()
  }
}

test('a client that trusts the authority reaches the server by address and by name', async () => {
  expect(await get('127.0.0.1', 'own')).toBe(200)
  expect(await get('localhost', 'own')).toBe(200)
})

test('a client that trusts another authority does not reach it', async () => {
  expect(await get('127.0.0.1', makePki().ca)).toMatch(/CERT|VERIFY/)
})

test('a folder keeps its PKI', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pki-'))
  try {
    expect(openPki(folder)).toEqual(openPki(folder))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
