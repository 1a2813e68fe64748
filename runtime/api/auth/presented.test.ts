import { expect, test } from 'vitest'
import { presentedKey } from './presented.ts'

test.each([
  ['Session=abc', 'abc'],
  ['Session="abc"', 'abc'],
  ['Session=abc; theme=dark', 'abc'],
  ['theme=dark; Session=abc', 'abc'],
  ['theme=dark;Session="abc" ; x=y', 'abc'],
  ['Session=a=b', 'a=b'],
])('the cookie %s presents %s', (cookie, key) => {
  expect(presentedKey({ cookie })).toBe(key)
})

test.each(['', 'Session=', 'Session=""', 'session=abc', 'MySession=abc', 'Session', 'theme="Session=abc"', ';;;='])(
  'the cookie %j presents no key',
  (cookie) => {
    expect(presentedKey({ cookie })).toBeNull()
  },
)

test('a bearer token is read whatever the case of its scheme, and counts before the cookie', () => {
  expect(presentedKey({ authorization: 'Bearer abc' })).toBe('abc')
  expect(presentedKey({ authorization: 'bearer  abc ' })).toBe('abc')
  expect(presentedKey({ authorization: 'Bearer abc', cookie: 'Session=other' })).toBe('abc')
})

test.each(['cross-site', 'same-site'])('a cookie on a request that a %s page made presents no key, a header does', (site) => {
  expect(presentedKey({ cookie: 'Session=abc', 'sec-fetch-site': site })).toBeNull()
  expect(presentedKey({ authorization: 'Bearer abc', 'sec-fetch-site': site })).toBe('abc')
})

test.each(['same-origin', 'none'])('a cookie of a request from %s presents its key', (site) => {
  expect(presentedKey({ cookie: 'Session=abc', 'sec-fetch-site': site })).toBe('abc')
})

test('the password of basic authentication is read if it is a key', () => {
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`
  expect(presentedKey({ authorization: basic('source:tsk_abc') })).toBe('tsk_abc')
  expect(presentedKey({ authorization: basic(':tsk_abc').replace('Basic', 'basic') })).toBe('tsk_abc')
  expect(presentedKey({ authorization: basic('source:tsk_abc'), cookie: 'Session=other' })).toBe('tsk_abc')
  expect(presentedKey({ authorization: basic('proxy:secret') })).toBeNull()
  expect(presentedKey({ authorization: basic('proxy:secret'), cookie: 'Session=key' })).toBe('key')
  expect(presentedKey({ authorization: basic('source:name:tsk_abc') })).toBeNull()
})

test('another authorization scheme, or an empty bearer, leaves the cookie to decide', () => {
  expect(presentedKey({ authorization: 'Basic abc' })).toBeNull()
  expect(presentedKey({ authorization: 'Bearer ' })).toBeNull()
  expect(presentedKey({ authorization: 'Basic abc', cookie: 'Session=key' })).toBe('key')
  expect(presentedKey({})).toBeNull()
})
