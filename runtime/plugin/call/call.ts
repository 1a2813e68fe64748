import { type Effect, type Json, moreValuesThan, mostValues, type Unchanged } from '../../domain/index.ts'
import { isTocsinError } from '../../errors/index.ts'
import type { Context } from '../../expressions/index.ts'
import { answeredAt } from '../answer/answer-times.ts'
import { concluded, repeatedField } from '../answer/conclude.ts'
import { CallFailed, failureFromCode, failureOfSending } from '../answer/failures.ts'
import { type Expectation, failed, judge, unreadBody } from '../answer/judge.ts'
import type { SkillAnswer } from '../answer/skill-answer.ts'
import { callHandler } from '../handler/host.ts'
import { needsOf } from '../manifest/roles.ts'
import { followPages } from '../request/paginate.ts'
import { type RequestPlan, renderRequest } from '../request/request.ts'
import type { SkillRequest } from '../request/skill-request.ts'
import type { Plugin, Skill } from '../types.ts'
import type { CallHost, HandlerHost } from './call-host.ts'
import type { CallResult } from './call-result.ts'

/**
 * Calls a skill once.
 * @param input complete and checked (`Skill.checkInput`)
 * @returns like `callRequest`
 */
export function callSkill(plugin: Plugin, skill: Skill, input: Json, host: HandlerHost): Promise<CallResult> {
  const { does } = skill
  if (does.kind === 'request') return callRequest(plugin, skill, does.plan, input, host)
  return callHandler(plugin, skill, does.plan, input, host)
}

/**
 * Calls a declarative skill once: renders its request, lets the host send it, follows its pages,
 * and makes the output or a failure from the answer. Retries nothing; that is the engine's job.
 * @param input complete and checked (`Skill.checkInput`)
 * @returns never rejects because of the external system. The `effect` of a failure: `not_sent`:
 * nothing was sent. `refused`: it was answered and changed nothing. `unknown`: it may have changed
 * something. `done`: it succeeded, but its answer could not be used. A read is never `unknown`
 */
export async function callRequest(plugin: Plugin, skill: Skill, plan: RequestPlan, input: Json, host: CallHost): Promise<CallResult> {
  let reached: Effect = 'not_sent'
  let changed: Unchanged | undefined
  let unsigned = false
  let answered: number | null = null
  const odd = new Set<string>()
  const send = async (request: SkillRequest): Promise<SkillAnswer> => {
    const result = await host.send(request)
    try {
      if (result.effect !== 'done') throw new CallFailed(result.effect, failureOfSending(result))
      if (judge(plugin, expectationOf(plugin, skill, plan, request), result.answer)) changed = 'no'
    } catch (error) {
      if (error instanceof CallFailed) host.heard?.(error)
      throw error
    }
    host.heard?.(null)
    reached = 'done'
    if (result.answer.unvouched) unsigned = true
    answered ??= answeredAt(result.answer.headers)
    if (result.answer.repeated !== undefined) odd.add(repeatedField(result.answer.repeated))
    const unread = unreadBody(result.answer, skill.impact !== 'read')
    if (unread !== null) odd.add(unread)
    return result.answer
  }
  try {
    const made = await outputOf(skill, plan, input, host, send)
    const whole = !moreValuesThan(made.output, mostValues)
    if (!whole && skill.impact === 'read') return failed(skill, 'done', failureFromCode('output_too_large', tooManyValues()))
    const given = whole ? made.output : keptOf(skill, made.output)
    const faults = [...odd, ...made.faults, ...(whole ? [] : [`only the required fields of the output are kept: ${tooManyValues()}`])]
    const heard = { ...(made.incomplete !== null && { incomplete: made.incomplete }), ...(answered !== null && { answeredAt: answered }) }
    return concluded(skill, input, { given, faults, changed, wrote: skill.impact !== 'read', sent: true, unsigned, heard })
  } catch (error) {
    if (error instanceof CallFailed) return failed(skill, error.effect, error.failure)
    if (isTocsinError(error)) return failed(skill, reached, failureFromCode(error.code, error.message))
    throw error
  }
}

// Made when it is needed: the first number that is written like this costs 10 ms, for the rules of all languages.
const tooManyValues = (): string => `The output has more than ${mostValues.toLocaleString('en')} values.`

/**
 * Returns the part of a too large output that the skill requires, or an empty object if that is too
 * large as well.
 */
function keptOf(skill: Skill, output: Json): Json {
  const kept = skill.contractualOutput(output)
  return moreValuesThan(kept, mostValues) ? {} : kept
}

interface Made {
  readonly output: Json
  /** The parts that could not be made from a write's answer. */
  readonly faults: readonly string[]
  /** Set if an answer counts more items than all pages had, in words. */
  readonly incomplete: string | null
}

async function outputOf(
  skill: Skill,
  plan: RequestPlan,
  input: Json,
  host: CallHost,
  send: (request: SkillRequest) => Promise<SkillAnswer>,
): Promise<Made> {
  const context: Context = { input, call: { key: host.key }, credentials: host.fields }
  const request = renderRequest(plan, context)
  if (plan.pages === null) {
    const { body, status, headers } = await send(request)
    const answered = { input, body, status, headers, now: answeredAt(headers) }
    return skill.impact === 'read' ? { output: resultOf(plan, answered, body), faults: [], incomplete: null } : resultOfWrite(plan, answered, body)
  }
  const { turning } = plan.pages
  const { items, page, last, doubt, incomplete } = await followPages(plan.pages, plan.pages.until(context), (name) =>
    send(name === null ? request : turning.turn(request, name)),
  )
  const { body, status, headers } = last
  return {
    output: resultOf(plan, { input, body, status, headers, now: answeredAt(headers), items, page }, items),
    faults: doubt === null ? [] : [doubt],
    incomplete,
  }
}

function resultOf({ result }: RequestPlan, context: Context, whole: Json): Json {
  return result === null ? whole : (result.render(context) ?? null)
}

function resultOfWrite({ result }: RequestPlan, context: Context, whole: Json): Made {
  return { ...(result === null ? { output: whole, faults: [] } : result.renderWhatCan(context)), incomplete: null }
}

function expectationOf(plugin: Plugin, skill: Skill, { expected, readsBody }: RequestPlan, asked: SkillRequest): Expectation {
  return {
    asked,
    expected,
    readsBody,
    alreadyDone: skill.document.idempotent?.already_done ?? [],
    changes: skill.impact !== 'read',
    needs: needsOf(plugin, skill),
  }
}
