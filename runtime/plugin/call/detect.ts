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

/** The request that finds it out. @throws TocsinError `template_failed`, `skill_input_invalid` */
export function detectionRequest({ request, auth }: Detection, fields: CallHost['fields']): SkillRequest {
  return { ...renderRequest(request, { credentials: fields }), ...(auth && { auth }) }
}

/** What the answer says: one segment of a path, or the failure that the answer is. */
export function detectedIn(plugin: Plugin, { name, select }: Detection, answer: SkillAnswer): Detected {
  const { status, body } = answer
  const row = matchRow(plugin.manifest.errors, answer, { method: 'GET', path: '' })
  if (row || status < 200 || status > 299) return { ok: false, failure: failureOf(row ?? defaultMeaning(status), answer) }
  const page = notJson(answer, true)
  const value = page === null ? selected(select, body) : null
  if (value !== null) return { ok: true, value }
  const failure = failureFromCode('answer_not_understood', page ?? `The answer does not say which ${name} the system has.`)
  return { ok: false, failure: { ...failure, vendor: { status } } }
}

/** Null where the answer has no such text or number. What stands in a path must not lead elsewhere. */
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
