import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type CallResult, callSkill, loadPluginFolder, type SendResult } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { pluginsFolder } from '../fixtures.ts'

/** Tests the mfa plugin with answers that the vendor's documentation allows, and with other answers. */
const plugin = await loadPluginFolder(join(pluginsFolder, 'mfa'))
const date = 'Sat, 21 Nov 2026 12:00:00 GMT'
const future = Date.parse(date) + 3_600_000
const past = Date.parse(date) - 3_600_000

async function answered(id: string, input: Json, body: Json, status = 200, headers: Record<string, string> = { date }): Promise<CallResult> {
  const skill = plugin.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  const send = async (): Promise<SendResult> => ({ effect: 'done', answer: { status, headers, body } })
  return callSkill(plugin, skill, input, withHandling({ key: 'key', fields: {}, send }))
}

const ok = { errorId: 200, errorMsg: 'ok', uniqueMsgId: 'webs_1', clientData: null }
const user = { userName: 'ada', status: 'ACTIVE', devicesDetails: [], deviceDetails: null, spList: [] }
const details = (change: Readonly<Record<string, Json>>, common: Json = ok): Promise<CallResult> =>
  answered('get_mfa_user_details', { username: 'ada', same_device_users: false }, { ...(common as object), userDetails: { ...user, ...change } })
const suspend = (body: Json, status = 200): Promise<CallResult> => answered('suspend_mfa_user', { username: 'ada' }, body, status)

describe('a field that is missing, null or new does not fail a call', () => {
  test.each<[string, Readonly<Record<string, Json>>, object]>([
    ['an unknown status', { status: 'VERY_NEW' }, { status: 'VERY_NEW' }],
    ['no status', { status: null }, { status: null }],
    ['no devices', { devicesDetails: null }, { devices: [], defaultDevice: null }],
    ['devices with few fields', { devicesDetails: [{ type: 'New' }, { deviceId: null }] }, { devices: [{ type: 'New' }, { deviceId: null }] }],
    ['numbers instead of texts', { devicesDetails: [{ deviceId: '1', countryCode: 1, osVersion: 17 }] }, { devices: [{ countryCode: 1 }] }],
    ['services with few fields', { spList: [{ spAlias: null }, {}] }, { bypass: 'disabled', bypassUntil: null }],
  ])('%s', async (_, change, output) => {
    expect(await details(change)).toMatchObject({ ok: true, output })
  })

  test('only the user name', async () => {
    const body = { ...ok, userDetails: { userName: 'ada' } }
    const output = { userName: 'ada', status: null, bypass: 'disabled', bypassUntil: null, devices: [], defaultDevice: null, errorId: 200 }
    expect(await answered('get_mfa_user_details', { username: 'ada', same_device_users: false }, body)).toEqual({
      ok: true,
      output: { ...output, errorMsg: 'ok', uniqueMsgId: 'webs_1' },
      answeredAt: expect.any(Number),
    })
  })

  test.each<[string, Json]>([
    ['null texts', { errorId: 200, errorMsg: null, uniqueMsgId: null }],
    ['no texts', { errorId: 200 }],
    ['its errorId as a text', { errorId: '200', errorMsg: '' }],
  ])('a write is done if it is answered with %s', async (_, body) => {
    expect(await suspend(body)).toMatchObject({ ok: true, output: { errorId: 200 } })
  })
})

