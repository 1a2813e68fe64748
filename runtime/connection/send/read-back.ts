import { type OutboundAnswer, type OutboundStream, Pieces } from '../../egress/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { SkillAnswer, StreamResult } from '../../plugin/index.ts'
import type { CallAnswers } from '../answer/call-answers.ts'
import { readAnswer, shownHeaders } from '../answer/read-answer.ts'
import type { Signed } from './sign.ts'
import type { NotDone } from './types.ts'

type Read = { readonly ok: true; readonly answer: SkillAnswer } | { readonly ok: false; readonly failure: NotDone }

/**
 * Stage: scrub. Verifies and reads an answer, and removes the secrets from it. The request has left
 * by now, so a failure here leaves its effect unknown.
 */
export async function readBack(
  { open, scrub }: Pick<Signed, 'open' | 'scrub'>,
  answer: OutboundAnswer | (() => Promise<OutboundAnswer>),
  answers: CallAnswers,
  signal: AbortSignal,
): Promise<Read> {
  try {
    const whole = typeof answer === 'function' ? await answer() : answer
    await answers.admit(whole.body.length, signal)
    const opened = await open(whole)
    return { ok: true, answer: await readAnswer(opened, scrub(), answers) }
  } catch (error) {
    if (error instanceof TocsinError) return { ok: false, failure: { effect: 'unknown', code: error.code, message: scrub().text(error.message) } }
    if (signal.aborted) return { ok: false, failure: { effect: 'unknown', code: 'network', message: 'The call was abandoned.' } }
    throw error
  }
}

type Streamed = Extract<OutboundStream, { effect: 'done' }>['answer']

/**
 * Stage: scrub, for an answer that is read as it arrives. Secrets are removed from each part. The
 * stream is not unwrapped, even if the auth scheme wraps answers. A refusal is read whole, because
 * the error rows need it.
 * @param maxRefusal the most bytes that a refusal may have
 */
export async function streamBack(
  signed: Pick<Signed, 'open' | 'scrub'>,
  { status, headers, body, cancel }: Streamed,
  maxRefusal: number,
  answers: CallAnswers,
  signal: AbortSignal,
): Promise<StreamResult> {
  const { scrub } = signed
  if (status >= 200 && status < 300) {
    const shown = shownHeaders(headers, scrub())
    return { effect: 'done', answer: { status, headers: shown, body, cancel, clean: (json) => scrub().jsonText(json) } }
  }
  const refusal = await readBack(signed, async () => ({ status, headers, body: await readWhole(body, maxRefusal) }), answers, signal)
  return refusal.ok ? { effect: 'done', refusal: refusal.answer } : refusal.failure
}

async function readWhole(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const pieces = new Pieces(limit)
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new TocsinError('answer_too_large', `The answer is larger than ${limit} bytes.`)
    pieces.add(chunk)
  }
  return pieces.joined()
}
