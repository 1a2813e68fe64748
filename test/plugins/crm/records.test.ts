import { describe, expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { idOf } from '../../simulators/crm/index.ts'
import { account, host, hostAs, output, plugin, refused, simulator } from './system.ts'

describe('records', () => {
  test('are created, changed and deleted', async () => {
    const { record_id: id, object } = await output('create_crm_record', { object: 'Case', fields: { Subject: 'O\'Brien "x"', Priority: 'High' } })
    expect(object).toBe('Case')
    expect(simulator.find('Case', id)).toMatchObject({ Subject: 'O\'Brien "x"', Priority: 'High' })
    expect(await output('update_crm_record', { object: 'Case', record_id: id, fields: { Priority: 'Low', Subject: null } })).toEqual({
      record_id: id,
      updated: true,
    })
    expect(simulator.find('Case', id)).toMatchObject({ Subject: null, Priority: 'Low' })
    expect(await output('delete_crm_record', { object: 'Case', record_id: id })).toEqual({ record_id: id, deleted: true })
    expect(simulator.find('Case', id)).toMatchObject({ IsDeleted: true })
  })

  test('a record that was deleted before counts as deleted, and a missing record is an error', async () => {
    const gone = { object: 'Account', record_id: account }
    await output('delete_crm_record', gone)
    expect(await output('delete_crm_record', gone)).toEqual({ record_id: account, deleted: true })
    expect(simulator.writesOf(account)).toBe(1)
    expect(await host.call('delete_crm_record', { ...gone, record_id: idOf('001', 99_999) })).toEqual(refused('not_found'))
    expect(await host.call('update_crm_record', { ...gone, fields: { Name: 'a' } })).toEqual(refused('record_deleted'))
  })

  const upsert = { object: 'Case', external_id_field: 'Alert_Id__c', external_id: 'ACME/SIEM 17 é?', fields: { Subject: 'a' } }

  test('an upsert creates a record, and the next one changes it', async () => {
    const first = await output('upsert_crm_record', upsert)
    expect(first).toEqual({ record_id: expect.stringMatching(/^500/), created: true })
    expect(await output('upsert_crm_record', { ...upsert, fields: { Subject: 'b' } })).toEqual({ ...first, created: false })
    expect(simulator.find('Case', first.record_id)).toMatchObject({ Alert_Id__c: upsert.external_id, Subject: 'b' })
  })

  test('an upsert works with an old API version, whose answers have fewer fields', async () => {
    const old = await hostAs({ more: { api_version: '45.0' } })
    expect(await output('upsert_crm_record', upsert, old)).toMatchObject({ created: true })
    expect(await output('upsert_crm_record', upsert, old)).toEqual({ record_id: null, created: false })
    await old.close()
  })

  test('an upsert with update_only does not create a record', async () => {
    expect(await host.call('upsert_crm_record', { ...upsert, update_only: true })).toEqual(refused('not_found'))
  })

  test('an external id of several records is an error that names them, and nothing is written', async () => {
    const several = { object: 'Contact', external_id_field: 'Badge__c', external_id: 'B-1', fields: { LastName: 'x' } }
    expect(await host.call('upsert_crm_record', several)).toMatchObject({
      ok: false,
      effect: 'refused',
      failure: {
        code: 'external_id_ambiguous',
        message: expect.stringContaining(
          `/services/data/v67.0/sobjects/Contact/${idOf('003', 1)}, /services/data/v67.0/sobjects/Contact/${idOf('003', 2)}`,
        ),
      },
    })
    expect(simulator.writesOf(idOf('003', 1))).toBe(0)
  })

  test.each<[string, object, string]>([
    ['create_crm_record', { object: 'Account', fields: { Name: 'a', Nope: 1 } }, 'invalid_field'],
    ['create_crm_record', { object: 'Account', fields: { Id: account, Name: 'a' } }, 'invalid_field'],
    ['create_crm_record', { object: 'Account', fields: { Name: 'a', CreatedDate: '2026-01-01T00:00:00Z' } }, 'invalid_field'],
    ['create_crm_record', { object: 'Contact', fields: { FirstName: 'a' } }, 'required_field_missing'],
    ['create_crm_record', { object: 'Account', fields: { Name: 'a', External_Id__c: 'EXT/3' } }, 'duplicate_value'],
    ['create_crm_record', { object: 'Contact', fields: { LastName: 'a', AccountId: 'x' } }, 'invalid_id'],
    ['create_crm_record', { object: 'Case', fields: { Status: 'Odd' } }, 'request_rejected'],
    ['create_crm_record', { object: 'Nope', fields: { Name: 'a' } }, 'invalid_object'],
    ['create_crm_record', { object: 'SetupAuditTrail', fields: { Action: 'a' } }, 'operation_not_allowed'],
    ['update_crm_record', { object: 'Account', record_id: idOf('003', 1), fields: { Name: 'a' } }, 'invalid_id'],
    ['upsert_crm_record', { object: 'Account', external_id_field: 'Name', external_id: 'a', fields: {} }, 'not_found'],
  ])('%s %j: %s', async (skill, input, code) => {
    const { writes } = simulator.counts
    expect(await host.call(skill, input as Json)).toMatchObject({ ok: false, failure: { code } })
    expect(simulator.counts.writes).toBe(writes)
  })

  test('names and ids that would change the path are refused', () => {
    const faults = (skill: string, input: Json): readonly string[] => plugin.skills.get(skill)?.checkInput(input).faults ?? []
    for (const object of ['', '..', 'Account/x', 'Account?x', 'a b'])
      expect(faults('create_crm_record', { object, fields: { Name: 'a' } })).not.toEqual([])
    for (const id of ['', '..', 'a.b', 'a@b.example', `${account}/x`])
      expect(faults('delete_crm_record', { object: 'Account', record_id: id })).not.toEqual([])
    expect(faults('create_crm_record', { object: 'Account', fields: { 'a.b': 1 } })).not.toEqual([])
  })
})

describe('writes whose outcome is unknown', () => {
  const skills: readonly [string, Json][] = [
    ['create_crm_record', { object: 'Case', fields: { Subject: 'a' } }],
    ['update_crm_record', { object: 'Account', record_id: account, fields: { Name: 'a' } }],
    ['upsert_crm_record', { object: 'Case', external_id_field: 'Alert_Id__c', external_id: 'a', fields: {} }],
    ['delete_crm_record', { object: 'Account', record_id: account }],
  ]

  test.each(skills)('%s is in doubt after a server error or a lost answer, not after a refusal', async (skill, input) => {
    for (const failure of ['server_error_after_effect', 'cut_after_effect', 'cut_before_effect', 'unavailable'] as const) {
      simulator.fail({ failure, path: '/services/data/v67.0/sobjects' })
      expect(await host.call(skill, input)).toMatchObject({ ok: false, effect: 'unknown' })
    }
    for (const [failure, code] of [
      ['request_limit', 'request_limit_exceeded'],
      ['rate_limited', 'rate_limited'],
    ] as const) {
      simulator.fail({ failure, path: '/services/data/v67.0/sobjects' })
      expect(await host.call(skill, input)).toMatchObject({ ok: false, effect: 'refused', failure: { code } })
    }
  })

  test('each write declares whether it may be repeated, and until when', () => {
    const of = (id: string): object | undefined => plugin.skills.get(id)?.document.idempotent
    expect(of('create_crm_record')).toEqual({ by: 'none' })
    expect(of('update_crm_record')).toEqual({ by: 'state', repeat_within: '10m' })
    expect(of('upsert_crm_record')).toEqual({ by: 'state', repeat_within: '10m' })
    expect(of('delete_crm_record')).toEqual({ by: 'state', already_done: ['record_deleted'], repeat_within: '2m' })
  })
})
