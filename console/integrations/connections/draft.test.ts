import { expect, test } from 'vitest'
import type { ConnectionAnswer, IntegrationView } from '../../../runtime/api/index.ts'
import { changeOf, creationOf, draftOf, newDraft, withoutKey } from './draft.ts'

const field = (name: string, secret: boolean) => ({ name, secret }) as IntegrationView['credentials'][number]
const integration = { id: 'mfa', credentials: [field('idp_url', false), field('alias', false), field('token', true)] } as unknown as IntegrationView
const standing = {
  instance: 'mfa-acme',
  organization_code: 'ACME',
  description: 'd',
  credentials: { idp_url: 'https://a.example', alias: 'x' },
  role: null,
  expires_at: null,
  remote_agent: null,
  slots: [],
  is_default: false,
  revision: 3,
} as unknown as ConnectionAnswer
const none = new Set<string>()

test('a new connection gets a name that no other has, and sends what is not in the file', () => {
  const draft = newDraft(integration, 'ACME', ['mfa-acme', 'mfa-acme-2'])
  expect(draft.instance).toBe('mfa-acme-3')
  const filled = { ...draft, fields: { alias: 'x', token: 'typed' }, paste: 'token=t' }
  expect(creationOf(integration, filled, new Set(['token']))).toMatchObject({ credentials: { alias: 'x' }, paste: 'token=t', role: null })
})

test('a change sends only what differs: an empty secret stays, an emptied plain field is cleared', () => {
  const draft = draftOf(standing)
  expect(changeOf(integration, draft, standing, none)).toEqual({ revision: 3 })
  const changed = { ...draft, description: 'e', fields: { ...draft.fields, alias: '', token: '' } }
  expect(changeOf(integration, changed, standing, none)).toEqual({ revision: 3, description: 'e', credentials: { alias: null } })
  const secret = { ...draft, fields: { ...draft.fields, token: 'new' } }
  expect(changeOf(integration, secret, standing, none)).toEqual({ revision: 3, credentials: { token: 'new' } })
})

test('the line of one key can be left out of the file, and no other', () => {
  expect(withoutKey('token=a\r\ntoken_2=b\n  token : c\n#token\nother=token=1', 'token')).toBe('token_2=b\n#token\nother=token=1')
})
