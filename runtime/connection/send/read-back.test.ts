import { expect, test } from 'vitest'
import type { OutboundAnswer } from '../../egress/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { noTurns } from '../../fairness/index.ts'
import { Answers } from '../answer/call-answers.ts'
import { createScrub } from '../answer/scrub.ts'
import { readBack, streamBack } from './read-back.ts'

const { signal } = new AbortController()
const answers = new Answers(noTurns).forCall('acme')
const scrub = () => createScrub(['canary-secret'])
const plain = { scrub, open: (answer: OutboundAnswer) => answer }
const json = { 'content-type': 'application/json' }

function answered(body: string): OutboundAnswer {
  return { status: 200, headers: json, body: new TextEncoder().encode(body) }
}

test('an answer is opened before it is read, and has no secrets', async () => {
  const opened = { ...plain, open: () => answered('{"told":"canary-secret"}') }
  const read = await readBack(opened, answered('sealed'), answers, signal)
  expect(read).toMatchObject({ ok: true, answer: { status: 200, body: { told: expect.not.stringContaining('canary-secret') } } })
})

test('an answer that cannot be verified leaves the effect unknown, and its failure shows no secret', async () => {
  const open = (): never => {
    throw new TocsinError('answer_signature_invalid', 'not signed with canary-secret')
  }
  const read = await readBack({ scrub, open }, answered('{}'), answers, signal)
  expect(read).toMatchObject({ ok: false, failure: { effect: 'unknown', code: 'answer_signature_invalid' } })
  expect(JSON.stringify(read)).not.toContain('canary-secret')
})

test('a bug is thrown, not reported as a failure of the system', async () => {
  const open = (): never => {
    throw new RangeError('a bug')
  }
  await expect(readBack({ scrub, open }, answered('{}'), answers, signal)).rejects.toThrow('a bug')
})

function streamed(status: number, parts: readonly string[]) {
  const body = (async function* () {
    for (const part of parts) yield new TextEncoder().encode(part)
  })()
  return { status, headers: json, body, cancel: () => {} }
}

test('a stream is passed on as it is, and each part of it is cleaned', async () => {
  const result = await streamBack(plain, streamed(200, ['a', 'b']), 10, answers, signal)
  if (result.effect !== 'done' || !('answer' in result)) throw new Error('it is no stream')
  expect(result.answer.clean('["canary-secret"]')).not.toContain('canary-secret')
})

test('a refusal is read whole, up to its limit', async () => {
  const refusal = await streamBack(plain, streamed(403, ['{"error":', '"no"}']), 100, answers, signal)
  expect(refusal).toMatchObject({ effect: 'done', refusal: { status: 403, body: { error: 'no' } } })
  expect(await streamBack(plain, streamed(403, ['{"error":', '"no"}']), 10, answers, signal)).toMatchObject({
    effect: 'unknown',
    code: 'answer_too_large',
  })
})
