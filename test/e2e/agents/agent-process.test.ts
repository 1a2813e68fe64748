import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../../support/api/api-client.ts'
import { startApi } from '../../support/api/api-server.ts'
import { until } from '../../support/until.ts'

const main = fileURLToPath(new URL('../../../runtime/tocsin.js', import.meta.url))

test('`tocsin agent run` enrols, stays small, logs no token, and ends when it is told to', async () => {
  const api = await startApi()
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const admin = clientOf(api.app, api.admin)
  const { id, token } = (await admin('POST', '/platformapi/agents', { name: 'plant' })).body
  const { port } = api.app.server.address() as AddressInfo
  const key = join(mkdtempSync(join(tmpdir(), 'tocsin-agent-')), 'key.pem')
  const child: ChildProcess = spawn(process.execPath, [main, 'agent', 'run', '--url', `http://127.0.0.1:${port}`, '--key-file', key], {
    env: { PATH: process.env['PATH'], TOCSIN_AGENT_TOKEN: token, TOCSIN_AGENT_ALLOW: '127.0.0.1:1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let log = ''
  child.stderr?.on('data', (data) => {
    log += data
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await api.close()
  })
  await until(async () => (await admin('GET', `/platformapi/agents/${id}`)).body.state === 'online')
  expect((await admin('POST', `/platformapi/agents/${id}/check`, { host: '127.0.0.1', port: 1 })).body).toMatchObject({ ok: false, code: 'network' })
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(64 * 1024)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(log).toContain('"msg":"ECONNREFUSED","host":"127.0.0.1","port":1')
  expect(log).not.toContain(token)
})
