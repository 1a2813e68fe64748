import { expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { mailsecPlugin } from './plugin.ts'

const { call, output, happened, inverse, faults, simulator } = mailsecPlugin('settings_admin')

test('detections are listed with their overrides and counts, by severity, state and rollout', async () => {
  const { detections } = await output('get_mailsec_detections', { severity: 'low' })
  expect(detections).toMatchObject([
    { id: 'graymail', enabled: true, domainOverrides: [{ domain: 'acme-labs.example', enabled: false }], issueCounts: { open: 6 } },
  ])
  expect((await output('get_mailsec_detections', { rollout_state: 'preview', enabled: true })).detections).toMatchObject([
    { id: 'vendor_impersonation' },
  ])
  expect((await output('get_mailsec_detections', { enabled: false })).detections).toEqual([])
})

test('domain overrides and the global default do not change each other, and the inverse undoes each', async () => {
  const domain = { detection_ids: ['graymail', 'suspicious_link'], enabled: false, scope: 'domains', domains: ['acme.example'] }
  expect(await output('update_mailsec_detections', domain)).toMatchObject({
    detections: [
      { id: 'graymail', enabled: true },
      { id: 'suspicious_link', enabled: true, domainOverrides: [{ domain: 'acme.example', enabled: false }] },
    ],
  })
  await output('update_mailsec_detections', inverse('update_mailsec_detections', domain))
  expect(simulator().detection('suspicious_link')?.domainOverrides).toEqual([{ domain: 'acme.example', enabled: true }])
  const global = { detection_ids: ['suspicious_link'], enabled: false, scope: 'global' }
  await output('update_mailsec_detections', global)
  expect(simulator().detection('suspicious_link')).toMatchObject({ enabled: false, domainOverrides: [{ enabled: true }] })
  await output('update_mailsec_detections', inverse('update_mailsec_detections', global))
  expect(simulator().detection('suspicious_link')?.enabled).toBe(true)
})

test('an input names its scope: the global default, or the overrides of given domains', () => {
  const given = (more: object): readonly string[] => faults('update_mailsec_detections', { detection_ids: ['graymail'], enabled: false, ...more })
  expect(given({})).toContain('scope is missing')
  expect(given({ scope: 'domains' })).toEqual(['domains is missing'])
  expect(given({ scope: 'global', domains: ['acme.example'] })).toEqual(['domains is not allowed together with the other values'])
  expect(given({ scope: 'domains', domains: ['acme'] })).toEqual(['domains.0 must be a domain, such as partner.example'])
})

const both = ['graymail', 'credential_phishing']
test.each<[string, Json, boolean]>([
  ['the overrides of all', { detection_ids: both, enabled: false, scope: 'domains', domains: ['acme.example', 'acme-labs.example'] }, true],
  ['one override', { detection_ids: ['graymail'], enabled: false, scope: 'domains', domains: ['acme.example'] }, true],
  ['the other state', { detection_ids: both, enabled: true, scope: 'domains', domains: ['acme.example'] }, false],
  ['a domain without an override', { detection_ids: both, enabled: false, scope: 'domains', domains: ['acme.example', 'other.example'] }, false],
  [
    'a detection without an override',
    { detection_ids: [...both, 'user_report'], enabled: false, scope: 'domains', domains: ['acme.example'] },
    false,
  ],
  ['the default', { detection_ids: both, enabled: true, scope: 'global' }, true],
  ['another default', { detection_ids: both, enabled: false, scope: 'global' }, false],
  ['an unknown detection', { detection_ids: [...both, 'none'], enabled: true, scope: 'global' }, false],
])('the probe tells whether detections were updated: %s', async (_, asked, expected) => {
  const domains = ['acme.example', 'acme-labs.example']
  await output('update_mailsec_detections', { detection_ids: both, enabled: false, scope: 'domains', domains })
  await output('update_mailsec_detections', { detection_ids: both, enabled: true, scope: 'global' })
  expect(await happened('update_mailsec_detections', asked)).toBe(expected)
})

test("a domain that is not the tenant's gives request_rejected, and an unknown detection not_found", async () => {
  const input = { detection_ids: ['graymail'], enabled: false, scope: 'domains', domains: ['other.example'] }
  expect(await call('update_mailsec_detections', input)).toMatchObject({ effect: 'refused', failure: { code: 'request_rejected' } })
  expect(await call('update_mailsec_detections', { detection_ids: ['none'], enabled: false, scope: 'global' })).toMatchObject({
    failure: { code: 'not_found' },
  })
})

test("an update of an account's settings keeps those that it does not name", async () => {
  const input = {
    account_id: 'acc-1',
    vip: true,
    add_challenge_delegates: ['grace.hopper@acme.example', 'alan.turing@acme.example'],
    feature_overrides: [
      { feature: 'leak_protection', state: 'off' },
      { feature: 'identity_challenge', state: 'default' },
    ],
  }
  expect((await output('update_mailsec_account_settings', input)).account).toMatchObject({
    vip: true,
    challengeDelegates: ['grace.hopper@acme.example', 'alan.turing@acme.example'],
    featureOverrides: [{ feature: 'leak_protection', state: 'off' }],
  })
  await output('update_mailsec_account_settings', { account_id: 'acc-1', remove_challenge_delegates: ['alan.turing@acme.example'] })
  expect((await output('list_mailsec_accounts', { account_ids: ['acc-1'] })).accounts).toMatchObject([
    { vip: true, challengeDelegates: ['grace.hopper@acme.example'], featureOverrides: [{ feature: 'leak_protection', state: 'off' }] },
  ])
})

test.each<[string, object, boolean]>([
  [
    'the current settings',
    { vip: true, add_challenge_delegates: ['grace.hopper@acme.example'], remove_challenge_delegates: ['mary.jackson@acme.example'] },
    true,
  ],
  ['a delegate who was not added', { add_challenge_delegates: ['mary.jackson@acme.example'] }, false],
  ['a delegate who was not removed', { remove_challenge_delegates: ['grace.hopper@acme.example'] }, false],
  ['another VIP state', { vip: false }, false],
  ['an override', { feature_overrides: [{ feature: 'leak_protection', state: 'on' }] }, true],
  ['another override', { feature_overrides: [{ feature: 'leak_protection', state: 'off' }] }, false],
  ['an override that is gone', { feature_overrides: [{ feature: 'identity_challenge', state: 'default' }] }, true],
  ['an override that is not gone', { feature_overrides: [{ feature: 'leak_protection', state: 'default' }] }, false],
])('the probe tells whether settings were updated: %s', async (_, asked, expected) => {
  await output('update_mailsec_account_settings', {
    account_id: 'acc-2',
    vip: true,
    add_challenge_delegates: ['alan.turing@acme.example'],
    feature_overrides: [{ feature: 'leak_protection', state: 'on' }],
  })
  await output('update_mailsec_account_settings', {
    account_id: 'acc-2',
    remove_challenge_delegates: ['alan.turing@acme.example'],
    add_challenge_delegates: ['ada.lovelace@acme.example'],
  })
  const adapted = JSON.parse(JSON.stringify(asked).replaceAll('grace.hopper', 'ada.lovelace')) as object
  expect(await happened('update_mailsec_account_settings', { account_id: 'acc-2', ...adapted })).toBe(expected)
})

test('a delegate outside the tenant, an unknown account and an insufficient role are told apart', async () => {
  const change = (account_id: string, email: string): Promise<unknown> =>
    call('update_mailsec_account_settings', { account_id, add_challenge_delegates: [email] })
  expect(await change('acc-1', 'mallory@other.example')).toMatchObject({ failure: { code: 'request_rejected' } })
  expect(await change('acc-99', 'grace.hopper@acme.example')).toMatchObject({ failure: { code: 'not_found' } })
  simulator().setRole('email_content_admin')
  expect(await change('acc-1', 'grace.hopper@acme.example')).toMatchObject({ effect: 'refused', failure: { code: 'role_insufficient' } })
})

test('settings that change nothing are refused before anything is sent', () => {
  expect(faults('update_mailsec_account_settings', { account_id: 'acc-1' })).toHaveLength(1)
  expect(faults('update_mailsec_account_settings', { account_id: 'acc-1', add_challenge_delegates: ['grace'] })).toHaveLength(1)
})
