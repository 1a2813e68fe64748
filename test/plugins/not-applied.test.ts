import { expect, test } from 'vitest'
import type { Json } from '../../runtime/domain/index.ts'
import { answering } from './answering.ts'

/**
 * A platform that does not know a field of a request may ignore it, answer 200, and show the record as it was. Such a write counts as done, because
 * it was answered, and warns.
 */
const plugins = { browser: await answering('browser'), mailsec: await answering('mailsec') }

test.each<[keyof typeof plugins, string, Json, Json, Json, string]>([
  ['browser', 'archive_browser_detection', { detection_id: 'd' }, { archived: true }, { archived: false }, 'detection.archived is false'],
  ['browser', 'archive_browser_detection', { detection_id: 'd', archived: false }, { archived: false }, { archived: true }, 'archived is true'],
  ['browser', 'set_browser_employee_licence', { employee_id: 'd', licensed: true }, { licensed: true }, { licensed: false }, 'licensed is false'],
  [
    'browser',
    'update_browser_app',
    { app_id: 'd', approval_status: 'NOT_APPROVED', notes: null },
    { approvalStatus: 'NOT_APPROVED' },
    { approvalStatus: 'APPROVED' },
    'app.approvalStatus is "APPROVED"',
  ],
  ['browser', 'update_browser_app', { app_id: 'd', sensitivity_level: 'HIGH' }, { sensitivityLevel: 'HIGH' }, { sensitivityLevel: 'LOW' }, '"LOW"'],
  ['browser', 'update_browser_app', { app_id: 'd', owner_id: 'e1' }, { ownerId: 'E1' }, { ownerId: 'e2' }, 'app.ownerId is "e2"'],
  ['mailsec', 'update_mailsec_issue', { issue_id: 'd', status: 'resolved' }, { status: 'Resolved' }, { status: 'open' }, 'issue.status is "open"'],
  [
    'mailsec',
    'update_mailsec_issue',
    { issue_id: 'd', classification: 'malicious' },
    { classification: 'malicious' },
    { classification: 'benign' },
    'issue.classification is "benign"',
  ],
  ['mailsec', 'update_mailsec_case_status', { case_id: 'd', status: 'closed' }, { status: 'closed' }, { status: 'open' }, 'case.status is "open"'],
  [
    'mailsec',
    'update_mailsec_case_status',
    { case_id: 'd', status: 'closed', remediation: 'block' },
    { status: 'closed', remediation: 'block' },
    { status: 'closed', remediation: 'none' },
    'case.remediation is "none"',
  ],
  [
    'mailsec',
    'create_mailsec_trusted_entity',
    { kind: 'domain', value: 'a.example', enabled: false },
    { kind: 'domain', value: 'a.example', enabled: false },
    { kind: 'domain', value: 'a.example', enabled: true },
    'entity.enabled is true',
  ],
  [
    'mailsec',
    'create_mailsec_trusted_entity',
    { kind: 'domain', value: 'a.example' },
    { kind: 'domain', value: 'a.example', enabled: true },
    { kind: 'email_address', value: 'a.example' },
    'entity.kind is "email_address"',
  ],
  ['mailsec', 'update_mailsec_trusted_entity', { entity_id: 'd', enabled: false }, { enabled: false }, { enabled: true }, 'entity.enabled is true'],
  ['mailsec', 'update_mailsec_account_settings', { account_id: 'd', vip: true }, { vip: true }, { vip: false }, 'account.vip is false'],
])('%s: %s of %j warns if the record is shown as it was', async (integration, skill, input, applied, standing, warning) => {
  const show = async (record: Json): Promise<unknown> =>
    (await plugins[integration](skill, input, () => ({ body: { id: 'd', ...(record as object) } }))).result
  expect(await show(applied)).not.toHaveProperty('warnings')
  expect(await show({})).not.toHaveProperty('warnings')
  expect(await show(standing)).toMatchObject({ ok: true, warnings: [expect.stringContaining(warning)] })
})
