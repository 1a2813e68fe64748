import { type Json, mostLevels, mostNames, parseJson } from '../../domain/index.ts'
import type { OutboundAnswer } from '../../egress/index.ts'

import { decodeInTurns, type JsonLimits, type JsonPath, JsonRefused, readJson } from '../../json/index.ts'
import { brokenJson, charsetOf, codingFault, misencoded, type SkillAnswer, unknownCharset } from '../../plugin/index.ts'
import type { AnswerReading } from './answer-reading.ts'
import type { OpenedAnswer } from './opened-answer.ts'
import type { Scrub } from './scrub.ts'

/** What an answer may be made of (docs/reference/limits.md). */
export const answerLimits: JsonLimits = { levels: mostLevels, values: 1_000_000, names: mostNames }

/** Bytes of a failure's page that are kept, and characters that say whether a text may be JSON. */
const [longestPage, looked] = [65_536, 1_024]

/** Characters of a field's path in a warning. */
const longestField = 200

/**
 * An answer as plugins see it: parsed, without secrets, and exactly what was sent. A long one is read in turns.
 * What is no JSON comes as its text. An answer that cannot be read without changing it, or is more than may be read, comes without a body,
 * with the reason in `fault`; of a refusal there is as much of a body as can be read, for the error rows.
 */
export async function readAnswer(
  { status, headers, body, unvouched, repeated }: OpenedAnswer,
  scrub: Scrub,
  reading: AnswerReading,
): Promise<SkillAnswer> {
  const shown = {
    status,
    headers: shownHeaders(headers, scrub),
    ...(unvouched && { unvouched }),
    ...(repeated && { repeated: fieldAt(repeated, scrub) }),
  }
  const coding = codingFault(headers)
  if (coding !== null) return { ...shown, body: '', fault: coding }
  const type = headers['content-type'] ?? ''
  const charset = charsetOf(type, body)
  if ('fault' in charset) return { ...shown, body: '', fault: unknownCharset(charset.fault) }
  const fine = status >= 200 && status < 300
  // Of a page that tells of a failure, only the beginning is ever looked at.
  const kept = fine || isJson(body, headers) ? body : body.subarray(0, longestPage)
  const text = await exactly(kept, reading, charset.name, kept.length < body.length)
  if (text !== null) {
    const read = await bodyOf(text, type, scrub, reading)
    // What a refusal says is told as it stands.
    return { ...shown, ...(fine || read.fault !== broken ? read : { body: read.body }) }
  }
  const fault = misencoded(charset.name, type)
  if (fine) return { ...shown, body: '', fault }
  const { body: legible } = await bodyOf(await decoded(kept, reading, charset.name), type, scrub, reading)
  return { ...shown, body: legible, fault }
}

const broken = 'The answer says that it is JSON and cannot be read; it may have been cut.'

/** Each header without secrets; in a name there is none. */
export function shownHeaders(headers: OutboundAnswer['headers'], scrub: Scrub): SkillAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, scrub.text(value)]))
}

/** The text of an answer; bytes that its charset does not have are replaced. */
export function decoded(body: Uint8Array, reading: AnswerReading, charset = 'utf-8'): Promise<string> {
  return decodeInTurns(new TextDecoder(charset), body, reading.turns, reading.tenant)
}

/** The same, exactly; null: it has bytes that its charset does not have. @param cut whether it may end within a character */
async function exactly(body: Uint8Array, reading: AnswerReading, charset: string, cut: boolean): Promise<string | null> {
  try {
    return await decodeInTurns(new TextDecoder(charset, { fatal: true }), body, reading.turns, reading.tenant, cut)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/** A field as warnings name it: without secrets, and alike for every item of a list, so that the log tells of it once. */
function fieldAt(path: JsonPath, scrub: Scrub): string {
  const field = path.map((key) => (typeof key === 'number' ? '*' : scrub.text(key))).join('.')
  return (field.length > longestField ? `${field.slice(0, longestField)}…` : field).toWellFormed()
}

type Body = Pick<SkillAnswer, 'body' | 'fault' | 'repeated'>

function isJson(body: Uint8Array, headers: OutboundAnswer['headers']): boolean {
  return /json/i.test(headers['content-type'] ?? '') || /^\s*[[{]/.test(new TextDecoder('latin1').decode(body.subarray(0, looked)))
}

async function bodyOf(text: string, type: string, scrub: Scrub, { turns, tenant }: AnswerReading): Promise<Body> {
  const cleaned = (long: string): Promise<string> => scrub.longText(long, turns, tenant)
  if (!/json/i.test(type) && !/^\s*[[{]/.test(text.slice(0, looked))) return { body: await cleaned(text) }
  const piece = (source: string): Json => scrub.json(parseJson(source), source)
  const heard: JsonPath[] = []
  try {
    const body = await readJson(text, { limits: answerLimits, turns, key: tenant, piece, text: cleaned, repeated: (path) => heard.push(path) })
    const [repeated] = heard
    return { body, ...(repeated && { repeated: fieldAt(repeated, scrub) }) }
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error
    if (error.fault === 'syntax') return { body: await cleaned(text), ...(brokenJson(text, type) && { fault: broken }) }
    return { body: '', fault: `The answer ${error.message}, which is the limit.` }
  }
}
