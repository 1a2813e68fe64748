import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsole } from '../../../runtime/console/index.ts'
import { descriptionOf, expectProblem } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer

beforeAll(async () => {
  api = await startApi({ console: createConsole() })
})
afterAll(() => api.close())

type Headers = Readonly<Record<string, string>>

async function get(url: string, headers: Headers = {}) {
  const { statusCode, headers: answered, body } = await api.app.inject({ method: 'GET', url, headers })
  return { status: statusCode, headers: answered, body }
}

const signIn = (key: string, headers: Headers = {}) => api.app.inject({ method: 'POST', url: '/console/sign-in', payload: { key }, headers })

test('the page loads only its own files, cannot be framed, and its files may be cached for ever', async () => {
  expect((await get('/console')).headers.location).toBe('/console/')
  const page = await get('/console/')
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
  expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=/)
  const named = [...page.body.matchAll(/(?:href|src)="(main-[A-Z0-9]+\.(?:js|css))"/g)].map(([, name = '']) => name)
  expect(named.map((name) => name.slice(name.lastIndexOf('.')))).toEqual(['.css', '.js'])
  for (const name of named) {
    const file = await get(`/console/${name}`)
    expect(file).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
    })
    expect(file.body.length).toBeGreaterThan(1_000)
  }
})

test.each(['/console/none.js', '/console/..%2f..%2fpackage.json', '/console/main.tsx'])('%s does not exist', async (url) => {
  const { status, headers, body } = await get(url)
  expectProblem({ status, headers, body: JSON.parse(body) })
  expect(status).toBe(404)
})

test('a valid key signs in with a cookie that scripts cannot read and other sites cannot send', async () => {
  const key = await api.addKey(['decisions:read', 'decisions:answer'])
  const answer = await signIn(` ${key}\n`)
  expect(answer.json()).toMatchObject({ name: 'test', scopes: ['decisions:read', 'decisions:answer'] })
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'set-cookie': `Session=${key}; Path=/; HttpOnly; SameSite=Strict` })
  expect((await signIn(key, { origin: 'https://tocsin.example' })).headers['set-cookie']).toMatch(/; Secure$/)

  const cookie = `Session=${key}`
  expect(await get('/console/me', { cookie, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 })
  expect(await get('/platformapi/decisions', { cookie, 'sec-fetch-site': 'same-origin' })).toMatchObject({ status: 200 })
  for (const site of ['cross-site', 'same-site'])
    expect(await get('/platformapi/decisions', { cookie, 'sec-fetch-site': site })).toMatchObject({ status: 401 })
})

test('signing out removes the cookie', async () => {
  const answer = await api.app.inject({ method: 'POST', url: '/console/sign-out' })
  expect(answer).toMatchObject({ statusCode: 204 })
  expect(answer.headers['set-cookie']).toBe('Session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0')
})

test('without a valid key nobody is signed in', async () => {
  const refused = await signIn('mistyped')
  expectProblem({ status: refused.statusCode, headers: refused.headers, body: refused.json() })
  expect(refused.json()).toMatchObject({ code: 'key_rejected' })
  expect(refused.headers['set-cookie']).toBeUndefined()
  expect(JSON.parse((await get('/console/me')).body)).toMatchObject({ code: 'key_missing' })
  expect(JSON.parse((await get('/console/me', { cookie: 'Session=mistyped' })).body)).toMatchObject({ code: 'key_rejected' })
})

test('an admin key has every permission, and does not appear in the log', async () => {
  expect((await signIn(api.admin)).json().scopes).toContain('decisions:answer')
  expect(api.log.join('\n')).not.toContain(api.admin)
})

test('the OpenAPI document leaves out the console', () => {
  expect(Object.keys(descriptionOf(api.app).paths).filter((path) => path.startsWith('/console'))).toEqual([])
})
