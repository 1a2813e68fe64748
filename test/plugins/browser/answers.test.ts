import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type CallResult, callProbe, callSkill, loadPluginFolder, type SendResult } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { pluginsFolder } from '../fixtures.ts'

/** Tests the browser plugin with answers that the vendor's documentation allows. */
const plugin = await loadPluginFolder(join(pluginsFolder, 'browser'))
const json = { 'content-type': 'application/json' }

function hostOf(body: Json, status = 200, headers: Record<string, string> = json): ReturnType<typeof withHandling> {
  const fields = { base_url: 'https://api.example', api_path: 'v1' }
  const send = async (): Promise<SendResult> => ({ effect: 'done', answer: { status, headers, body } })
  return withHandling({ key: 'key', fields, send })
}

async function answered(id: string, input: Json, ...answer: Parameters<typeof hostOf>): Promise<CallResult> {
  const skill = plugin.skills.get(id)
  if (!skill) throw new Error(`no skill ${id}`)
  return callSkill(plugin, skill, skill.checkInput(input).input, hostOf(...answer))
}

/** The documented fields of each record. All but `id` may be null, missing or new. */
const records: Readonly<Record<string, readonly string[]>> = {
  account: [
    'employeeId',
    'appType',
    'appId',
    'email',
    'mfaRegistered',
    'mfaMethods',
    'passwordId',
    'loginMethods',
    'creationTimestamp',
    'lastUsedTimestamp',
  ],
  employee: ['email', 'firstName', 'lastName', 'department', 'location', 'licensed', 'groups', 'creationTimestamp'],
  app: ['type', 'approvalStatus', 'sensitivityLevel', 'ownerId', 'notes', 'website', 'description', 'friendlyName', 'labels', 'creationTimestamp'],
  browser: [
    'employeeId',
    'email',
    'browser',
    'version',
    'os',
    'extensionVersion',
    'tokenType',
    'isActive',
    'creationTimestamp',
    'lastOnlineTimestamp',
  ],
  finding: ['type', 'state', 'employeeId', 'employee', 'passwordId', 'accountId', 'appType', 'appId', 'weakPasswordReasons', 'creationTimestamp'],
  detection: [
    'detectionType',
    'severity',
    'response',
    'archived',
    'employeeId',
    'employee',
    'browserId',
    'detectionLink',
    'creationTimestamp',
    'lastActivityTimestamp',
  ],
}

describe.each(Object.entries(records))('a record: %s', (name, fields) => {
  const input = { [`${name}_id`]: 'x' }
  const nulls = Object.fromEntries(fields.map((field) => [field, null]))

  test.each<[string, Json]>([
    ['with nulls', { id: 'x', ...nulls }],
    ['with only an id', { id: 'x' }],
    ['with unknown fields', { id: 'x', brandNew: { deep: [1] } }],
  ])('is accepted %s', async (_, record) => {
    expect(await answered(`get_browser_${name}`, input, record)).toEqual({ ok: true, output: { [name]: record } })
    expect(await answered(`get_browser_${name}`, input, { result: record })).toEqual({ ok: true, output: { [name]: record } })
    expect(await answered(`list_browser_${name}s`, {}, { result: [record] })).toMatchObject({
      ok: true,
      output: { [`${name}s`]: [record], truncated: false },
    })
  })

  test('without its id is an invalid output', async () => {
    expect(await answered(`get_browser_${name}`, input, {})).toMatchObject({ ok: false, failure: { code: 'skill_output_invalid' } })
    expect(await answered(`get_browser_${name}`, input, '')).toMatchObject({ ok: false, failure: { code: 'skill_output_invalid' } })
  })

  test('that does not exist gives not_found, with or without a body', async () => {
    for (const [body, headers] of [
      [{ message: 'Not Found' }, json],
      ['', {}],
    ] as const)
      expect(await answered(`get_browser_${name}`, input, body, 404, headers)).toMatchObject({ failure: { code: 'not_found' } })
  })
})

describe('a write with a success status is done, even if the answer has no record', () => {
  test.each<[string, string, Json]>([
    ['update_browser_app', 'app', { app_id: 'x', notes: null }],
    ['archive_browser_detection', 'detection', { detection_id: 'x' }],
    ['set_browser_employee_licence', 'employee', { employee_id: 'x', licensed: true }],
  ])('%s', async (skill, name, input) => {
    expect(await answered(skill, input, { id: 'x', notes: null })).toEqual({ ok: true, output: { [name]: { id: 'x', notes: null } } })
    expect(await answered(skill, input, { result: { id: 'x' } })).toEqual({ ok: true, output: { [name]: { id: 'x' } } })
    expect(await answered(skill, input, {})).toEqual({ ok: true, output: { [name]: {} }, warnings: [`${name}.id is missing`] })
    for (const [status, headers] of [
      [204, {}],
      [200, json],
      [200, {}],
    ] as const)
      expect(await answered(skill, input, '', status, headers)).toEqual({ ok: true, output: { [name]: null } })
    expect(await answered(skill, input, '<html></html>', 200, { 'content-type': 'text/html' })).toMatchObject({ ok: false, effect: 'unknown' })
  })
})

test.each<[string, Json, number, Record<string, string>]>([
  ["a gateway's 403", { message: 'Missing Authentication Token' }, 403, json],
  ['a 404 in JSON', { message: 'Not Found' }, 404, json],
  ['a 404 without a body', '', 404, {}],
  ['a web page', '<html></html>', 404, { 'content-type': 'text/html' }],
])('the connection test reports a wrong API path: %s', async (_, body, status, headers) => {
  const result = await callProbe(plugin, 'test', hostOf(body, status, headers))
  expect(result).toMatchObject({ ok: false, failure: { code: 'endpoint_not_found', remedy: expect.stringContaining('Choose the other API path') } })
})
