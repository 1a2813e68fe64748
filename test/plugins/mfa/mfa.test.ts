import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { compileCondition } from '../../../runtime/expressions/index.ts'
import {
  type CallResult,
  callProbe,
  callSkill,
  checkCredentials,
  type HandlerHost,
  loadPluginFolder,
  originFields,
  type Plugin,
} from '../../../runtime/plugin/index.ts'
import { type MfaSimulator, startMfaSimulator } from '../../simulators/mfa/index.ts'
import { makePki } from '../../simulators/pki.ts'
import { pluginsFolder } from '../fixtures.ts'
import { mfaHost } from './host.ts'

/** Runs the mfa plugin against the strict simulator, with sealed secrets, real signatures and real HTTPS. */
const pki = makePki()
const client = { orgAlias: 'acme-alias', token: 'canary-token-5f1', key: Buffer.from('canary signing key of 32 bytes!!').toString('base64') }
type Closing = HandlerHost & { close(): Promise<void> }
let plugin: Plugin
let simulator: MfaSimulator
let host: Closing

beforeAll(async () => {
  plugin = await loadPluginFolder(join(pluginsFolder, 'mfa'))
  simulator = await startMfaSimulator({ pki, ...client, strict: true })
  host = mfaHost(plugin, pki.ca, { ...client, idpUrl: simulator.idpUrl })
})
beforeEach(() => {
  simulator.faults.clear()
  simulator.reset()
})
afterAll(async () => {
  await host.close()
  await simulator.close()
})

async function call(id: string, input: Json, from: HandlerHost = host): Promise<CallResult> {
  const skill = plugin.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  const checked = skill.checkInput(input)
  if (checked.faults.length > 0) throw new Error(checked.faults.join('; '))
  return callSkill(plugin, skill, checked.input, from)
}

// biome-ignore lint/suspicious/noExplicitAny: outputs of many shapes
async function output(id: string, input: Json): Promise<any> {
  const result = await call(id, input)
  if (!result.ok) throw new Error(`${result.failure.code}: ${result.failure.message}`)
  return result.output
}

async function calledAs(changes: Partial<typeof client & { idpUrl: string }>, id: string, input: Json): Promise<CallResult> {
  const other = mfaHost(plugin, pki.ca, { ...client, idpUrl: simulator.idpUrl, ...changes })
  try {
    return await call(id, input, other)
  } finally {
    await other.close()
  }
}

const ada = { username: 'ada.lovelace@acme.example' }
const alan = { username: 'alan.turing@acme.example' }
const grace = { username: 'grace.hopper@acme.example' }
const read = (): Promise<CallResult> => call('get_mfa_user_details', ada)
const write = (): Promise<CallResult> => call('suspend_mfa_user', ada)

