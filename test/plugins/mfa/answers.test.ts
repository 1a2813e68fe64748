import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type CallResult, callSkill, loadPluginFolder, type SendResult } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { pluginsFolder } from '../fixtures.ts'

/** What the mfa plugin does with answers that the vendor's documentation allows, and with other answers. */
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

describe('what may be missing, null or new does not fail a call', () => {
  test.each<[string, Readonly<Record<string, Json>>, object]>([
    ['a status that nobody has heard of', { status: 'VERY_NEW' }, { status: 'VERY_NEW' }],
    ['no status', { status: null }, { status: null }],
    ['no devices', { devicesDetails: null }, { devices: [], defaultDevice: null }],
    [
      'devices of which little is known',
      { devicesDetails: [{ type: 'New' }, { deviceId: null }] },
      { devices: [{ type: 'New' }, { deviceId: null }] },
    ],
    ['numbers where texts were seen', { devicesDetails: [{ deviceId: '1', countryCode: 1, osVersion: 17 }] }, { devices: [{ countryCode: 1 }] }],
    ['services of which little is known', { spList: [{ spAlias: null }, {}] }, { bypass: 'disabled', bypassUntil: null }],
  ])('%s', async (_, change, output) => {
    expect(await details(change)).toMatchObject({ ok: true, output })
  })

  test('nothing but name and services', async () => {
    const body = { ...ok, userDetails: { userName: 'ada' } }
    const output = { userName: 'ada', status: null, bypass: 'disabled', bypassUntil: null, devices: [], defaultDevice: null, errorId: 200 }
    expect(await answered('get_mfa_user_details', { username: 'ada', same_device_users: false }, body)).toEqual({
      ok: true,
      output: { ...output, errorMsg: 'ok', uniqueMsgId: 'webs_1' },
    })
  })

  test.each<[string, Json]>([
    ['null for its texts', { errorId: 200, errorMsg: null, uniqueMsgId: null }],
    ['without its texts', { errorId: 200 }],
    ['its id as a text', { errorId: '200', errorMsg: '' }],
  ])('a write that was done is done, answered with %s', async (_, body) => {
    expect(await suspend(body)).toMatchObject({ ok: true, output: { errorId: 200 } })
  })
})

describe('a bypass', () => {
  test.each<[string, Readonly<Record<string, Json>>, string]>([
    ['of a service, to come to its end', { spList: [{ status: 'ACTIVE', bypassExpiration: future }] }, 'enabled'],
    ['that ended', { spList: [{ status: 'ACTIVE', bypassExpiration: past }] }, 'disabled'],
    ['in seconds', { spList: [{ status: 'ACTIVE', bypassExpiration: Math.floor(future / 1_000) }] }, 'enabled'],
    ['of one service of several, one without an end', { spList: [{ spAlias: 'web' }, { bypassExpiration: future }] }, 'enabled'],
    ['that a service says it is in', { spList: [{ status: 'BYPASS', bypassExpiration: null }] }, 'enabled'],
    ['that the user says, where there are no services', { spList: null, userInBypass: true }, 'enabled'],
    ['with an end that the user has, where there are no services', { spList: [], bypassExpiration: future }, 'enabled'],
    ['that the deprecated field says, where there are services', { spList: [{ status: 'ACTIVE' }], userInBypass: true }, 'disabled'],
    ['that is the status of the user', { status: 'BYPASS' }, 'enabled'],
    ['with an end in digits', { spList: [{ status: 'ACTIVE', bypassExpiration: String(future) }] }, 'enabled'],
    [
      'with ends of several kinds',
      { spList: [{ bypassExpiration: past }, { bypassExpiration: String(future) }, { bypassExpiration: null }] },
      'enabled',
    ],
    ['with an end that is no number', { spList: [{ status: 'ACTIVE', bypassExpiration: '2026-11-21T13:00:00Z' }] }, 'unknown'],
    ['with an end that is none', { spList: [{ status: 'ACTIVE', bypassExpiration: { until: future } }] }, 'unknown'],
    ['with an end of 0', { spList: [{ status: 'ACTIVE', bypassExpiration: 0 }, { bypassExpiration: '0' }] }, 'disabled'],
    ['in services that cannot be read', { spList: 'web' }, 'unknown'],
    ['in services that are a map', { spList: { web: { status: 'BYPASS' } } }, 'unknown'],
    ['in services that are texts', { spList: ['web'] }, 'unknown'],
    ['in another case', { spList: [{ status: 'Bypass' }] }, 'enabled'],
    ['that the user says in a word, where there are no services', { spList: null, userInBypass: 'true' }, 'enabled'],
  ])('%s', async (_, change, bypass) => {
    expect(await details(change)).toMatchObject({ ok: true, output: { bypass } })
  })
})

describe('what says nothing of the outcome is no success', () => {
  test.each<[string, Json, number]>([
    ['an empty answer', '', 200],
    ['no content', '', 204],
    ['null', null, 200],
    ['a list', [], 200],
    ['half a JWS', 'eyJhbGciOiJIUzI1NiJ9.eyJh', 200],
    ['an object without an id', { errorMsg: 'ok' }, 200],
    ['an id of null', { errorId: null }, 200],
    ['a page', '<html><title>Sign in</title></html>', 200],
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

describe("the provider's words tell what its ids do not, whatever the HTTP status", () => {
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

  test('but not in a success, and an id that is a text is the same id', async () => {
    expect(await suspend({ ...ok, errorMsg: 'token and permission checked' })).toMatchObject({ ok: true })
    expect(await suspend({ errorId: '10564', errorMsg: 'x' }, 400)).toMatchObject({ failure: { code: 'user_not_found' } })
  })
})
