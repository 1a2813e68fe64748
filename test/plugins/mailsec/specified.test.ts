import { expect, test } from 'vitest'
import { mailsecPlugin } from './plugin.ts'

const { plugin } = mailsecPlugin('any_admin_role')

/** Specification 4.4 and 9: the skills, each with its minimum role and its API. */
const specified: Readonly<Record<string, readonly [role: string, api: string, impact: string]>> = {
  get_mailsec_issues: ['issue_responder', 'v1', 'read'],
  list_mailsec_issue_messages: ['issue_responder', 'v1', 'read'],
  get_mailsec_case_details: ['issue_responder', 'beta', 'read'],
  search_mailsec_messages: ['analyst', 'v1', 'read'],
  get_mailsec_message_search_results: ['analyst', 'v1', 'read'],
  get_mailsec_message: ['issue_responder', 'v1', 'read'],
  list_mailsec_accounts: ['any_admin_role', 'v1', 'read'],
  get_mailsec_detections: ['any_admin_role', 'v1', 'read'],
  update_mailsec_issue: ['issue_responder', 'v1', 'write'],
  update_mailsec_case_status: ['issue_responder', 'beta', 'write'],
  update_mailsec_case_statuses: ['issue_responder', 'beta', 'write'],
  mark_mailsec_messages_suspicious: ['analyst', 'v1', 'write'],
  mark_mailsec_messages_sensitive: ['analyst', 'v1', 'write'],
  get_mailsec_trusted_entities: ['analyst', 'v1', 'read'],
  create_mailsec_trusted_entity: ['analyst', 'v1', 'high'],
  update_mailsec_trusted_entity: ['analyst', 'v1', 'high'],
  bulk_update_mailsec_trusted_entities: ['analyst', 'v1', 'high'],
  delete_mailsec_trusted_entity: ['analyst', 'v1', 'high'],
  update_mailsec_account_settings: ['settings_admin', 'v1', 'high'],
  update_mailsec_detections: ['analyst', 'v1', 'high'],
}

/** Skills beyond the specification's list. docs/reference/mailsec.md gives the reasons. */
const added: typeof specified = {
  get_mailsec_issue: ['issue_responder', 'v1', 'read'],
}

test('every skill of the specification is there, with its role, its API and its impact', () => {
  const found = [...plugin().skills.values()].map(({ id, impact, document }) => [id, [document.minimum_role, document.api, impact]])
  expect(Object.fromEntries(found)).toEqual({ ...specified, ...added })
})

/**
 * The skill's description mentions roles that depend on its use, and the behaviour rules of
 * specification 4.4.
 */
test.each([
  ['get_mailsec_issues', /beta API, which may need the role Analyst/],
  ['get_mailsec_case_details', /beta API\. Check once whether the tenant has access/],
  ['update_mailsec_case_status', /beta API\. Check once whether the tenant has access/],
  ['update_mailsec_case_statuses', /beta API\. Check once whether the tenant has access/],
  ['search_mailsec_messages', /content needs Email Content Admin/],
  ['get_mailsec_message_search_results', /content needs Email Content Admin/],
  ['get_mailsec_message', /need Email Content Admin/],
  ['get_mailsec_trusted_entities', /Analyst or Settings Admin/],
  ['create_mailsec_trusted_entity', /Analyst or Settings Admin/],
  ['update_mailsec_trusted_entity', /Analyst or Settings Admin/],
  ['bulk_update_mailsec_trusted_entities', /Analyst or Settings Admin/],
  ['delete_mailsec_trusted_entity', /Analyst or Settings Admin/],
  ['search_mailsec_messages', /get_mailsec_message_search_results with the search_id until its status is DONE.*get_mailsec_message with its id/],
  ['update_mailsec_issue', /replaces the whole list of remediation actions/],
  ['bulk_update_mailsec_trusted_entities', /no transaction, so some may succeed while others fail/],
  ['mark_mailsec_messages_sensitive', /require its reader to sign in again/],
  ['update_mailsec_detections', /can stop issues of that class.*set overrides for them/],
  ['update_mailsec_account_settings', /complete identity challenges/],
  ['create_mailsec_trusted_entity', /audited/],
  ['update_mailsec_trusted_entity', /audited/],
  ['bulk_update_mailsec_trusted_entities', /audited/],
  ['delete_mailsec_trusted_entity', /audited/],
])('%s warns: %s', (id, words) => {
  expect(plugin().skills.get(id)?.document.warnings?.join('\n')).toMatch(words)
})

test('every write names its target', () => {
  expect([...plugin().skills.values()].filter(({ impact, target }) => impact !== 'read' && target === null)).toEqual([])
})
