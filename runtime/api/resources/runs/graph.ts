import { type ExplainedWrite, type LitGraph, type RunWrites, stepStates } from '../../../retrace/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { nullable, oneOf } from '../../schemas.ts'
import { graphEdge, graphEdgeView, graphNode, graphNodeView } from '../playbooks/index.ts'
import { runOf } from '../shared/index.ts'
import { patientWork } from './patient-work.ts'
import { runStepView } from './step-view.ts'

const counts = Type.Unsafe<LitGraph['nodes'][number]['states']>({
  ...Type.Object(Object.fromEntries(stepStates.map((state) => [state, Type.Optional(Type.Integer())]))),
  description: 'How many steps of the run have each state. Empty: the run did not reach the node.',
})

const note = nullable(Type.String({ description: 'Why something is unknown. Null: everything is known.' }))

export const RunGraphSchema = Type.Object(
  {
    run_id: Type.String(),
    name: Type.String({ description: 'The playbook.' }),
    digest: Type.String(),
    note,
    known: Type.Boolean({ description: 'False: the playbook can no longer be read, so there are no nodes.' }),
    nodes: Type.Array(
      Type.Object({
        ...graphNode,
        states: counts,
        step: nullable(Type.String({ description: 'The address of the step of the run to look at first. Null: the run did not reach the node.' })),
      }),
    ),
    edges: Type.Array(Type.Object({ ...graphEdge, taken: Type.Boolean({ description: 'The run went this way at least once.' }) })),
  },
  { $id: 'RunGraph', description: "The graph of a run's playbook, as the run pinned it, with the way that the run took." },
)

const causes = ['itself', 'branch', 'skipped', 'no_items', 'no_error', 'stopped', 'failed', 'not_yet', 'ended'] as const

export const RunWritesSchema = Type.Object(
  {
    run_id: Type.String(),
    known: Type.Boolean({ description: 'False: the playbook can no longer be read, so nothing is listed.' }),
    note,
    more: Type.Boolean({ description: 'True: there are more writes than are listed.' }),
    writes: Type.Array(
      Type.Object({
        node: Type.String({ description: 'Its address, with `*` in place of the number of an iteration.' }),
        skill: nullable(Type.String({ description: '<integration>.<skill>' })),
        title: nullable(Type.String({ description: 'The title of the skill.' })),
        impact: oneOf(['write', 'high']),
        state: Type.Unsafe<ExplainedWrite['state']>({ enum: [...stepStates, null], description: 'Null: the run did not reach it.' }),
        count: Type.Integer({ description: 'How many steps of the run have this state.' }),
        cause: Type.Unsafe<ExplainedWrite['cause']>({
          enum: [...causes, null],
          description:
            'Why it was not done. itself: the step says why. branch: an `if` or `switch` took another way. skipped: a step around it was skipped. no_items: its loop had none. no_error: it is in an `on_error` that nothing needed. stopped: a `stop` came first. failed: an earlier step failed. not_yet: the run has not come so far. ended: the run ended first. Null: it was done.',
        }),
        because: Type.Array(Type.String(), { description: 'The addresses in `steps` that decided it, the closest first.' }),
      }),
      { description: 'Every write that the playbook has, in the order of its text, once for each state.' },
    ),
    steps: Type.Array(Type.Ref('RunStep#'), { description: 'The steps that decided it, in the order of the playbook.' }),
  },
  { $id: 'RunWrites', description: 'What became of each write that the playbook of a run has, and why.' },
)

const id = Type.Object({ id: Type.String({ maxLength: 100, description: 'The run_id.' }) })
const about = { tag: 'runs', permission: 'runs:read', errors: ['run_unknown', 'run_takes_too_long', 'not_ready'] } as const

/** Routes that show the way that a run took through its playbook, and why it wrote what it wrote. */
export function runGraphRoutes(app: Api, context: ApiContext): void {
  const { store, retraces } = context.services
  const inTime = patientWork(context)
  for (const schema of [RunGraphSchema, RunWritesSchema]) app.addSchema(schema)

  app.get(
    '/platformapi/runs/:id/graph',
    operation(
      context,
      {
        ...about,
        id: 'getRunGraph',
        summary: 'Draw the playbook of a run as a graph, with the way that the run took',
        description: 'The playbook and its sub-playbooks are those that the run pinned. Tocsin replays the run over its journal. It calls nothing.',
      },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('RunGraph#') } },
    ),
    async (request) => {
      const run = await runOf(store, callerOf(request).scope, request.params.id)
      const { graph, note } = await inTime((signal) => retraces.graph(run, signal))
      const { name, digest } = run.pins.playbook
      return {
        run_id: run.id,
        name,
        digest,
        note,
        known: graph !== null,
        nodes: graph?.nodes.map(nodeView) ?? [],
        edges: graph?.edges.map(edgeView) ?? [],
      }
    },
  )

  app.get(
    '/platformapi/runs/:id/writes',
    operation(
      context,
      {
        ...about,
        id: 'explainRunWrites',
        summary: 'Explain what became of each write that the playbook of a run has',
        description: 'Answers why a run did not contain a threat: the writes that it did not send, and the conditions and failures that decided it.',
      },
      { params: id, querystring: Type.Object({}), response: { 200: Type.Ref('RunWrites#') } },
    ),
    async (request) => {
      const run = await runOf(store, callerOf(request).scope, request.params.id)
      const explained = await inTime((signal) => retraces.writes(run, signal))
      return writesView(run.id, explained)
    },
  )
}

function nodeView({ states, step, firsts: _, ...node }: LitGraph['nodes'][number]): Static<typeof RunGraphSchema>['nodes'][number] {
  return { ...graphNodeView(node), states, step }
}

function edgeView({ taken, ...edge }: LitGraph['edges'][number]): Static<typeof RunGraphSchema>['edges'][number] {
  return { ...graphEdgeView(edge), taken }
}

function writesView(run: string, { writes, more, steps, note }: RunWrites): Static<typeof RunWritesSchema> {
  return {
    run_id: run,
    known: writes !== null,
    note,
    more,
    writes: (writes ?? []).map(({ node: { address, skill, title, impact }, state, count, cause, because }) => ({
      ...{ node: address, skill, title, state, count, cause },
      impact: impact === 'high' ? 'high' : 'write',
      because: [...because],
    })),
    steps: steps.map((step) => runStepView(run, step)),
  }
}
