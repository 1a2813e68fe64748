import { cutText, type Json, mostLevels, mostNames, parseJson } from '../../domain/index.ts'
import type { OutboundAnswer } from '../../egress/index.ts'

import { decodeInTurns, type JsonLimits, type JsonPath, JsonRefused, readJson } from '../../json/index.ts'
import { brokenJson, charsetOf, codingFault, misencoded, type SkillAnswer, unknownCharset } from '../../plugin/index.ts'
import type { AnswerReading } from './answer-reading.ts'
import type { OpenedAnswer } from './opened-answer.ts'
import type { Scrub } from './scrub.ts'

/** The limits on the structure of an answer (docs/reference/limits.md). */
export const answerLimits: JsonLimits = { levels: mostLevels, values: 1_000_000, names: mostNames }

/**
 * Bytes that are kept of a failed answer that is not JSON, and characters that are examined to see
 * whether a text is JSON.
 */
const [longestPage, looked] = [65_536, 1_024]

/** Bytes of the longest character in any charset. */
const longestCharacter = 4

/** Longest path of a field in a warning, in characters. */
const longestField = 200

/**
 * Reads an answer as plugins see it: parsed, without secrets, and otherwise exactly as it was sent.
 * Long answers are read in turns. If the answer is not JSON, the body is its text. If it cannot be
 * read exactly, or exceeds the limits, the body is empty and `fault` says why. A refusal keeps as
 * much of its body as can be read, because the error rows need it.
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
  // Nothing is nothing in every charset, and compressed, too. Some systems declare both for a 204.
  if (body.length === 0) return { ...shown, body: '' }
  const coding = codingFault(shown.headers)
  if (coding !== null) return { ...shown, body: '', fault: coding }
  const type = headers['content-type'] ?? ''
  const charset = charsetOf(type, body)
  // Messages show the content type without secrets. What it says is decided with all of it.
  const shownType = shown.headers['content-type'] ?? ''
  if ('fault' in charset) {
    const told = charsetOf(shownType, body)
    return { ...shown, body: '', fault: unknownCharset('fault' in told ? told.fault : 'its charset is not known') }
  }
  const fine = status >= 200 && status < 300
  // Only the beginning of an error page is ever examined.
  const kept = fine || isJson(body, headers) ? body : body.subarray(0, longestPage)
  const text = await exactly(kept, reading, charset.name, kept.length < body.length)
  // A secret that the end of what is kept divides is recognised only as a whole.
  const around = kept.length < body.length ? body.subarray(0, kept.length + scrub.longest * longestCharacter) : null
  const whole = around && (await decoded(around, reading, charset.name))
  if (text !== null) {
    const read = await bodyOf(whole ?? text, type, scrub, reading, text.length)
    // The text of a refusal is passed on even if its JSON is broken.
    return { ...shown, ...(fine || read.fault !== broken ? read : { body: read.body }) }
  }
  const fault = misencoded(charset.name, shownType)
  if (fine) return { ...shown, body: '', fault }
  const legible = await decoded(kept, reading, charset.name)
  return { ...shown, body: (await bodyOf(whole ?? legible, type, scrub, reading, legible.length)).body, fault }
}

const broken = 'The answer claims to be JSON but cannot be parsed. It may have been cut off.'

/** Removes secrets from the values of headers. Names of headers never contain any. */
export function shownHeaders(headers: OutboundAnswer['headers'], scrub: Scrub): SkillAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, scrub.text(value)]))
}

/** Decodes an answer. Bytes that are invalid in its charset are replaced. */
export function decoded(body: Uint8Array, reading: AnswerReading, charset = 'utf-8'): Promise<string> {
  return decodeInTurns(new TextDecoder(charset), body, reading.turns, reading.tenant)
}

/**
 * Decodes an answer without replacing anything. Returns null if it has bytes that are invalid in
 * its charset.
 * @param cut whether the text may end in the middle of a character
 */
async function exactly(body: Uint8Array, reading: AnswerReading, charset: string, cut: boolean): Promise<string | null> {
  try {
    return await decodeInTurns(new TextDecoder(charset, { fatal: true }), body, reading.turns, reading.tenant, cut)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

/**
 * Returns the path of a field for warnings, without secrets. All items of a list get the same path,
 * so the log reports a field once.
 */
function fieldAt(path: JsonPath, scrub: Scrub): string {
  const field = path.map((key) => (typeof key === 'number' ? '*' : scrub.text(key))).join('.')
  return cutText(field, longestField).toWellFormed()
}

type Body = Pick<SkillAnswer, 'body' | 'fault' | 'repeated'>

function isJson(body: Uint8Array, headers: OutboundAnswer['headers']): boolean {
  return /json/i.test(headers['content-type'] ?? '') || /^\s*[[{]/.test(new TextDecoder('latin1').decode(body.subarray(0, looked)))
}

/** @param end where a text that is not JSON is cut */
async function bodyOf(text: string, type: string, scrub: Scrub, { turns, tenant }: AnswerReading, end: number): Promise<Body> {
  const cleaned = (long: string, to?: number): Promise<string> => scrub.longText(long, turns, tenant, to)
  // Many writes are answered as JSON without a body. To find out where that is no JSON costs more than the rest of reading it.
  if (text === '' || (!/json/i.test(type) && !/^\s*[[{]/.test(text.slice(0, looked)))) return { body: await cleaned(text, end) }
  const piece = (source: string): Json => scrub.json(parseJson(source), source)
  const heard: JsonPath[] = []
  try {
    const body = await readJson(text, {
      limits: answerLimits,
      turns,
      key: tenant,
      piece,
      text: (long) => cleaned(long),
      repeated: (path) => heard.push(path),
    })
    const [repeated] = heard
    return { body, ...(repeated && { repeated: fieldAt(repeated, scrub) }) }
  } catch (error) {
    if (!(error instanceof JsonRefused)) throw error
    if (error.fault === 'syntax') return { body: await cleaned(text, end), ...(brokenJson(text, type) && { fault: broken }) }
    return { body: '', fault: `The answer ${error.message}, which is the limit.` }
  }
}
