import type { Alert, AlertUuid, Clock, Ids, Run, RunId } from '../domain/index.ts'
import type { RunTrace, SkillCaller } from '../engine/index.ts'
import { ExecutionTrace } from './run-trace.ts'
import { senderSpanOf } from './sender-span.ts'
import type { Span } from './span.ts'

/** A place for spans. */
export interface Spans {
  add(span: Span): void
}

/**
 * Makes the trace of each alert: when it came, each execution of its runs, their steps and their calls. The id of the trace is the UUID of the
 * alert. So each process makes spans of the same trace, also after another one has died, and nothing about it is stored.
 */
export class Tracer {
  readonly #spans: Spans
  readonly #clock: Pick<Clock, 'now'>
  readonly #ids: Pick<Ids, 'uuid'>
  readonly #traces = new Map<RunId, ExecutionTrace>()

  constructor(spans: Spans, clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'uuid'>) {
    this.#spans = spans
    this.#clock = clock
    this.#ids = ids
  }

  /** A new alert is durable. Call right when it is. @param traceparent the header with which the sender names its own span */
  received({ uuid, alertId, type, provider, organizationCode, createdAt }: Alert, traceparent: string | null): void {
    this.#spans.add({
      trace: digitsOf(uuid),
      id: firstSpanOf(uuid),
      parent: null,
      name: 'receive alert',
      kind: 'received',
      began: createdAt,
      ended: this.#clock.now(),
      attributes: {
        'tocsin.alert.id': alertId,
        'tocsin.alert.type': type,
        'tocsin.alert.provider': provider,
        'tocsin.organization': organizationCode,
      },
      error: null,
      sender: senderSpanOf(traceparent),
    })
  }

  /** An execution of a run begins. */
  begin(run: Run, alert: Alert): RunTrace {
    const trace: ExecutionTrace = new ExecutionTrace(
      {
        now: () => this.#clock.now(),
        spanId: () => digitsOf(this.#ids.uuid()).slice(16),
        add: (span) => this.#spans.add(span),
        over: () => {
          // Another execution of it may have begun here meanwhile.
          if (this.#traces.get(run.id) === trace) this.#traces.delete(run.id)
        },
      },
      run,
      alert,
      { trace: digitsOf(alert.uuid), parent: firstSpanOf(alert.uuid) },
    )
    this.#traces.set(run.id, trace)
    return trace
  }

  /** Returns a caller whose calls are spans of their runs. */
  watch(caller: SkillCaller): SkillCaller {
    return {
      call: async (call) => {
        const trace = call.run && this.#traces.get(call.run)
        if (!trace) return caller.call(call)
        const began = this.#clock.now()
        const result = await caller.call(call)
        trace.called(call, began, result)
        return result
      },
    }
  }
}

function digitsOf(uuid: string): string {
  return uuid.replaceAll('-', '')
}

/** The span with which a trace begins. Each process can compute it. */
function firstSpanOf(uuid: AlertUuid): string {
  return digitsOf(uuid).slice(16)
}
