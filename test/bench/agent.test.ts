import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startAgent } from '../../bench/agents/agent.ts'

const folder = mkdtempSync(join(tmpdir(), 'tocsin-agent-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ground = { token: 'token', system: 'https://127.0.0.1:1', keyFile: join(folder, 'key.pem') }

test('an agent that cannot connect is an error that has the agent’s own words', async () => {
  const server = createServer((_request, response) => response.writeHead(404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await expect(startAgent({ ...ground, url })).rejects.toThrow(/could not connect to the platform.*404/)
  await new Promise((resolve) => server.close(resolve))
})

test('an agent that ends at once is an error that has the agent’s own words', async () => {
  await expect(startAgent({ ...ground, url: 'no address' })).rejects.toThrow(/did not connect\. It said: .*no address/)
})
