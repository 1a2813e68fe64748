import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { loadPluginFolder } from '../../runtime/plugin/index.ts'
import { answering } from './answering.ts'
import { pluginsFolder } from './fixtures.ts'

/**
 * Calls every write skill with only its required inputs, and once with each optional input, and
 * checks the body that is sent. The body must not contain anything that was not given, because an
 * external system may treat an empty object, an empty list or null as a change.
 */
const bodies: Readonly<Record<string, readonly (readonly [input: Json, body: Json | undefined])[]>> = {
  'browser.archive_browser_detection': [
    [{ detection_id: 'd' }, { archived: true }],
    [{ detection_id: 'd', archived: false }, { archived: false }],
  ],
  'browser.delete_browser_account': [[{ account_id: 'a' }, undefined]],
  'browser.set_browser_employee_licence': [[{ employee_id: 'e', licensed: false }, { licensed: false }]],
  'browser.update_browser_app': [
    [{ app_id: 'a', approval_status: 'APPROVED' }, { approvalStatus: 'APPROVED' }],
    [{ app_id: 'a', approval_status: null }, { approvalStatus: null }],
    [{ app_id: 'a', sensitivity_level: 'LOW' }, { sensitivityLevel: 'LOW' }],
    [{ app_id: 'a', sensitivity_level: null }, { sensitivityLevel: null }],
    [{ app_id: 'a', owner_id: 'o' }, { ownerId: 'o' }],
    [{ app_id: 'a', owner_id: null }, { ownerId: null }],
    [{ app_id: 'a', notes: '' }, { notes: '' }],
    [{ app_id: 'a', notes: null }, { notes: null }],
  ],
  'crm.create_crm_record': [
    [{ object: 'Case', fields: { Subject: null } }, { Subject: null }],
    [
      { object: 'Case', fields: { A: {}, B: [] } },
      { A: {}, B: [] },
    ],
  ],
  'crm.update_crm_record': [[{ object: 'Case', record_id: 'r', fields: { Subject: 's' } }, { Subject: 's' }]],
  'crm.upsert_crm_record': [
    [{ object: 'Case', external_id_field: 'X__c', external_id: 'x', fields: {} }, {}],
    [{ object: 'Case', external_id_field: 'X__c', external_id: 'x', fields: { A: 1 }, update_only: true }, { A: 1 }],
  ],
  'crm.delete_crm_record': [[{ object: 'Case', record_id: 'r' }, undefined]],
  'mailsec.bulk_update_mailsec_trusted_entities': [
    [{ operations: [{ operation: 'delete', entity_id: 'e' }] }, { operations: [{ operation: 'delete', id: 'e' }] }],
    [{ operations: [{ operation: 'update', entity_id: 'e', enabled: false }] }, { operations: [{ operation: 'update', id: 'e', enabled: false }] }],
    [
      { operations: [{ operation: 'create', kind: 'domain', value: 'a.example' }] },
      { operations: [{ operation: 'create', kind: 'domain', value: 'a.example' }] },
    ],
  ],
  'mailsec.create_mailsec_trusted_entity': [
    [
      { kind: 'domain', value: 'a.example' },
      { kind: 'domain', value: 'a.example' },
    ],
    [
      { kind: 'domain', value: 'a.example', enabled: false },
      { kind: 'domain', value: 'a.example', enabled: false },
    ],
    [
      { kind: 'domain', value: 'a.example', detection_settings: {} },
      { kind: 'domain', value: 'a.example', detectionSettings: {} },
    ],
  ],
  'mailsec.delete_mailsec_trusted_entity': [[{ entity_id: 'e' }, undefined]],
  'mailsec.mark_mailsec_messages_sensitive': [
    [
      { message_ids: ['m'], sensitive: false },
      { messageIds: ['m'], sensitive: false },
    ],
  ],
  'mailsec.mark_mailsec_messages_suspicious': [[{ message_ids: ['m'] }, { messageIds: ['m'] }]],
  'mailsec.update_mailsec_account_settings': [
    [{ account_id: 'a', vip: true }, { vip: true }],
    [{ account_id: 'a', add_challenge_delegates: ['b@a.example'] }, { challengeDelegates: { add: ['b@a.example'] } }],
    [{ account_id: 'a', remove_challenge_delegates: ['b@a.example'] }, { challengeDelegates: { remove: ['b@a.example'] } }],
    [{ account_id: 'a', feature_overrides: [{ feature: 'f', state: 'on' }] }, { featureOverrides: [{ feature: 'f', state: 'on' }] }],
  ],
  'mailsec.update_mailsec_case_status': [
    [{ case_id: 'c', status: 'open' }, { status: 'open' }],
    [
      { case_id: 'c', status: 'open', remediation: 'block' },
      { status: 'open', remediation: 'block' },
    ],
  ],
  'mailsec.update_mailsec_case_statuses': [
    [
      { case_ids: ['c'], status: 'open' },
      { caseIds: ['c'], status: 'open' },
    ],
    [{ cases: [{ id: 'c', status: 'open' }] }, { cases: [{ id: 'c', status: 'open' }] }],
  ],
  'mailsec.update_mailsec_detections': [
    [
      { detection_ids: ['d'], enabled: true, scope: 'global' },
      { ids: ['d'], enabled: true },
    ],
    [
      { detection_ids: ['d'], enabled: true, scope: 'domains', domains: ['a.example'] },
      { ids: ['d'], enabled: true, domains: ['a.example'] },
    ],
  ],
  'mailsec.update_mailsec_issue': [
    [{ issue_id: 'i', status: 'open' }, { status: 'open' }],
    [{ issue_id: 'i', classification: 'spam' }, { classification: 'spam' }],
    [{ issue_id: 'i', assignee: null }, { assignee: null }],
    [{ issue_id: 'i', snoozed_until: null }, { snoozedUntil: null }],
    [{ issue_id: 'i', remediation_actions: [], remediation_mode: 'replace' }, { remediationActions: [] }],
  ],
  'mailsec.update_mailsec_trusted_entity': [
    [{ entity_id: 'e', enabled: false }, { enabled: false }],
    [{ entity_id: 'e', name: 'n' }, { name: 'n' }],
    [{ entity_id: 'e', detection_settings: {} }, { detectionSettings: {} }],
    [{ entity_id: 'e', authentication_settings: {} }, { authenticationSettings: {} }],
  ],
  'mfa.activate_mfa_user': [[{ username: 'ada' }, { userName: 'ada' }]],
  'mfa.suspend_mfa_user': [[{ username: 'ada' }, { userName: 'ada' }]],
  'mfa.toggle_mfa_user_bypass': [
    [
      { username: 'ada', bypass: 'disabled' },
      { userName: 'ada', bypassUntil: null },
    ],
  ],
  'mfa.unpair_mfa_device': [
    [
      { username: 'ada', device_id: '1' },
      { userName: 'ada', deviceId: 1 },
    ],
    [{ username: 'ada', all_devices: true }, { userName: 'ada' }],
  ],
}

describe.each(Object.entries(bodies))('%s sends only the given values', async (name, cases) => {
  const [integration = '', skill = ''] = name.split('.')
  const call = await answering(integration)

  test.each(cases)('%j: %j', async (input, body) => {
    // Reads before the write get an answer. The write itself gets none.
    const { sent } = await call(skill, input, ({ method }) =>
      method === 'GET' ? { body: { items: [{ id: 'd', enabled: false }] } } : { status: 500, body: {} },
    )
    const writes = sent.filter(({ method }) => method !== 'GET')
    expect(writes.map((request) => request.body)).toEqual([body])
  })
})

test('covers every skill that writes', async () => {
  const plugins = await Promise.all(readdirSync(pluginsFolder).map((id) => loadPluginFolder(join(pluginsFolder, id))))
  const writing = plugins.flatMap(({ id, skills }) => [...skills.values()].flatMap((skill) => (skill.impact === 'read' ? [] : [`${id}.${skill.id}`])))
  expect(Object.keys(bodies).sort()).toEqual(writing.sort())
})
