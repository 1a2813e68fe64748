import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsole } from '../../../runtime/console/index.ts'
import { descriptionOf, expectProblem } from '../../support/api/api-client.ts'
import { type ApiServer, startApi } from '../../support/api/api-server.ts'

let api: ApiServer
const consoleFiles = createConsole()

beforeAll(async () => {
  api = await startApi({ console: consoleFiles })
})
afterAll(() => api.close())

type Headers = Readonly<Record<string, string>>

async function get(url: string, headers: Headers = {}) {
  const { statusCode, headers: answered, body } = await api.app.inject({ method: 'GET', url, headers })
  return { status: statusCode, headers: answered, body }
}

const signIn = (key: string, headers: Headers = {}) => api.app.inject({ method: 'POST', url: '/console/sign-in', payload: { key }, headers })

test('the page loads only its own files, cannot be framed, and its files may be cached for ever', async () => {
  for (const path of ['/', '/console']) expect((await get(path)).headers.location).toBe('/console/')
  const page = await get('/console/')
  expect(page.status).toBe(200)
  expect(page.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
  const nonce = /<meta name="style-nonce" content="([\w-]{20,})"/.exec(page.body)?.[1]
  expect(page.headers['content-security-policy']).toContain(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; font-src 'self'`,
  )
  expect((await get('/console/')).body).not.toContain(String(nonce))
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(page.body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bon\w+=/)
  const named = [...page.body.matchAll(/(?:href|src)="\/console\/files\/(main-[A-Z0-9]+\.(?:js|css))"/g)].map(([, name = '']) => name)
  expect(named.map((name) => name.slice(name.lastIndexOf('.')))).toEqual(['.css', '.js'])
  for (const name of named) {
    const file = await get(`/console/files/${name}`)
    expect(file).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' },
    })
    expect(file.body.length).toBeGreaterThan(1_000)
  }
})

test.each(['/console/files/none.js', '/console/files/..%2f..%2fpackage.json', '/console/files/main.tsx'])('%s does not exist', async (url) => {
  const { status, headers, body } = await get(url)
  expectProblem({ status, headers, body: JSON.parse(body) })
  expect(status).toBe(404)
})

test.each(['/console/alerts', '/console/cases/ACME-42', '/console/playbooks/a%2Fb'])('%s is an address of the page', async (url) => {
  expect(await get(url)).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
})

test('files are compressed for browsers that accept it', async () => {
  const page = await get('/console/')
  const script = /src="([^"]+\.js)"/.exec(page.body)?.[1] ?? ''
  const length = async (headers: Headers): Promise<number> => {
    const { headers: answered, rawPayload } = await api.app.inject({ method: 'GET', url: script, headers })
    expect(answered.vary).toBe('accept-encoding')
    return answered['content-encoding'] === 'gzip' ? gunzipSync(rawPayload).length : -rawPayload.length
  }
  const whole = await length({ 'accept-encoding': 'br, gzip' })
  expect(whole).toBeGreaterThan(100_000)
  for (const refused of [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip;q=0' }] as Headers[]) expect(await length(refused)).toBe(-whole)
})

test('what the page loads first is less than 300 KB, compressed', async () => {
  const { files, page } = await consoleFiles()
  const named = [...page('').matchAll(/"\/console\/files\/([^"]+)"/g)].map(([, name = '']) => name)
  const loaded = new Set<string>()
  const load = (name: string): void => {
    if (loaded.has(name)) return
    loaded.add(name)
    const text = name.endsWith('.js') ? String(files.get(name)?.body) : ''
    // Static imports only: `import(…)` loads a page when somebody opens it.
    for (const [, part = ''] of text.matchAll(/(?:from|import)\s*"[^"]*?([\w-]+\.js)"/g)) load(part)
  }
  named.forEach(load)
  const bytes = [...loaded].reduce((sum, name) => sum + (files.get(name)?.gzipped?.length ?? 0), 0)
  expect(loaded.size).toBeGreaterThan(1)
  expect(bytes).toBeLessThan(300_000)
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

test('the OpenAPI document leaves out the console', async () => {
  expect(Object.keys((await descriptionOf(api.app)).paths).filter((path) => path.startsWith('/console'))).toEqual([])
})
