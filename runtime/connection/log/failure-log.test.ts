import { expect, test } from 'vitest'
import { ManualClock } from '../../../test/support/clocks/manual-clock.ts'
import type { Connection, Effect } from '../../domain/index.ts'
import { createLogger } from '../../telemetry/index.ts'
import { FailureLog } from './failure-log.ts'

const connectionOf = (id: string, organization: string | null = 'o1'): Connection =>
  ({ id, instance: `${id}-prod`, integration: 'mail', organization }) as unknown as Connection

function listening() {
  const lines: Record<string, unknown>[] = []
  const clock = new ManualClock()
  const logger = createLogger({ level: 'info', destination: { write: (line: string) => void lines.push(JSON.parse(line)) } })
  const log = new FailureLog(logger, clock, async (id) => (String(id) === 'o1' ? 'ACME' : Promise.reject(new Error('the store is away'))))
  const fail = (
    code = 'vendor_unavailable',
    more: { status?: number; effect?: Effect; skill?: string; message?: string; of?: Connection } = {},
  ): void => {
    const { status, effect = 'refused', skill = 'mail.look', message = `it failed (${code})`, of = connectionOf('c') } = more
    log.failed(of, { skill, effect, failure: { code, message, ...(status !== undefined && { vendor: { status } }) } })
  }
  /** Returns the lines that were written, after the names were looked up. */
  const told = async (): Promise<Record<string, unknown>[]> => {
    await new Promise((resolve) => setImmediate(resolve))
    return lines
  }
  return { log, clock, fail, told, answered: (of = connectionOf('c')) => log.answered(of) }
}

const minute = 60_000

test('the first failure is logged at once, with its connection; the others of the minute in one line, with counts', async () => {
  const { clock, fail, told } = listening()
  fail('network')
  expect(await told()).toMatchObject([
    {
      level: 'warn',
      msg: 'calls to an external system are failing',
      organization: 'ACME',
      integration: 'mail',
      connection: 'c-prod',
      failures: 1,
      codes: { network: 1 },
      skills: { 'mail.look': 1 },
      first: { skill: 'mail.look', code: 'network', error: 'it failed (network)', at: expect.any(String) },
    },
  ])
  for (let number = 0; number < 82; number += 1)
    fail(number % 2 === 0 ? 'vendor_unavailable' : 'call_timeout', { skill: `mail.skill_${number % 3}`, message: `${number}` })
  expect(await told()).toHaveLength(1)
  clock.advance(minute)
  expect((await told()).slice(1)).toMatchObject([
    {
      failures: 82,
      in_all: 83,
      seconds: 60,
      codes: { vendor_unavailable: 41, call_timeout: 41 },
      skills: { 'mail.skill_0': 28, 'mail.skill_1': 27, 'mail.skill_2': 27 },
      first: { error: '0' },
      last: { error: '81' },
    },
  ])
})

test('one line a minute while it fails, whatever succeeds in between, and one line on recovery', async () => {
  const { clock, fail, answered, told } = listening()
  for (let minutes = 0; minutes < 5; minutes += 1) {
    for (let call = 0; call < 10; call += 1) {
      fail()
      answered()
    }
    clock.advance(minute)
  }
  const failing = (await told()).filter(({ level }) => level === 'warn')
  expect(failing).toHaveLength(6)
  expect(await told()).toHaveLength(6)
  clock.advance(minute)
  clock.advance(minute)
  answered()
  answered()
  expect((await told()).slice(6)).toMatchObject([
    { level: 'info', msg: 'the external system has recovered', connection: 'c-prod', organization: 'ACME', failures: 50 },
  ])
})

test('silence is not a recovery: the next answer is', async () => {
  const { clock, fail, answered, told } = listening()
  fail()
  for (let minutes = 0; minutes < 60; minutes += 1) clock.advance(minute)
  expect(await told()).toHaveLength(1)
  answered()
  expect((await told())[1]).toMatchObject({ msg: 'the external system has recovered' })
  fail()
  expect((await told())[2]).toMatchObject({ level: 'warn', failures: 1 })
})

test.each<[string, { status?: number; effect?: Effect }, boolean]>([
  ['network', {}, true],
  ['call_timeout', { effect: 'unknown' }, true],
  ['vendor_unavailable', { status: 503 }, true],
  ['rate_limited', { status: 429 }, true],
  ['credentials_rejected', { status: 401 }, true],
  ['role_insufficient', { status: 403 }, true],
  ['transaction_failed', { status: 400, effect: 'unknown' }, true],
  ['answer_not_understood', { status: 200 }, true],
  ['answer_signature_invalid', {}, true],
  ['token_refused', {}, true],
  ['not_found', { status: 404 }, false],
  ['request_rejected', { status: 400 }, false],
  ['conflict', { status: 409 }, false],
  ['paused', {}, false],
  ['send_too_late', {}, false],
  ['skill_input_invalid', {}, false],
])('%s %j is a failure of the system: %s', async (code, more, fault) => {
  const { fail, told } = listening()
  fail(code, more)
  expect(await told()).toHaveLength(fault ? 1 : 0)
})

test("a refusal of the request's content shows that the system is up", async () => {
  const { clock, fail, told } = listening()
  fail()
  clock.advance(minute)
  fail('not_found', { status: 404 })
  expect((await told())[1]).toMatchObject({ msg: 'the external system has recovered' })
})

test('each connection is logged separately, and an unavailable store does not keep a line from being written', async () => {
  const { fail, told } = listening()
  fail('network', { of: connectionOf('a') })
  fail('network', { of: connectionOf('b', 'o2') })
  fail('network', { of: connectionOf('s', null) })
  expect((await told()).map(({ connection, organization }) => [connection, organization]).sort()).toEqual([
    ['a-prod', 'ACME'],
    ['b-prod', 'o2'],
    ['s-prod', null],
  ])
})

test('however much fails, lines stay short and few', async () => {
  const { clock, fail, told } = listening()
  fail()
  for (let number = 0; number < 5_000; number += 1)
    fail(`code_${number}`, { skill: `mail.skill_${number}`, message: `x\n\u001b[31m${'y'.repeat(5_000)}` })
  clock.advance(minute)
  const [, line] = await told()
  expect(JSON.stringify(line).length).toBeLessThan(4_000)
  expect(line).toMatchObject({ codes: { others: 4_980 }, last: { error: expect.stringMatching(/^x \[31my+…$/) } })
})

test('what is not logged yet is logged when the process stops', async () => {
  const { log, fail, told } = listening()
  fail()
  fail()
  await log.close()
  expect(await told()).toMatchObject([{ failures: 1 }, { failures: 1, in_all: 2 }])
})

test('many failing connections do not use up memory', async () => {
  const { fail, told } = listening()
  for (let number = 0; number < 3_000; number += 1) fail('network', { of: connectionOf(`c${number}`) })
  expect(await told()).toHaveLength(3_000)
})
