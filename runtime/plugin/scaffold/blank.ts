import { manifestFile, type NewFile, skillFile } from './files.ts'

/**
 * Returns the files of an example: a plugin that looks up a person. The guide "Your first plugin" explains it.
 * @param id the id of the plugin, which is the name of its folder
 */
export function blankPlugin(id: string): readonly NewFile[] {
  const user = { id: 'u-7', manager: 'bob' }
  const fixture = {
    exchanges: [
      {
        request: { method: 'GET', path: '/users/ada%40acme.example', query: [], headers: {} },
        answer: { status: 200, headers: { 'content-type': 'application/json' }, body: user },
      },
    ],
    output: user,
  }
  return [
    manifestFile({
      format: 1,
      id,
      name: titled(id),
      vendor: { name: 'Acme', api: 'REST API v1', docs: 'https://docs.acme.example' },
      version: '1.0.0',
      categories: ['identity'],
      credentials: [
        { name: 'url', label: 'URL', type: 'origin', required: true, help: 'Scheme and host only.' },
        { name: 'api_key', label: 'API key', type: 'string', secret: true, required: true },
      ],
      origins: ['{{ credentials.url }}'],
      auth: { scheme: 'header', header: 'x-api-key', value: { credential: 'api_key' } },
      request: { base_path: '/v1', timeout: '30s' },
      test: { request: { method: 'GET', path: '/users', query: { limit: 1 } }, expect: { status: 200 } },
      rate_limit: { per: 'connection', requests: 10, interval: '1s', burst: 10 },
      errors: [keyRefused],
    }),
    skillFile({
      format: 1,
      id: 'get_user',
      title: 'Get User',
      purpose: 'Look up a person by e-mail address.',
      category: 'investigation',
      impact: 'read',
      api: 'v1',
      input: {
        type: 'object',
        additionalProperties: false,
        required: ['email'],
        properties: { email: { type: 'string', format: 'email', 'x-semantic': 'email_address' } },
      },
      output: { type: 'object', required: ['id'], properties: { id: { type: 'string' }, manager: { type: 'string' } } },
      request: { method: 'GET', path: '/users/{{ input.email }}', result: '{{ body }}' },
      examples: [{ input: { email: 'ada@acme.example' }, fixture: 'user-ada' }],
    }),
    { path: 'fixtures/user-ada.json', text: `${JSON.stringify(fixture, null, 2)}\n` },
  ]
}

/** What a 401 means. */
export const keyRefused = {
  when: { '==': [{ var: 'status' }, 401] },
  code: 'key_refused',
  cause: 'The credentials are wrong or expired.',
  remedy: 'Enter new ones.',
  effect: 'none' as const,
}

/** Returns a title: `list_users` becomes `List Users`. */
export function titled(name: string): string {
  return name
    .split('_')
    .filter((word) => word !== '')
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join(' ')
}
