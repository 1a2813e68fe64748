import type { Effect, Json } from '../../domain/index.ts'
import type { ErrorCode } from '../../errors/index.ts'
import { durationText } from '../../formats/index.ts'
import { writeJson } from '../../json/index.ts'
import { concluded, knownOutput } from '../answer/conclude.ts'
import { failureFromCode } from '../answer/failures.ts'
import { failed } from '../answer/judge.ts'
import type { HandlerHost } from '../call/call-host.ts'
import type { CallFailure, CallResult } from '../call/call-result.ts'
import { mostMoves } from '../isolate/pool.ts'
import { type IsolateEnd, mostText } from '../isolate/protocol.ts'
import type { HandlerPlan, Plugin, Skill } from '../types.ts'
import { cutMessage, readFinish } from './finish.ts'
import { AskRefused, HandlerService, readAsk } from './service/index.ts'

/**
 * Calls a skill that is code: runs its handler in an isolate, and does in the host what the handler
 * asks for. `host.acts` records what the host has sent, even if the isolate dies. If the isolate
 * process ends under the handler, the handler starts again, finally in a process of its own,
 * because another call may have killed the process.
 * @returns like `callRequest`. If the call fails after one of its requests has changed something,
 * `effect` is `done`
 * @throws what `host.acts` throws: the run was abandoned, or the outcome of a write is being
 * settled there
 */
export async function callHandler(plugin: Plugin, skill: Skill, plan: HandlerPlan, input: Json, host: HandlerHost): Promise<CallResult> {
  const start = { input, fields: host.fields, call: { key: host.key, now: host.acts.begin() } }
  const live = async (kind: IsolateRunKind) => {
    const ending = new AbortController()
    const service = new HandlerService(plugin, skill, plan, host, ending)
    const end = await inIsolate(plan, start, { host, service, ending, kind })
    if (service.broken) throw service.broken.reason
    return { service, end }
  }
  let last = await live('first')
  for (let moves = 0; goesOn(last, host); moves += 1) {
    const alone = moves === mostMoves || (last.end !== 'timeout' && last.end.kind === 'died')
    host.log('warn', 'the isolate process ended under the handler, which starts again', {})
    last = await live(alone ? 'alone' : 'again')
    if (alone) break
  }
  const { service, end } = last
  const outcome = await conclude(skill, plan, input, service, end, host)
  // Nothing to add: the output, even a partial one, has the outcome of each item.
  if (outcome.ok || outcome.output !== undefined) return outcome
  const known: CallResult = {
    ...outcome,
    ...knownOutput(skill, input, service.told),
    ...(service.answered.count > 0 && { requests: service.answered.list }),
  }
  if (!service.changed || outcome.effect === 'unknown') return known
  const message = `${outcome.failure.message} Before that, ${service.changed} of its requests had changed something.`
  return { ...known, effect: 'done', failure: { ...outcome.failure, message } }
}

/** Returns whether a handler must start again because its isolate process ended. */
function goesOn({ service, end }: { readonly service: HandlerService; readonly end: IsolateEnd | 'timeout' }, { signal }: HandlerHost): boolean {
  return end !== 'timeout' && (end.kind === 'died' || end.kind === 'displaced') && !service.doubt && !signal.aborted
}

/** `again` and `alone`: the handler's process has ended under it before. */
type IsolateRunKind = 'first' | 'again' | 'alone'

interface IsolateRun {
  readonly host: HandlerHost
  readonly service: HandlerService
  readonly ending: AbortController
  readonly kind: IsolateRunKind
}

/** Why the asks of a call end when it does. Without a reason, each call would make an exception with a stack trace. */
const ended = new Error('The call has ended.')
/** How often a handler may ask for anything but requests: waits, rows, ends of streams. */
const otherAsks = 100_000

