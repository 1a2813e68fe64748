import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { runOf } from '../shared/index.ts'
import { RunUndoSchema, runUndoView } from './undo-view.ts'
import { namesOfRuns } from './view.ts'

const id = Type.Object({ id: Type.String({ maxLength: 100, description: 'The run_id.' }) })
const uncertain = Type.Optional(
  Type.Boolean({
    default: false,
    description: 'Also undo writes whose answer was lost and which may have changed nothing.',
  }),
)
const Body = Type.Object(
  {
    reason: Type.Optional(Type.String({ format: 'text', minLength: 1, maxLength: 2_000, description: 'Shown in the case.' })),
    uncertain,
    plan: Type.Optional(Type.String({ maxLength: 100, description: 'The digest of the plan that you saw. Refused if the plan has changed since.' })),
  },
  { additionalProperties: false },
)

/** Adds `/platformapi/runs/{id}/undo`: what an undo would do or has done, and undo it. */
export function runUndoRoutes(app: Api, context: ApiContext): void {
  const { store, undo } = context.services
  app.addSchema(RunUndoSchema)

  app.get(
    '/platformapi/runs/:id/undo',
    operation(
      context,
      {
        tag: 'runs',
        permission: 'runs:read',
        id: 'getUndo',
        summary: 'Read the undo plan of a run, or the result of its undo',
        description: 'Changes nothing. Shows, for each write of the run, the call that undoes it, or why it is not undone.',
        errors: ['run_unknown', 'run_going', 'run_undoes'],
      },
      { params: id, querystring: Type.Object({ uncertain }), response: { 200: Type.Ref('RunUndo#') } },
    ),
    async (request) => {
      const { scope } = callerOf(request)
      const run = await runOf(store, scope, request.params.id)
      return runUndoView(run, await undo.preview(run, request.query.uncertain ?? false), await namesOfRuns(store, scope, [run]))
    },
  )

  app.post(
    '/platformapi/runs/:id/undo',
    operation(
      context,
      {
        tag: 'runs',
        permission: 'runs:write',
        id: 'undoRun',
        summary: 'Undo a run',
        description:
          'Undoes the writes of the run, in a new run. Status 202: the undo has begun; read it to see its progress. Status 200: the undo exists already. After an undo has ended, the next one continues with the rest.',
        errors: ['run_unknown', 'run_going', 'run_undoes', 'undo_nothing', 'undo_changed'],
      },
      { params: id, body: Body, querystring: Type.Object({}), response: { 200: Type.Ref('RunUndo#'), 202: Type.Ref('RunUndo#') } },
    ),
    async (request, reply) => {
      const { principal, scope } = callerOf(request)
      const run = await runOf(store, scope, request.params.id)
      const { reason = null, uncertain: also = false, plan: seen = null } = request.body
      const undoing = await undo.begin(run, { by: principal, reason, uncertain: also, seen })
      if (undoing.begun && undoing.last) {
        const writes = undoing.last.document.steps.length
        tellAct(context, request, 'a run is being undone', { run: run.id, undo: undoing.last.run.id, case: run.caseId, writes, uncertain: also })
      }
      return reply.status(undoing.begun ? 202 : 200).send(runUndoView(run, undoing, await namesOfRuns(store, scope, [run])))
    },
  )
}
