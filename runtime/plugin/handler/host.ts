import type { Json } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import { failureFromCode } from '../failures.ts'
import type { IsolateEnd } from '../isolate/protocol.ts'
import { failed } from '../judge.ts'
import type { CallFailure, CallResult, HandlerHost, HandlerPlan, Plugin, Skill } from '../types.ts'
import { AskRefused, readAsk } from './asks.ts'
import { Desk } from './desk.ts'

/** How a handler came to its end, as the prelude tells it. */
type Finish =
  | { readonly kind: 'returned'; readonly output: Json }
  | { readonly kind: 'refused'; readonly index: number }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'threw'; readonly message: string }

/** Characters of what a handler returns. */
const maxOutput = 64 * 1024 * 1024

/**
 * Calls a skill that is code: runs its handler in an isolate, and does in the host what it asks for. What the host has sent is recorded
 * by `host.acts` even if the isolate dies.
 * @returns as `callRequest`. `effect` of a failure is `done` when an earlier request of the same call had changed something
 * @throws what `host.acts` throws: the run was given up, or what became of a write is settled there
 */
export async function callHandler(plugin: Plugin, skill: Skill, plan: HandlerPlan, input: Json, host: HandlerHost): Promise<CallResult> {
  const ending = new AbortController()
  const desk = new Desk(plugin, skill, plan, host, ending)
  const end = await inIsolate(plan, { input, fields: host.fields, call: { key: host.key, now: host.acts.begin() } }, host, desk, ending)
  if (desk.broken) throw desk.broken.reason
  const outcome = conclude(skill, plan, desk, end)
  if (outcome.ok || !desk.changed || outcome.effect === 'unknown') return outcome
  const message = `${outcome.failure.message} Before that, ${desk.changed} of its requests had changed something.`
  return { ...outcome, effect: 'done', failure: { ...outcome.failure, message } }
}

async function inIsolate(plan: HandlerPlan, start: object, host: HandlerHost, desk: Desk, ending: AbortController): Promise<IsolateEnd | 'timeout'> {
  let late = false
  const cancel = host.clock.after(host.timeout, () => {
    late = true
    ending.abort()
  })
  const onAbort = (): void => ending.abort()
  host.signal.addEventListener('abort', onAbort)
  if (host.signal.aborted) onAbort()
  try {
    const end = await host.isolates.run({
      bundle: plan.bundle,
      memory: plan.memory,
      start: JSON.stringify(start),
      signal: ending.signal,
      ask: async (op, text) => {
        try {
          return JSON.stringify(await desk.serve(readAsk(op, text)))
        } catch (error) {
          if (error instanceof AskRefused) return JSON.stringify(desk.refuse(error.message))
          throw error
        }
      },
    })
    return late && end.kind === 'stopped' ? 'timeout' : end
  } finally {
    cancel()
    host.signal.removeEventListener('abort', onAbort)
    ending.abort()
    // What is on its way is waited for: it may have changed something, and its answer is to be recorded.
    await desk.settled()
  }
}

function conclude(skill: Skill, plan: HandlerPlan, desk: Desk, end: IsolateEnd | 'timeout'): CallResult {
  const ended = (code: ErrorCode, message: string): CallResult => failed(skill, desk.reached, failureFromCode(code, message))
  if (desk.doubt) return failed(skill, 'unknown', desk.doubt.failure)
  if (end === 'timeout') return ended('handler_timeout', `${skill.id} took longer than ${plan.timeout} ms.`)
  if (end.kind === 'memory') return ended('handler_memory', `${skill.id} wanted more than ${plan.memory / 1024 / 1024} MiB.`)
  if (end.kind === 'broken') return ended('handler_failed', `${skill.id}: ${end.message}`)
  if (end.kind === 'died') return ended('handler_died', `${skill.id}: the process of the isolates ended.`)
  if (end.kind === 'stopped') return ended('network', 'The call was given up.')
  if (end.body.length > maxOutput) return ended('skill_output_invalid', `${skill.id} returned ${end.body.length} characters.`)
  const finish = JSON.parse(end.body) as Finish
  switch (finish.kind) {
    case 'returned':
      return returned(skill, desk, finish.output)
    case 'refused': {
      const failure = desk.failures[finish.index]
      return failure ? failed(skill, failure.effect, failure.failure) : ended('handler_failed', `${skill.id} names a failure that there was not.`)
    }
    case 'failed': {
      const own = Object.hasOwn(plan.errors, finish.code) ? plan.errors[finish.code] : undefined
      if (!own) return ended('handler_failed', `${skill.id} failed with ${finish.code}, which it does not declare: ${finish.message}`)
      return failed(skill, desk.reached, ownFailure(finish.code, own, finish.message))
    }
    case 'threw':
      return ended('handler_failed', `${skill.id}: ${finish.message}`)
  }
}

function returned(skill: Skill, desk: Desk, given: Json): CallResult {
  const output = skill.exactOutput(given)
  const faults = skill.checkOutput(output)
  if (faults.length === 0) return { ok: true, output }
  const effect = desk.reached === 'not_sent' ? 'not_sent' : 'done'
  return failed(skill, effect, failureFromCode('skill_output_invalid', `${skill.id}: ${faults.slice(0, 5).join('; ')}`))
}

function ownFailure(code: string, { cause, remedy }: { readonly cause: string; readonly remedy: string }, message: string): CallFailure {
  return { code, message: message === '' ? cause : `${cause} ${message}`, remedy, retryAfter: null }
}