describe('skills', () => {
  test.each(['wrapped', 'bare', 'plain'] as const)("a user's details are read, with the vendor's ids, from an answer that is %s", async (form) => {
    simulator.answerAs(form)
    expect(await output('get_mfa_user_details', ada)).toMatchObject({
      userName: ada.username,
      status: 'ACTIVE',
      bypass: 'disabled',
      devices: [{ deviceId: '64498', nickname: 'Phone of Ada' }],
      errorId: 200,
      errorMsg: 'ok',
      uniqueMsgId: expect.stringMatching(/^webs_/),
    })
  })

  test('device ids beyond 2^53 are read and sent exactly', async () => {
    const { devices } = await output('get_mfa_user_details', alan)
    expect(devices.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(['12345678901234567890', '12345678901234567891'])
    await output('unpair_mfa_device', { ...alan, device_id: devices[1].deviceId })
    expect(simulator.user(alan.username)?.devices.map(({ deviceId }) => deviceId)).toEqual([12345678901234567890n])
  })

  test('a user without devices has an empty list', async () => {
    expect((await output('get_mfa_user_details', { username: 'mary.jackson@acme.example' })).devices).toEqual([])
  })

  test('a user is suspended and activated', async () => {
    expect(await output('suspend_mfa_user', ada)).toMatchObject({ errorId: 200, uniqueMsgId: expect.any(String) })
    expect(simulator.user(ada.username)?.status).toBe('SUSPENDED')
    await output('activate_mfa_user', ada)
    expect(simulator.user(ada.username)?.status).toBe('ACTIVE')
  })

  test('activating an active user is a success, and activation codes are not shown', async () => {
    expect(await output('activate_mfa_user', ada)).toMatchObject({ errorId: 10562 })
    const pending = await output('activate_mfa_user', { username: 'mary.jackson@acme.example' })
    expect(JSON.stringify(pending)).not.toContain('123456789012')
  })

  test('unpairing needs a device id or all_devices', async () => {
    const faults = (input: Json): readonly string[] => plugin.skills.get('unpair_mfa_device')?.checkInput(input).faults ?? []
    expect(faults(alan)).toEqual(['device_id is missing'])
    expect(faults({ ...alan, all_devices: false })).not.toEqual([])
    expect(faults({ ...alan, all_devices: true, device_id: '1' })).not.toEqual([])
    expect(faults({ ...alan, device_id: '' })).not.toEqual([])
    await output('unpair_mfa_device', { ...alan, all_devices: true })
    expect(simulator.user(alan.username)?.devices).toEqual([])
  })

  test('a bypass is set until the given end, and removed', async () => {
    const until = Date.UTC(2026, 9, 1, 13)
    const wanted = { ...ada, bypass: 'enabled', until }
    await output('toggle_mfa_user_bypass', wanted)
    await output('toggle_mfa_user_bypass', wanted)
    expect(simulator.user(ada.username)?.bypassUntil).toBe(until)
    expect(await output('get_mfa_user_details', ada)).toMatchObject({ bypass: 'enabled', bypassUntil: until })
    await output('toggle_mfa_user_bypass', { ...ada, bypass: 'disabled' })
    expect(simulator.user(ada.username)?.bypassUntil).toBeNull()
    expect(await output('get_mfa_user_details', ada)).toMatchObject({ bypass: 'disabled' })
  })

  test('a bypass whose end has passed is disabled', async () => {
    await output('toggle_mfa_user_bypass', { ...ada, bypass: 'enabled', until: Date.UTC(2026, 8, 30) })
    expect(await output('get_mfa_user_details', ada)).toMatchObject({ bypass: 'disabled', bypassUntil: Date.UTC(2026, 8, 30) })
  })

  test('an enabled bypass needs an end in milliseconds, and a disabled one may not have one', () => {
    const faults = (input: Json): readonly string[] => plugin.skills.get('toggle_mfa_user_bypass')?.checkInput(input).faults ?? []
    expect(faults({ ...ada, bypass: 'enabled' })).not.toEqual([])
    expect(faults({ ...ada, bypass: 'enabled', until: 1_790_859_600 })).not.toEqual([])
    expect(faults({ ...ada, bypass: 'disabled', until: 1_790_859_600_000 })).not.toEqual([])
    expect(faults(ada)).not.toEqual([])
  })
})

describe('probes of writes in doubt', () => {
  const until = Date.UTC(2026, 9, 1, 13)
  test.each<[string, Json, boolean, (() => Promise<unknown>)?]>([
    ['suspend_mfa_user', ada, false],
    ['suspend_mfa_user', grace, true],
    ['suspend_mfa_user', { username: 'mary.jackson@acme.example' }, false],
    ['activate_mfa_user', ada, true],
    ['activate_mfa_user', grace, false],
    ['unpair_mfa_device', { ...alan, device_id: '12345678901234567890' }, false],
    ['unpair_mfa_device', { ...alan, device_id: '12345678901234567892' }, true],
    ['unpair_mfa_device', { ...alan, all_devices: true }, false],
    ['unpair_mfa_device', { username: 'mary.jackson@acme.example', all_devices: true }, true],
    ['toggle_mfa_user_bypass', { ...ada, bypass: 'disabled', until: null }, true],
    ['toggle_mfa_user_bypass', { ...ada, bypass: 'enabled', until }, false],
    [
      'toggle_mfa_user_bypass',
      { ...ada, bypass: 'enabled', until },
      true,
      () => output('toggle_mfa_user_bypass', { ...ada, bypass: 'enabled', until }),
    ],
    [
      'toggle_mfa_user_bypass',
      { ...ada, bypass: 'enabled', until },
      false,
      () => output('toggle_mfa_user_bypass', { ...ada, bypass: 'enabled', until: until + 1 }),
    ],
  ])('%s %j happened: %s', async (id, input, happened, before) => {
    await before?.()
    const { username } = input as { username: string }
    const verify = plugin.skills.get(id)?.document.verify
    expect(compileCondition(verify?.happened ?? null).test({ input, output: await output('get_mfa_user_details', { username }) })).toBe(happened)
  })
})

describe('errors', () => {
  test("the provider's message, errorId and uniqueMsgId are kept", async () => {
    expect(await call('get_mfa_user_details', { username: 'nobody' })).toMatchObject({
      effect: 'refused',
      failure: {
        code: 'user_not_found',
        message: expect.stringContaining('User does not exist'),
        vendor: { status: 400, code: 10564, request_id: expect.stringMatching(/^webs_/) },
      },
    })
  })

  test('an error in plain JSON instead of a JWS is understood', async () => {
    simulator.fail({ failure: 'plain_error' })
    expect(await read()).toMatchObject({ failure: { code: 'user_not_found', vendor: { code: 10564, request_id: 'webs_plain' } } })
  })

  test('suspending an inactive user gives user_not_active', async () => {
    expect(await call('suspend_mfa_user', grace)).toMatchObject({ effect: 'refused', failure: { code: 'user_not_active' } })
  })

  test('a wrong token or org_alias gives credentials_rejected', async () => {
    expect(await calledAs({ token: 'wrong' }, 'suspend_mfa_user', ada)).toMatchObject({
      effect: 'refused',
      failure: { code: 'credentials_rejected' },
    })
    expect(await calledAs({ orgAlias: 'other' }, 'suspend_mfa_user', ada)).toMatchObject({ failure: { code: 'credentials_rejected' } })
  })

  test('a wrong key gives a signature error, from the provider or from the check of its answer', async () => {
    const key = Buffer.alloc(32, 3).toString('base64')
    expect(await calledAs({ key }, 'get_mfa_user_details', ada)).toMatchObject({ failure: { code: 'answer_signature_invalid' } })
    simulator.answerAs('plain')
    expect(await calledAs({ key }, 'suspend_mfa_user', ada)).toMatchObject({ effect: 'refused', failure: { code: 'signature_rejected' } })
    expect(simulator.user(ada.username)?.status).toBe('ACTIVE')
  })

  test('an answer with a wrong signature leaves a write in doubt', async () => {
    simulator.answerAs('wrong_signature')
    expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'answer_signature_invalid' } })
    expect(await read()).toMatchObject({ effect: 'refused', failure: { code: 'answer_signature_invalid' } })
  })

  test('an answer that is signed for another organization leaves a write in doubt', async () => {
    simulator.answerAs('other_organization')
    expect(await write()).toMatchObject({
      effect: 'unknown',
      failure: { code: 'answer_signature_invalid', message: expect.stringContaining('a client other than') },
    })
    expect(await read()).toMatchObject({ effect: 'refused', failure: { code: 'answer_signature_invalid' } })
  })

  test('an unsigned success leaves a write in doubt, and an unsigned error is accepted', async () => {
    simulator.answerAs('plain')
    expect(await write()).toMatchObject({ effect: 'unknown', failure: { code: 'answer_not_signed', vendor: { status: 200 } } })
    expect(await call('suspend_mfa_user', { username: 'nobody' })).toMatchObject({ effect: 'refused', failure: { code: 'user_not_found' } })
    // Nothing proves that a read's answer is genuine. It is passed on with a warning.
    expect(await read()).toMatchObject({ ok: true, unsigned: true, warnings: [expect.stringContaining('not signed')] })
  })

  test('an unsigned answer that a write was done before leaves it in doubt', async () => {
    expect(await write()).toMatchObject({ ok: true })
    simulator.answerAs('plain')
    expect(await call('activate_mfa_user', ada)).toMatchObject({ effect: 'unknown', failure: { code: 'answer_not_signed' } })
    const again = await call('activate_mfa_user', ada)
    expect(again).toMatchObject({ ok: false })
  })

  test('an idp_url with a wrong path gives endpoint_not_found, and one where nothing listens gives network', async () => {
    expect(await calledAs({ idpUrl: `${simulator.url}/other` }, 'get_mfa_user_details', ada)).toMatchObject({
      failure: { code: 'endpoint_not_found' },
    })
    expect(await calledAs({ idpUrl: 'https://127.0.0.1:1/pingid' }, 'suspend_mfa_user', ada)).toMatchObject({
      effect: 'not_sent',
      failure: { code: 'network' },
    })
  })

  test('a denied permission gives access_refused', async () => {
    simulator.fail({ failure: 'permission_denied' })
    expect(await write()).toMatchObject({ effect: 'refused', failure: { code: 'access_refused', vendor: { request_id: 'webs_denied' } } })
  })

  test('too many requests give rate_limited, with the requested wait', async () => {
    simulator.fail({ failure: 'rate_limited', retryAfter: 7 })
    expect(await read()).toMatchObject({ failure: { code: 'rate_limited', retryAfter: 7 } })
  })

  test.each([
    ['transaction_failed', 'transaction_failed'],
    ['server_error', 'vendor_unavailable'],
    ['server_error_after_effect', 'vendor_unavailable'],
    ['no_error_id', 'answer_not_understood'],
    ['html', 'answer_not_understood'],
    ['cut_after_effect', 'network'],
    ['cut_in_body', 'network'],
  ] as const)('%s leaves a write in doubt', async (failure, code) => {
    simulator.fail({ failure })
    expect(await write()).toMatchObject({ effect: 'unknown', failure: { code } })
  })
})

