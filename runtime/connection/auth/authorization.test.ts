import { expect, test } from 'vitest'
import { basicScheme, bearerScheme } from './authorization.ts'

const request = { method: 'GET', url: new URL('https://a.example/'), headers: { accept: 'x' }, body: null }
const credentials: Readonly<Record<string, string>> = { user: 'ada', colon: 'a:b', password: 'pässword:1', token: 't-1' }
const secret = (name: string): string => credentials[name] ?? ''

test('bearer adds the token as a header', () => {
  const { sign } = bearerScheme({ scheme: 'bearer', token: { credential: 'token' } })
  expect(sign(request, secret, 0, null)).toEqual({ ...request, headers: { accept: 'x', authorization: 'Bearer t-1' } })
})

test('basic joins user name and password in UTF-8', () => {
  const { sign } = basicScheme({ scheme: 'basic', username: { credential: 'user' }, password: { credential: 'password' } })
  const { authorization = '' } = sign(request, secret, 0, null).headers
  expect(Buffer.from(authorization.slice('Basic '.length), 'base64').toString('utf8')).toBe('ada:pässword:1')
})

test('a user name with a colon is refused, because it would name another user', () => {
  const { sign } = basicScheme({ scheme: 'basic', username: { credential: 'colon' }, password: { credential: 'password' } })
  expect(() => sign(request, secret, 0, null)).toThrow(expect.objectContaining({ code: 'connection_invalid' }))
})
