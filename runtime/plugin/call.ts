import type { Effect, Json } from '../domain/index.ts'
import { isTocsinError } from '../errors/index.ts'
import type { Context } from '../expressions/index.ts'
import { CallFailed, defaultMeaning, failureFromCode, failureOf, matchRow, notJson } from './failures.ts'
import { followPages } from './paginate.ts'
import { type RequestPlan, renderRequest } from './request.ts'
import type { CallFailure, CallHost, CallResult, Plugin, Skill, SkillAnswer, SkillRequest } from './types.ts'

/**
 * Calls a declarative skill once: renders its request, lets the host send it, follows its pages, and makes the output of the answer or a
 * failure of what went wrong. Tries nothing twice; that is the engine's business.
 *
 * @param input complete and checked (`Skill.checkInput`)
 * @returns never rejects for what the external system does. `effect` of a failure: `not_sent`: nothing left; `refused`: it was answered
 *   and changed nothing; `unknown`: it may have changed something; `done`: it succeeded and its answer could not be used. A read is
 *   never `unknown`.
 */
export async function callSkill(plugin: Plugin, skill: Skill, input: Json, host: CallHost): Promise<CallResult> {
  let reached: Effect = 'not_sent'
  const send = async (request: SkillRequest): Promise<SkillAnswer> => {
    const result = await host.send(request)
    if (result.effect !== 'done')
      throw new CallFailed(result.effect, { ...failureFromCode(result.code, result.message), retryAfter: result.retryAfter ?? null })
    judge(plugin, skill, result.answer)
    reached = 'done'
    return result.answer
  }
  try {
    const output = skill.exactOutput(await outputOf(skill.request, input, host, send))
    const faults = skill.checkOutput(output)
    if (faults.length === 0) return { ok: true, output }
    return failed(skill, 'done', failureFromCode('skill_output_invalid', `${skill.id}: ${faults.slice(0, 5).join('; ')}`))
  } catch (error) {
    if (error instanceof CallFailed) return failed(skill, error.effect, error.failure)
    if (isTocsinError(error)) return failed(skill, reached, failureFromCode(error.code, error.message))
    throw error
  }
}

function failed(skill: Skill, effect: Effect, failure: CallFailure): CallResult {
  return { ok: false, effect: skill.impact === 'read' && effect === 'unknown' ? 'refused' : effect, failure }
}

async function outputOf(plan: RequestPlan, input: Json, host: CallHost, send: (request: SkillRequest) => Promise<SkillAnswer>): Promise<Json> {
  const context: Context = { input, call: { key: host.key }, credentials: host.fields }
  const request = renderRequest(plan, context)
  if (plan.pages === null) {
    const { body, status, headers } = await send(request)
    return resultOf(plan, { input, body, status, headers, now: answeredAt(headers) }, body)
  }
  const { turning } = plan.pages
  const { items, page, last } = await followPages(plan.pages, plan.pages.until(context), (name) =>
    send(name === null ? request : turning.turn(request, name)),
  )
  const { body, status, headers } = last
  return resultOf(plan, { input, body, status, headers, now: answeredAt(headers), items, page }, items)
}

/** Epoch milliseconds of the answer by its own `Date`, so that what the system says of time is read by the system's clock; null without one. */
function answeredAt({ date }: SkillAnswer['headers']): number | null {
  const time = Date.parse(date ?? '')
  return Number.isNaN(time) ? null : time
}

function resultOf({ result }: RequestPlan, context: Context, whole: Json): Json {
  return result === null ? whole : (result.render(context) ?? null)
}

/**
 * Whether an answer is a success. A status that the skill names is, except that error rows may still find an error in a 2xx answer: some
 * systems answer 200 and say in the body that it failed.
 * @throws CallFailed
 */
function judge(plugin: Plugin, skill: Skill, answer: SkillAnswer): void {
  const { expected, readsBody } = skill.request
  const { status } = answer
  const fine = status >= 200 && status < 300
  const wanted = expected === null ? fine : expected.includes(status)
  if (wanted && !fine) return
  const row = matchRow(plugin.manifest.errors, answer, skill.request.method)
  if (row !== null) {
    if (skill.document.idempotent?.already_done?.includes(row.code)) return
    throw new CallFailed(row.effect === 'none' ? 'refused' : 'unknown', failureOf(row, answer))
  }
  const text = fine ? notJson(answer, readsBody) : null
  if (text !== null) throw new CallFailed('unknown', { ...failureFromCode('answer_not_understood', text), vendor: { status } })
  if (wanted) return
  const meaning = defaultMeaning(status)
  throw new CallFailed(meaning.effect === 'none' ? 'refused' : 'unknown', failureOf(meaning, answer))
}