describe('the connection', () => {
  const good = { idp_url: 'https://idpxnyl3m.pingidentity.com/pingid', org_alias: client.orgAlias, token: client.token, use_base64_key: client.key }

  test('the four values of a properties file are accepted', () => {
    expect(checkCredentials(plugin.manifest.document, good)).toMatchObject({
      ok: true,
      fields: { idp_url: good.idp_url, org_alias: good.org_alias },
      secrets: { token: good.token, use_base64_key: good.use_base64_key },
    })
  })

  test.each<[string, string, RegExp]>([
    ['idp_url', '', /missing/],
    ['org_alias', '', /missing/],
    ['token', '', /missing/],
    ['use_base64_key', '', /missing/],
    ['idp_url', 'https://idpxnyl3m.pingidentity.com', /path is missing/],
    ['idp_url', 'https://idpxnyl3m.pingidentity.com/', /path is missing/],
    ['idp_url', 'https://authenticator.pingone.com/pingid/ppm', /authenticator_url/],
    ['idp_url', 'https://admin.pingone.com/web-portal/login', /admin_url/],
    ['idp_url', 'admin_url=https://idpxnyl3m.pingidentity.com/pingid', /admin_url/],
    ['idp_url', 'authenticator_url=https://authenticator.pingone.com/pingid/ppm', /authenticator_url/],
    ['idp_url', 'idp_url=https://idpxnyl3m.pingidentity.com/pingid', /whole `idp_url=…` line/],
    ['idp_url', 'https://idpxnyl3m.pingidentity.com/pingid/', /slash/],
    ['idp_url', 'https://idpxnyl3m.pingidentity.com/pingid?x=1', /query/],
    ['idp_url', 'https://idpxnyl3m.pingidentity.com/pingid/rest/4', /The connector adds/],
    ['idp_url', 'http://idpxnyl3m.pingidentity.com/pingid', /https/],
    ['org_alias', 'Acme Corporation', /display name/],
    ['org_alias', '"acme-alias"', /quotes/],
    ['token', 'token=abc', /whole `token=…` line/],
    ['token', ' abc', /a space/],
    ['token', 'a b', /space/],
    ['use_base64_key', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\\=', /backslash/],
    ['use_base64_key', '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f', /hexadecimal/],
    ['use_base64_key', 'not/base*64', /must be Base64/],
    ['use_base64_key', 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8', /Base64 with padding/],
  ])('%s is refused: %s', (field, value, message) => {
    const checked = checkCredentials(plugin.manifest.document, { ...good, [field]: value })
    expect(checked).toMatchObject({ ok: false, places: [{ field: `credentials.${field}`, message: expect.stringMatching(message) }] })
  })

  test('the credential test asks for a user who does not exist, and accepts that answer', async () => {
    expect(await callProbe(plugin, 'test', host)).toMatchObject({ ok: true, output: { errorId: 10564 } })
    expect(simulator.exchanges.at(-1)?.body).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
  })

  test('the credential test fails with wrong credentials, and the heartbeat does not check them', async () => {
    for (const [changes, code] of [
      [{ key: Buffer.alloc(32, 3).toString('base64') }, 'answer_signature_invalid'],
      [{ token: 'wrong' }, 'credentials_rejected'],
      [{ idpUrl: `${simulator.url}/other` }, 'endpoint_not_found'],
    ] as const) {
      const wrong = mfaHost(plugin, pki.ca, { ...client, idpUrl: simulator.idpUrl, ...changes })
      expect(await callProbe(plugin, 'test', wrong)).toMatchObject({ ok: false, failure: { code } })
      expect((await callProbe(plugin, 'reachability', wrong))?.ok).toBe(code !== 'endpoint_not_found')
      await wrong.close()
    }
    expect(plugin.manifest.document.reachability?.note).toContain('Does not check credentials')
  })

  test('only idp_url decides where requests go', () => {
    expect(originFields(plugin)).toEqual(['idp_url'])
  })
})

test('no secret is in any result or error, in any form', async () => {
  const results: unknown[] = [await read(), await write(), await call('get_mfa_user_details', { username: 'nobody' })]
  simulator.answerAs('wrong_signature')
  results.push(await read())
  // The provider repeats what it was sent. The JWS header contains the token.
  const header = simulator.exchanges.at(-1)?.body.split('.')[0] ?? ''
  const body = JSON.stringify({ errorId: 400, errorMsg: `bad ${encodeURIComponent(client.key)} in ${header}`, uniqueMsgId: client.token })
  simulator.faults.add({ fault: { kind: 'answer', reply: { status: 400, body }, effect: 'none' }, times: 1 })
  results.push(await read())
  const text = JSON.stringify(results)
  expect(text).toContain('[secret]')
  const key = Buffer.from(client.key, 'base64')
  for (const secret of [client.token, client.key, encodeURIComponent(client.key), key.toString('base64url'), key.toString('hex'), 'canary'])
    expect(text).not.toContain(secret)
  for (const piece of text.split(/[^\w-]+/)) expect(Buffer.from(piece, 'base64url').toString('latin1')).not.toMatch(/canary-token|canary signing/)
})
