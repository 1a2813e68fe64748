import type { Json } from '../../../domain/index.ts'
import { type StepPage, stepStates } from '../../../retrace/index.ts'
import { Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { cursorsOf, nextCursor, pageParameters } from '../../request/index.ts'
import { nullable, oneOf } from '../../schemas.ts'
import { runOf, ShownSchema, shownView } from '../shared/index.ts'
import { patientWork } from './patient-work.ts'
import { RunStepSchema, runStepView } from './step-view.ts'

const id = Type.Object({ id: Type.String({ maxLength: 100, description: 'The run_id.' }) })
const address = Type.String({ minLength: 1, maxLength: 2_000, description: 'Address of a step.' })
const about = { tag: 'runs', permission: 'runs:read' } as const
const errors = ['run_unknown', 'step_unknown', 'run_takes_too_long', 'not_ready'] as const

const ListQuery = Type.Object({
  within: Type.Optional({ ...address, description: 'Address of a step: only this step, and the steps inside it.' }),
  state: Type.Optional(Type.Array(oneOf(stepStates), { maxItems: 50, description: 'May be repeated.' })),
  loops: {
    ...oneOf(['all', 'grouped'], 'grouped: when several iterations of a loop went the same way, only the first is listed.'),
    default: 'all' as const,
  },
  ...pageParameters,
})

const PageSchema = Type.Object({
  items: Type.Array(Type.Ref('RunStep#'), { description: 'In the order of the playbook. The steps inside a step follow right after it.' }),
  next_cursor: nullable(Type.String({ description: 'Send it as cursor to get the next page; null on the last.' })),
  total: Type.Integer({ description: 'How many steps match the query.' }),
  note: nullable(Type.String({ description: 'Why something is unknown. Null: everything is known.' })),
  states: Type.Unsafe<StepPage['states']>({
    ...Type.Object(Object.fromEntries(stepStates.map((state) => [state, Type.Optional(Type.Integer())]))),
    description: 'How many steps there are in each state. The filter `within` counts here, the filter `state` does not.',
  }),
  inputs: nullable(
    Type.Record(Type.String(), ShownSchema, {
      description:
        "The playbook's inputs, as they were read from the alert. Long values are cut; the alert has them complete. Null: they are unknown.",
    }),
  ),
})

/** Routes that show the values that the steps of a run saw, and so why the run did what it did. */
export function runStepRoutes(app: Api, context: ApiContext): void {
  const { store, retraces } = context.services
  app.addSchema(RunStepSchema)

  const inTime = patientWork(context)

  app.get(
    '/platformapi/runs/:id/steps',
    operation(
      context,
      {
        ...about,
        id: 'listRunSteps',
        summary: "List a run's steps, with the input, the output and the reason of each",
        description:
          'Tocsin replays the run over its journal. It calls nothing. Long values are cut, and `href` is the path of the complete value. Outputs are what external systems answered then.',
        errors: [...errors, 'cursor_invalid'],
      },
      { params: id, querystring: ListQuery, response: { 200: PageSchema } },
    ),
    async (request) => {
      const { within = null, state = null, loops, cursor, limit } = request.query
      const run = await runOf(store, callerOf(request).scope, request.params.id)
      const cursors = cursorsOf('run steps', { run: run.id, within, state, loops })
      const after = cursor === undefined ? null : String(cursors.decode(cursor)[0])
      const page = await inTime((signal) => retraces.list(run, { within, states: state, loops, after, limit }, signal))
      return {
        items: page.items.map((step) => runStepView(run.id, step)),
        next_cursor: nextCursor(page, cursors, (step) => [step.address]),
        total: page.total,
        note: page.note,
        states: page.states,
        inputs: page.inputs && Object.fromEntries(Object.entries(page.inputs).map(([name, value]) => [name, shownView(value, null)])),
      }
    },
  )

  app.get(
    '/platformapi/runs/:id/step',
    operation(
      context,
      { ...about, id: 'getRunStep', summary: 'Read one step of a run, with longer values', errors },
      { params: id, querystring: Type.Object({ address }), response: { 200: Type.Ref('RunStep#') } },
    ),
    async (request) => {
      const run = await runOf(store, callerOf(request).scope, request.params.id)
      const { note, ...step } = await inTime((signal) => retraces.one(run, request.query.address, signal))
      return { ...runStepView(run.id, step), note }
    },
  )

  app.get(
    '/platformapi/runs/:id/step/value',
    operation(
      context,
      { ...about, id: 'getRunStepValue', summary: 'Read the whole input or output of a step', description: 'The value itself: any JSON.', errors },
      {
        params: id,
        querystring: Type.Object({ address, part: oneOf(['input', 'output']) }),
        response: { 200: Type.Unsafe<Json>({ description: 'The value.' }) },
      },
    ),
    async (request, reply) => {
      const run = await runOf(store, callerOf(request).scope, request.params.id)
      const { address: step, part } = request.query
      const text = await inTime((signal) => retraces.value(run, step, part, signal))
      // The text is JSON already. Do not serialize it again.
      return reply.type('application/json; charset=utf-8').serializer(String).send(text)
    },
  )
}
