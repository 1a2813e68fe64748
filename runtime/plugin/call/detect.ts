import type { Json } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import { defaultMeaning, failureFromCode, failureOf, matchRow, notJson } from '../answer/failures.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import { renderRequest } from '../request/request.ts'
import type { SkillRequest } from '../request/skill-request.ts'
import type { Detection, Plugin } from '../types.ts'
import type { CallHost } from './call-host.ts'
import type { CallFailure } from './call-result.ts'

export type Detected = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly failure: CallFailure }

/** Returns the request that detects a value. @throws TocsinError `template_failed`, `skill_input_invalid` */
export function detectionRequest({ request, auth }: Detection, fields: CallHost['fields']): SkillRequest {
  return { ...renderRequest(request, { credentials: fields }), ...(auth && { auth }) }
}

/**
 * Reads the detected value from an answer: one segment of a path. Returns a failure if the answer
 * has none.
 */
export function detectedIn(plugin: Plugin, { name, select }: Detection, answer: SkillAnswer): Detected {
  const { status, body } = answer
  const row = matchRow(plugin.manifest.errors, answer, { method: 'GET', path: '' })
  if (row || status < 200 || status > 299) return { ok: false, failure: failureOf(row ?? defaultMeaning(status), answer) }
  const page = notJson(answer, true)
  const value = page === null ? selected(select, body) : null
  if (value !== null) return { ok: true, value }
  const failure = failureFromCode('answer_not_understood', page ?? `The answer has no usable value for ${name}.`)
  return { ok: false, failure: { ...failure, vendor: { status } } }
}

/**
 * Returns null if the answer has no such text or number, or one that could change the structure of
 * a path.
 */
function selected(select: Detection['select'], body: Json): string | null {
  try {
    const value = select.render({ body })
    const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
    return /^[\w~-][\w.~-]*$/.test(text) && text.length <= 100 ? text : null
  } catch (error) {
    if (isTocsinError(error) && error.code === 'template_failed') return null
    throw error
  }
}
