import { expect, test } from 'vitest'
import { loadPluginFolder } from '../manifest/load.ts'
import { sampleFolder } from '../testing.ts'
import { catalogueOf } from './catalogue.ts'
import { renderReadme } from './readme.ts'

test('the catalogue shows the form in its order and the skills with their schemas, as plain JSON', async () => {
  const { integration, skills } = catalogueOf(await loadPluginFolder(sampleFolder))
  expect(integration).toMatchObject({
    id: 'directory',
    vendor: { name: 'Example', docs: 'https://example.com/api' },
    roles: [['reader', 'operator', 'owner']],
  })
  expect(integration.credentials.map(({ name, secret, required }) => [name, secret, required])).toEqual([
    ['base_url', false, true],
    ['api_token', true, true],
    ['region', false, false],
  ])
  expect(skills.map(({ id, impact, minimumRole }) => [id, impact, minimumRole])).toEqual([
    ['directory.activate_directory_user', 'write', 'operator'],
    ['directory.get_directory_audit', 'read', 'reader'],
    ['directory.list_directory_users', 'read', 'reader'],
    ['directory.suspend_directory_user', 'high', 'operator'],
  ])
  expect(skills[2]).toMatchObject({ api: 'v2', example: { state: 'suspended' }, input: { properties: { state: { enum: ['active', 'suspended'] } } } })
  expect(JSON.parse(JSON.stringify({ integration, skills }))).toEqual({ integration, skills })
})

test('the README names every credential field, skill, input, warning and error', async () => {
  const readme = renderReadme(await loadPluginFolder(sampleFolder))
  const expected = [
    '| `api_token` | API Token | string | yes | yes |',
    '| `region` | Region | enum: eu, us | no | no |',
    '### suspend_directory_user',
    '> Signs the user out everywhere.',
    '| `users[].state` | active, suspended | yes |',
    '| `max_items` | integer |  | Default 500. |',
    '| `credentials_rejected` |',
    'Undone by `directory.activate_directory_user`.',
    'Five active tokens an account',
  ]
  for (const part of expected) expect(readme).toContain(part)
})