describe('a bypass', () => {
  test.each<[string, Readonly<Record<string, Json>>, string]>([
    ['of a service, with an end in the future', { spList: [{ status: 'ACTIVE', bypassExpiration: future }] }, 'enabled'],
    ['of a service, with an end in the past', { spList: [{ status: 'ACTIVE', bypassExpiration: past }] }, 'disabled'],
    ['with an end in seconds', { spList: [{ status: 'ACTIVE', bypassExpiration: Math.floor(future / 1_000) }] }, 'enabled'],
    ['of one of two services', { spList: [{ spAlias: 'web' }, { bypassExpiration: future }] }, 'enabled'],
    ['that is the status of a service', { spList: [{ status: 'BYPASS', bypassExpiration: null }] }, 'enabled'],
    ['in userInBypass, without services', { spList: null, userInBypass: true }, 'enabled'],
    ['with the end at the user, without services', { spList: [], bypassExpiration: future }, 'enabled'],
    ['in the deprecated userInBypass, with services', { spList: [{ status: 'ACTIVE' }], userInBypass: true }, 'disabled'],
    ['that is the status of the user', { status: 'BYPASS' }, 'enabled'],
    ['with an end that is a text of digits', { spList: [{ status: 'ACTIVE', bypassExpiration: String(future) }] }, 'enabled'],
    [
      'with ends of several kinds',
      { spList: [{ bypassExpiration: past }, { bypassExpiration: String(future) }, { bypassExpiration: null }] },
      'enabled',
    ],
    ['with an end that is a date text', { spList: [{ status: 'ACTIVE', bypassExpiration: '2026-11-21T13:00:00Z' }] }, 'unknown'],
    ['with a service whose status is an object', { spList: [{ status: { is: 'BYPASS' }, bypassExpiration: null }] }, 'disabled'],
    ['with an end that is an object', { spList: [{ status: 'ACTIVE', bypassExpiration: { until: future } }] }, 'unknown'],
    ['with an end of 0', { spList: [{ status: 'ACTIVE', bypassExpiration: 0 }, { bypassExpiration: '0' }] }, 'disabled'],
    ['in services that are a text', { spList: 'web' }, 'unknown'],
    ['in services that are a map', { spList: { web: { status: 'BYPASS' } } }, 'unknown'],
    ['in services that are a list of texts', { spList: ['web'] }, 'unknown'],
    ['in another letter case', { spList: [{ status: 'Bypass' }] }, 'enabled'],
    ['in userInBypass as a text, without services', { spList: null, userInBypass: 'true' }, 'enabled'],
  ])('%s', async (_, change, bypass) => {
    expect(await details(change)).toMatchObject({ ok: true, output: { bypass } })
  })
})

describe('an answer that does not tell the outcome is not a success', () => {
  test.each<[string, Json, number]>([
    ['an empty answer', '', 200],
    ['no content', '', 204],
    ['null', null, 200],
    ['a list', [], 200],
    ['half a JWS', 'eyJhbGciOiJIUzI1NiJ9.eyJh', 200],
    ['an object without an id', { errorMsg: 'ok' }, 200],
    ['an id of null', { errorId: null }, 200],
    ['a web page', '<html><title>Sign in</title></html>', 200],
    ['an id of success with a status of an error', { ...ok }, 400],
    ['the same, with the id as a text', { ...ok, errorId: '200' }, 422],
  ])('%s', async (_, body, status) => {
    expect(await suspend(body, status)).toMatchObject({ ok: false, effect: 'unknown', failure: { code: 'answer_not_understood' } })
  })

  test('an answer without the user', async () => {
    for (const userDetails of [null, {}])
      expect(await answered('get_mfa_user_details', { username: 'ada', same_device_users: false }, { ...ok, userDetails })).toMatchObject({
        ok: false,
      })
  })
})

describe("the provider's message decides if its errorId is unknown, whatever the HTTP status", () => {
  test.each([
    ['Permission denied', 'access_refused'],
    ['Invalid token', 'credentials_rejected'],
    ['Authentication failed', 'credentials_rejected'],
    ['Unauthorized client', 'credentials_rejected'],
    ['Signature validation failed', 'signature_rejected'],
  ])('%s', async (errorMsg, code) => {
    for (const status of [200, 400, 401]) {
      if (status === 401 && code === 'access_refused') continue
      expect(await suspend({ ...ok, errorId: 10_001, errorMsg }, status)).toMatchObject({ ok: false, effect: 'refused', failure: { code } })
    }
  })

  test('the message of a success is ignored, and an errorId may be a text', async () => {
    expect(await suspend({ ...ok, errorMsg: 'token and permission checked' })).toMatchObject({ ok: true })
    expect(await suspend({ errorId: '10564', errorMsg: 'x' }, 400)).toMatchObject({ failure: { code: 'user_not_found' } })
  })
})