async function inIsolate(plan: HandlerPlan, start: object, { host, service, ending, kind }: IsolateRun): Promise<IsolateEnd | 'timeout'> {
  let late = false
  let cancel = (): void => {}
  const onAbort = (): void => ending.abort()
  host.signal.addEventListener('abort', onAbort)
  if (host.signal.aborted) onAbort()
  try {
    const end = await host.isolates.run({
      owner: host.owner,
      bundle: plan.bundle,
      memory: plan.memory,
      limits: { text: mostText, asks: plan.maxRequests + otherAsks },
      start: JSON.stringify(start),
      begun: () => {
        service.ends = host.clock.now() + host.timeout
        cancel = host.clock.after(host.timeout, () => {
          late = true
          ending.abort()
        })
      },
      signal: ending.signal,
      again: kind !== 'first',
      alone: kind === 'alone',
      ask: async (op, text) => {
        try {
          const reply = await service.serve(await readAsk(op, text, host))
          if ('json' in reply) return `{"ok":true,"value":${reply.json}}`
          return await writeJson(reply as unknown as Json, { turns: host.turns, key: host.owner })
        } catch (error) {
          if (error instanceof AskRefused) return JSON.stringify(service.refuse(error.message))
          throw error
        }
      },
    })
    return late && end.kind === 'stopped' ? 'timeout' : end
  } finally {
    cancel()
    host.signal.removeEventListener('abort', onAbort)
    ending.abort(ended)
    // Wait for requests in flight: they may have changed something, and their answers must be recorded.
    await service.settled()
  }
}

async function conclude(
  skill: Skill,
  plan: HandlerPlan,
  input: Json,
  service: HandlerService,
  end: IsolateEnd | 'timeout',
  host: HandlerHost,
): Promise<CallResult> {
  const ended = (code: ErrorCode, message: string): CallResult => failed(skill, service.reached, failureFromCode(code, message))
  if (service.doubt) return failed(skill, 'unknown', service.doubt.failure)
  if (service.overrun) return failed(skill, service.reached, service.overrun)
  if (end === 'timeout') return ended('handler_timeout', `${skill.id} took longer than ${durationText(plan.timeout)}.`)
  if (end.kind === 'memory') return ended('handler_memory', `${skill.id} used more than ${plan.memory / 1024 / 1024} MiB.`)
  if (end.kind === 'broken') return ended('handler_failed', `${skill.id}: ${end.message}`)
  if (end.kind === 'busy') return ended('isolates_busy', `${skill.id} has not started: all slots for handlers are taken.`)
  if (end.kind === 'excess') return ended('output_too_large', `${skill.id}: ${end.message}`)
  if (end.kind === 'died' || end.kind === 'displaced') return ended('handler_died', `${skill.id}: the isolate process ended.`)
  if (end.kind === 'stopped') return ended('network', 'The call was abandoned.')
  const finish = await readFinish(end.body, host)
  const words = 'message' in finish ? cutMessage(finish.message) : ''
  switch (finish.kind) {
    case 'returned':
      return returned(skill, input, service, finish.output)
    case 'refused': {
      const failure = service.failures[finish.index]
      return failure ? failed(skill, failure.effect, failure.failure) : ended('handler_failed', `${skill.id} reported a failure that did not happen.`)
    }
    case 'failed': {
      const own = Object.hasOwn(plan.errors, finish.code) ? plan.errors[finish.code] : undefined
      if (!own) return ended('handler_failed', `${skill.id} failed with ${finish.code.slice(0, 100)}, which it does not declare: ${words}`)
      return failed(skill, effectOfOwn(service), ownFailure(finish.code, own, words))
    }
    case 'unfit':
      return failed(skill, effectOfOwn(service), failureFromCode('skill_input_invalid', words))
    case 'threw':
      return ended('handler_failed', `${skill.id}: ${words}`)
  }
}

/**
 * Returns the effect of a call that its handler ended with an error of its own. Reads have changed
 * nothing.
 */
function effectOfOwn({ reached, changed }: HandlerService): Effect {
  if (reached === 'not_sent') return 'not_sent'
  return changed > 0 ? 'done' : 'refused'
}

function returned(skill: Skill, input: Json, service: HandlerService, given: Json): CallResult {
  const wrote = service.answered.count > 0
  const changed = skill.impact !== 'read' && service.sure !== 'yes' ? service.sure : undefined
  return concluded(skill, input, {
    given,
    faults: [...service.odd],
    changed,
    wrote,
    sent: service.reached !== 'not_sent',
    unsigned: service.unsigned,
    heard: {
      ...(service.incomplete !== null && { incomplete: service.incomplete }),
      ...(service.answeredAt !== null && { answeredAt: service.answeredAt }),
    },
  })
}

function ownFailure(code: string, { cause, remedy }: { readonly cause: string; readonly remedy: string }, message: string): CallFailure {
  return { code, message: message === '' ? cause : `${cause} ${message}`, remedy, retryAfter: null }
}
