import { expect, test } from 'vitest'
import type { Json } from '../../../runtime/domain/index.ts'
import { type CallResult, targetsOf } from '../../../runtime/plugin/index.ts'
import { mailsecPlugin } from './plugin.ts'

const { call, output, faults, plugin, simulator } = mailsecPlugin('settings_admin')
const bulk = 'bulk_update_mailsec_trusted_entities'
const path = '/api/v1/trusted-entities/bulk'
const creations = (count: number, name: string): { operation: string; kind: string; value: string }[] =>
  Array.from({ length: count }, (_, number) => ({ operation: 'create', kind: 'domain', value: `${name}${number}.example` }))
// biome-ignore lint/suspicious/noExplicitAny: what is known of a call that failed
const known = (result: CallResult): any => (result.ok ? null : result.output)
const system = (): string => simulator().trustedEntities.find(({ managedBy }) => managedBy === 'system')?.id ?? ''

test('450 operations make three requests, and the results are in the given order', async () => {
  const { writes } = simulator().counts
  const { results, ...counts } = await output(bulk, { operations: creations(450, 'many') })
  expect(counts).toEqual({ all_done: true, done: 450, failed: 0, not_sent: 0, unknown: 0 })
  expect(results.map(({ index, value }: { index: number; value: string }) => [index, value])).toEqual(
    creations(450, 'many').map((_, at) => [at, `many${at}.example`]),
  )
  expect(simulator().counts.writes).toBe(writes + 3)
  expect(simulator().trusted(results[449].entity_id)).toMatchObject({ value: 'many449.example' })
})

test("some operations succeed while others fail, with the platform's messages", async () => {
  const [created] = (await output(bulk, { operations: creations(1, 'mixed') })).results
  const operations = [
    { operation: 'delete', entity_id: system() },
    { operation: 'update', entity_id: created.entity_id, enabled: false },
    { operation: 'create', kind: 'domain', value: 'mixed0.example' },
    { operation: 'delete', entity_id: 'none' },
    { operation: 'delete', entity_id: created.entity_id },
  ]
  const result = await call(bulk, { operations })
  expect(result).toMatchObject({
    ok: false,
    effect: 'done',
    failure: { code: 'items_failed', message: expect.stringContaining('2 of 5 were done, 3 failed') },
  })
  const { results, all_done, done, failed } = known(result)
  expect([all_done, done, failed]).toEqual([false, 2, 3])
  expect(results.map(({ status, error }: { status: string; error: { code: string } | null }) => [status, error?.code])).toEqual([
    ['failed', 'system_managed'],
    ['done', undefined],
    ['failed', 'already_exists'],
    ['failed', 'not_found'],
    ['done', undefined],
  ])
  expect(results[0].error.message).toBe('A system-managed entity cannot be deleted.')
})

test('after a refused request, its operations and the rest are not sent, and earlier results are kept', async () => {
  simulator().fail({ failure: 'slow', milliseconds: 0, method: 'POST', path })
  simulator().fail({ failure: 'rate_limited', method: 'POST', path })
  const result = await call(bulk, { operations: creations(450, 'limited') })
  expect(result).toMatchObject({ ok: false, effect: 'done', failure: { code: 'items_failed' } })
  const { results, ...counts } = known(result)
  expect(counts).toEqual({ all_done: false, done: 200, failed: 0, not_sent: 250, unknown: 0 })
  expect(results[200]).toMatchObject({ status: 'not_sent', error: { code: 'rate_limited' } })
  expect(results[449]).toMatchObject({ status: 'not_sent', error: { code: 'rate_limited' } })
})

test('the call fails if its first request is refused', async () => {
  simulator().fail({ failure: 'unauthorized' })
  expect(await call(bulk, { operations: creations(250, 'refused') })).toMatchObject({ effect: 'refused', failure: { code: 'credentials_rejected' } })
})

test('a request with an unknown outcome leaves the call in doubt', async () => {
  simulator().fail({ failure: 'cut_after_effect', method: 'POST', path })
  expect(await call(bulk, { operations: creations(2, 'cut') })).toMatchObject({ ok: false, effect: 'unknown', failure: { code: 'network' } })
  simulator().fail({ failure: 'slow', milliseconds: 0, method: 'POST', path })
  simulator().fail({ failure: 'server_error_after_effect', method: 'POST', path })
  const broken = await call(bulk, { operations: creations(201, 'broken') })
  expect(broken).toMatchObject({ ok: false, effect: 'unknown' })
  // The results of the earlier request are known.
  expect(known(broken)).toMatchObject({ all_done: false, done: 200, failed: 0 })
  expect(known(broken).results).toHaveLength(200)
})

test('an operation needs exactly the fields of its kind', () => {
  const wrong = (operation: Json): string => faults(bulk, { operations: [operation] }).join('; ')
  expect(wrong({ operation: 'create', kind: 'domain' })).toContain('operations.0.value is missing')
  expect(wrong({ operation: 'create', kind: 'domain', value: 'a.example', entity_id: 'e' })).toContain('entity_id is not allowed together')
  expect(wrong({ operation: 'update', enabled: true })).toContain('operations.0.entity_id is missing')
  expect(wrong({ operation: 'update', entity_id: 'e', value: 'a.example' })).toContain('value is not allowed together')
  expect(wrong({ operation: 'delete', entity_id: 'e', enabled: true })).toContain('enabled is not allowed together')
  expect(wrong({ operation: 'replace', entity_id: 'e' })).toContain('must be one of')
  expect(faults(bulk, { operations: [] })).toHaveLength(1)
  expect(faults(bulk, { operations: creations(2001, 'x') })).toHaveLength(1)
})

test('each target is named once', () => {
  const skill = plugin().skills.get(bulk)
  const operations = [{ operation: 'delete', entity_id: 'e' }, ...creations(2, 'd'), { operation: 'update', entity_id: 'e', enabled: true }]
  expect(skill && targetsOf(skill, { operations })).toEqual(['d0.example', 'd1.example', 'e'])
})
