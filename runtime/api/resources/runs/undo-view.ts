import type { Json, Run } from '../../../domain/index.ts'
import type { NotUndone, Undo, UndoneWrite, UndoPreview } from '../../../engine/index.ts'
import { registry } from '../../../errors/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Uuid } from '../../schemas.ts'
import { type RunNames, RunSummarySchema, runView } from './view.ts'

const WriteSchema = Type.Object({
  step: Type.String({ description: 'Address of the step in the run that is undone.' }),
  skill: nullable(Type.String({ description: '<integration>.<skill>; null: it is not known.' })),
  target: nullable(Type.String({ description: 'The target of the write.' })),
  connection: nullable(Type.String({ description: 'The instance.' })),
})

const LeftSchema = Type.Object({
  write: WriteSchema,
  code: Type.String({ description: 'Why it is not undone: a code of the error reference.' }),
  message: Type.String(),
  remedy: Type.String(),
})

const call = {
  undoes: WriteSchema,
  skill: Type.String({ description: 'The skill that undoes it: <integration>.<skill>.' }),
  impact: oneOf(['write', 'high']),
  targets: Type.Array(Type.String()),
  connection: Type.String({ description: 'The current instance name of the connection.' }),
  input: Type.Unsafe<Json>({ description: 'The input that is sent.' }),
}

const PlanSchema = Type.Object({
  digest: Type.String({ description: 'Send it as `plan` to undo exactly this.' }),
  steps: Type.Array(
    Type.Object({
      ...call,
      held: Type.Unsafe<'approval' | 'protected' | null>({
        enum: ['approval', 'protected', null],
        description: 'approval: people must approve the call first; protected: the target is protected, so the call is not sent. Null: neither.',
      }),
    }),
    { description: 'The calls in the order in which they are sent: the undo of the newest write comes first.' },
  ),
  left: Type.Array(LeftSchema, { description: 'The writes that are not undone, and why.' }),
})

const UndoSchema = Type.Object({
  run: RunSummarySchema,
  requested_by: Uuid,
  requested_by_name: nullable(Type.String()),
  request_reason: nullable(Type.String()),
  steps: Type.Array(
    Type.Object({
      step: Type.String({ description: 'Address of the step in the undo.' }),
      ...call,
      outcome: oneOf(
        ['undone', 'failed', 'in_doubt', 'not_begun', 'pending'],
        'in_doubt: nobody knows whether it was undone; not_begun: the undo ended before this call; pending: the call has not ended yet.',
      ),
      code: nullable(Type.String({ description: 'For a call that failed.' })),
      message: nullable(Type.String()),
    }),
  ),
  left: Type.Array(LeftSchema),
})

export const RunUndoSchema = Type.Object(
  {
    run_id: Type.String({ description: 'The run that is undone.' }),
    plan: Type.Union([Type.Null(), PlanSchema], { description: 'What an undo would do now. Null while an undo runs.' }),
    undo: Type.Union([Type.Null(), UndoSchema], { description: 'The latest undo with its result. Null: there was none.' }),
  },
  { $id: 'RunUndo', description: 'The undo of a run: its plan, and its result.' },
)

function writeView({ address, skill, target, connection }: UndoneWrite): Static<typeof WriteSchema> {
  return { step: address, skill, target, connection }
}

function leftView({ write, code, message }: NotUndone): Static<typeof LeftSchema> {
  return { write: writeView(write), code, message, remedy: registry[code].remedy }
}

function callOf(step: UndoPreview['document']['steps'][number]) {
  const { undoes, integration, skill, impact, targets, connection, input } = step
  return { undoes: writeView(undoes), skill: `${integration}.${skill}`, impact, targets: [...targets], connection: connection.instance, input }
}

function undoView({ run, document, ends }: Undo, names: RunNames): Static<typeof UndoSchema> {
  return {
    run: runView(run, names),
    requested_by: run.undo?.by ?? '',
    requested_by_name: run.undo?.name ?? null,
    request_reason: run.undo?.reason ?? null,
    steps: document.steps.map((step) => ({
      step: step.id,
      ...callOf(step),
      ...(ends.get(step.id) ?? { outcome: 'pending' as const, code: null, message: null }),
    })),
    left: document.left.map(leftView),
  }
}

export function runUndoView(run: Run, { document, digest, held, last }: UndoPreview, names: RunNames): Static<typeof RunUndoSchema> {
  const going = last !== null && last.run.endedAt === null
  return {
    run_id: run.id,
    plan: going ? null : { digest, steps: document.steps.map((step) => ({ ...callOf(step), held: held(step) })), left: document.left.map(leftView) },
    undo: last && undoView(last, names),
  }
}
