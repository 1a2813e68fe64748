import { deeperThan, type Json, mostLevels, parseJson } from '../domain/index.ts'
import type { OutboundAnswer } from '../egress/index.ts'
import type { SkillAnswer } from '../plugin/index.ts'
import type { OpenedAnswer } from './auth/index.ts'
import type { Scrub } from './scrub.ts'

const decoder = new TextDecoder()

/** An answer as plugins see it: parsed, without secrets. */
export function readAnswer({ status, headers, body, unvouched }: OpenedAnswer, scrub: Scrub): SkillAnswer {
  const text = decoder.decode(body)
  const shown = { status, headers: shownHeaders(headers, scrub), body: scrub.json(parsed(text, headers['content-type'] ?? ''), text) }
  return unvouched ? { ...shown, unvouched } : shown
}

export function shownHeaders(headers: OutboundAnswer['headers'], scrub: Scrub): SkillAnswer['headers'] {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, scrub.text(value)]))
}

function parsed(text: string, type: string): Json {
  if (!/json/i.test(type) && !/^\s*[[{]/.test(text)) return text
  try {
    const value = parseJson(text)
    // What nobody could work with is a text like any other that is not understood.
    return deeperThan(value, mostLevels) ? text : value
  } catch {
    return text
  }
}
