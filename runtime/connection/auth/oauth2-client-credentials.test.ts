import { expect, test } from 'vitest'
import type { Json } from '../../domain/index.ts'
import { compileCondition, compileText } from '../../expressions/index.ts'
import type { AuthDocument, SkillAnswer, TokenPlan } from '../../plugin/index.ts'
import { oauth2ClientCredentialsScheme } from './oauth2-client-credentials.ts'
import type { TokenGrant } from './scheme.ts'

type OauthDocument = Extract<AuthDocument, { scheme: 'oauth2_client_credentials' }>

const document: OauthDocument = {
  scheme: 'oauth2_client_credentials',
  token_url: '',
  client_id: { credential: 'id' },
  client_secret: { credential: 'key' },
  expired: true,
}
const plan: TokenPlan = {
  url: compileText('https://{{ credentials.host }}/token'),
  lifetime: null,
  expired: compileCondition({ '==': [{ var: 'body.0.errorCode' }, 'INVALID_SESSION_ID'] }),
  errors: [],
}
const secret = (name: string): string => (name === 'id' ? 'id 1' : 'p:a+s/s~é')

function grantOf(parts: Partial<OauthDocument> = {}, planned: Partial<TokenPlan> = {}): TokenGrant {
  const { grant } = oauth2ClientCredentialsScheme({ ...document, ...parts }, { ...plan, ...planned })
  if (!grant) throw new Error('there is no grant')
  return grant
}

function answer(status: number, body: Json, headers: Record<string, string> = { 'content-type': 'application/json' }): SkillAnswer {
  return { status, headers, body }
}

test('the client id and secret are sent in the form', () => {
  const { url, method, headers, body } = grantOf({ scope: 'api full' }).ask({ host: 'a.example' }, secret)
  expect([method, url.href, headers['content-type']]).toEqual(['POST', 'https://a.example/token', 'application/x-www-form-urlencoded'])
  expect(body).toBe('grant_type=client_credentials&client_id=id+1&client_secret=p%3Aa%2Bs%2Fs%7E%C3%A9&scope=api+full')
  expect(headers).not.toHaveProperty('authorization')
})

test('or with HTTP Basic, form-encoded', () => {
  const { headers, body } = grantOf({ style: 'basic' }).ask({ host: 'a.example' }, secret)
  expect(body).toBe('grant_type=client_credentials')
  expect(Buffer.from(String(headers['authorization']).slice('Basic '.length), 'base64').toString()).toBe('id+1:p%3Aa%2Bs%2Fs%7E%C3%A9')
})

test("an invalid URL is the connection's fault", () => {
  expect(() => grantOf().ask({ host: '[' }, secret)).toThrow(expect.objectContaining({ code: 'connection_invalid' }))
})

test.each<[Json, number | null]>([
  [{}, 7_200_000],
  [{ expires_in: 60 }, 60_000],
  [{ expires_in: '60' }, 60_000],
  [{ expires_in: 0 }, 7_200_000],
  [{ expires_in: 'soon' }, 7_200_000],
  [{ expires_in: -5 }, 7_200_000],
  [{ expires_in: 1e15 }, 31_536_000_000],
  [{ expires_in: 1e308 }, 31_536_000_000],
])('a token lasts as long as its answer says, else as the manifest does: %j', (more, lifetime) => {
  const body = { access_token: 't', refresh_token: 'r', instance_url: 'https://a.example', issued_at: '17', n: 1, ...(more as object) }
  const granted = grantOf({}, { lifetime: 7_200_000 }).read(answer(200, body))
  expect(granted).toMatchObject({ token: 't', lifetime, members: { instance_url: 'https://a.example', issued_at: '17' } })
  expect(Object.keys(granted?.members ?? {})).not.toContain('refresh_token')
  expect(Object.keys(granted?.members ?? {})).not.toContain('access_token')
})

test.each<[number, Json]>([
  [400, { access_token: 't' }],
  [302, { access_token: 't' }],
  [200, {}],
  [200, { access_token: '' }],
  [200, { access_token: 'a\nb' }],
  [200, { access_token: 't', token_type: 'mac' }],
  [200, []],
  [200, 'access_token=t'],
  [200, null],
])('no token is read from %i %j', (status, body) => {
  expect(grantOf().read(answer(status, body))).toBeNull()
})

test.each<[number, Json, string, RegExp]>([
  [400, { error: 'invalid_client' }, 'token_refused', /client secret/],
  [401, { error: 'invalid_client' }, 'token_refused', /client secret/],
  [
    400,
    { error: 'invalid_grant', error_description: 'request not supported on this domain' },
    'token_refused',
    /\(400: request not supported on this domain\)/,
  ],
  [400, { error: 'unsupported_grant_type' }, 'token_refused', /flow/],
  [400, { error: 'inactive_org' }, 'token_refused', /refused to give/],
  [200, { error: 'invalid_client' }, 'token_refused', /client secret/],
  [403, '<html></html>', 'token_refused', /refused to give/],
  [400, { error: 'temporarily_unavailable' }, 'vendor_unavailable', /./],
  [503, { error: 'other' }, 'vendor_unavailable', /./],
  [429, {}, 'rate_limited', /./],
  [302, '', 'answer_not_understood', /./],
  [200, {}, 'answer_not_understood', /without an access token/],
  [200, '<html><title>Sign in</title></html>', 'answer_not_understood', /the page "Sign in"/],
  [200, { access_token: 't', token_type: 'mac' }, 'answer_not_understood', /not bearer/],
])('explains an answer without a token: %i %j', (status, body, code, message) => {
  expect(grantOf().failure(answer(status, body))).toMatchObject({
    code,
    message: expect.stringMatching(message),
    remedy: expect.any(String),
    vendor: { status },
  })
})

test("the manifest's rows take precedence", () => {
  const row = {
    when: compileCondition({ '==': [{ var: 'body.error' }, 'invalid_grant'] }),
    code: 'flow_off',
    cause: 'C.',
    remedy: 'R.',
    effect: 'none',
  } as const
  const grant = grantOf({}, { errors: [row] })
  expect(grant.failure(answer(400, { error: 'invalid_grant' }))).toMatchObject({ code: 'flow_off', remedy: 'R.' })
  expect(grant.failure(answer(400, { error: 'invalid_client' }))).toMatchObject({
    code: 'token_refused',
    vendor: { status: 400, code: 'invalid_client' },
  })
})

test('an answer for which the rule cannot be evaluated says nothing about the token', () => {
  const { expired } = grantOf()
  expect(expired(answer(401, [{ errorCode: 'INVALID_SESSION_ID' }]))).toBe(true)
  for (const body of [[{ errorCode: 'OTHER' }], [], {}, 'text', null]) expect(expired(answer(401, body))).toBe(false)
})

test('the token is sent as a bearer token', () => {
  const scheme = oauth2ClientCredentialsScheme(document, plan)
  const request = { method: 'GET', url: new URL('https://a.example'), headers: { accept: 'x' }, body: null }
  expect(scheme.sign(request, secret, 0, 'abc').headers).toEqual({ accept: 'x', authorization: 'Bearer abc' })
})
