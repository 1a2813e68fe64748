import { expect, test } from 'vitest'
import { processOver, records } from '../../../test/support/records.ts'
import { fine, read, tokenInstallation, url } from '../../../test/support/token-installation.ts'
import { compileText } from '../../expressions/index.ts'
import type { Deadline } from '../send/deadline.ts'
import { createSender } from '../send/way-out.ts'

test.each([
  [url, url],
  ['https://acme.my.example.com:8443', 'https://acme.my.example.com:8443'],
  ['https://other.my.example.com', 'https://other.my.example.com'],
  ['https://a--b.sandbox.my.example.com/', 'https://a--b.sandbox.my.example.com'],
])('requests go where the token answer says: %s', async (address, origin) => {
  const { system, egress, newProcess, send } = await tokenInstallation()
  system.says = { instance_url: address }
  expect(await send(newProcess())).toEqual(fine)
  expect(egress.sent.map((request) => request.url.origin)).toEqual([url, origin])
})

test.each([
  'https://my.example.com',
  'https://evilmy.example.com',
  'https://my.example.com.evil.example',
  'https://other.my.example.com:8443',
  'http://acme.my.example.com',
  'https://user@acme.my.example.com',
  'https://acme.my.example.com/path',
  'https://acme.my.example.com?x=1',
  'https://acme.my.example.com#x',
  'https://acme.my.example.com.',
  'nothing',
  '',
])('requests do not go to %s, whatever the token answer says', async (address) => {
  const { system, egress, newProcess, send } = await tokenInstallation()
  system.says = { instance_url: address }
  expect(await send(newProcess())).toEqual({
    effect: 'not_sent',
    code: 'derived_origin_refused',
    message: expect.stringContaining(url),
    remedy: expect.stringContaining('Instance URL'),
  })
  expect(egress.sent).toHaveLength(1)
})

test('a secret across the end of what is shown of such an address leaves no part behind', async () => {
  const { system, newProcess, send } = await tokenInstallation()
  const start = 'https://evil.example/'
  system.says = { instance_url: `${start}${'x'.repeat(190 - start.length)}${system.clientSecret}` }
  const result = await send(newProcess())
  expect(result).toMatchObject({ code: 'derived_origin_refused', message: expect.stringContaining('xx[secret]') })
  expect(JSON.stringify(result)).not.toContain(system.clientSecret.slice(0, 5))
})

test.each([{ token_type: 'mac' }, { token_type: 7 }, { access_token: 'a b' }, { access_token: 5 }, { access_token: 'x'.repeat(20_000) }])(
  'a token answer with %j gives no token, and is not shown',
  async (says) => {
    const { system, egress, newProcess, send } = await tokenInstallation()
    system.says = says
    const result = await send(newProcess())
    expect(result).toMatchObject({ effect: 'not_sent', code: 'answer_not_understood', message: expect.stringMatching(/token/) })
    expect(JSON.stringify(result)).not.toMatch(/kanarienvogel|a b|xxx/)
    expect(egress.sent).toHaveLength(1)
  },
)

test('no answer contains the token or the client secret', async () => {
  const { system, newProcess, send } = await tokenInstallation()
  const result = await send(newProcess())
  expect(result).toMatchObject({ answer: { body: { echo: '[secret]', secret: '[secret]', path: '/data/v1/records/1' } } })
  const text = JSON.stringify(result)
  expect(text).not.toContain('kanarienvogel')
  expect(text).not.toContain(Buffer.from(system.clientSecret).toString('base64').slice(4, -4))
})

test("a token is requested from the connection's own origins only", async () => {
  const { clock, store, egress, connection } = await tokenInstallation()
  const token = records.manifest.token && { ...records.manifest.token, url: compileText('https://elsewhere.example/oauth2/token') }
  const plugin = { ...records, manifest: { ...records.manifest, token } }
  const deadline: Deadline = { timeout: 30_000, sendBy: null, signal: new AbortController().signal }
  const result = await createSender(processOver(store, egress, clock), { plugin, connection, lane: 'run', deadline }).send(read)
  expect(result).toMatchObject({ effect: 'not_sent', code: 'egress_refused', message: expect.stringContaining('elsewhere.example') })
  expect(egress.sent).toEqual([])
})
