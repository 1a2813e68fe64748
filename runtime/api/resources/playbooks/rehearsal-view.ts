import type { OrganizationId, Run } from '../../../domain/index.ts'
import type { TocsinError } from '../../../errors/index.ts'
import type { CallReport, DryRunReport, ReplayReport, TestFileReport } from '../../../rehearsals/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time } from '../../schemas.ts'
import { ShownSchema, shownView } from '../shared/index.ts'

export const RehearsedCallSchema = Type.Object(
  {
    step: Type.String({ description: 'Address.' }),
    skill: Type.String({ description: '<integration>.<skill>' }),
    impact: oneOf(['read', 'write', 'high']),
    connection: Type.String({ description: 'The slot, or <sub-playbook>/<slot>.' }),
    input: ShownSchema,
  },
  { $id: 'RehearsedCall', description: 'A call that a run would make. Nothing was sent.' },
)

const ErrorSchema = Type.Object({
  code: Type.String(),
  message: Type.String(),
  errors: Type.Array(
    Type.Object({ field: Type.String(), message: Type.String(), line: Type.Optional(Type.Integer()), column: Type.Optional(Type.Integer()) }),
  ),
})

const ProblemSchema = Type.Object({
  line: Type.Integer({ description: 'In the test file, from 1.' }),
  column: Type.Integer(),
  field: Type.String(),
  message: Type.String(),
  differences: Type.Array(
    Type.Object({
      path: Type.String({ description: 'Dotted path. Empty: the whole value.' }),
      expected: Type.Union([Type.Null(), ShownSchema]),
      actual: Type.Union([Type.Null(), ShownSchema]),
    }),
  ),
})

const ResultSchema = Type.Object({
  name: Type.String(),
  line: Type.Integer(),
  passed: Type.Boolean(),
  milliseconds: Type.Number(),
  problems: Type.Array(ProblemSchema, { description: 'Empty if it passed.' }),
})

const CoverageSchema = Type.Object({
  percent: Type.Number(),
  branches: Type.Integer(),
  missed: Type.Array(
    Type.Object({ step: Type.String(), way: Type.String(), line: Type.Integer({ description: 'In the playbook.' }), column: Type.Integer() }),
    { description: 'The branches that no test takes.' },
  ),
})

const TestFileSchema = Type.Object({
  file: Type.String(),
  error: Type.Union([Type.Null(), ErrorSchema], { description: 'Why the file cannot be used. Null: it was run.' }),
  playbook: nullable(Type.String()),
  results: Type.Array(ResultSchema),
  coverage: Type.Union([Type.Null(), CoverageSchema]),
})

export const TestReportSchema = Type.Object(
  { passed: Type.Integer(), failed: Type.Integer({ description: 'Files that cannot be used count as one.' }), files: Type.Array(TestFileSchema) },
  { $id: 'PlaybookTestReport', description: 'The results of the tests of a playbook.' },
)

export function testReportView({ files }: { readonly files: readonly TestFileReport[] }): Static<typeof TestReportSchema> {
  const views = files.map(testFileView)
  const results = views.flatMap((file) => file.results)
  const passed = results.filter((one) => one.passed).length
  return { passed, failed: results.length - passed + views.filter(({ error }) => error !== null).length, files: views }
}

function testFileView(report: TestFileReport): Static<typeof TestFileSchema> {
  if ('error' in report) {
    const { code, message, places } = report.error
    const errors = places.map(({ field, message: text, line, column }) => ({
      field,
      message: text,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    }))
    return { file: report.file, error: { code, message, errors }, playbook: null, results: [], coverage: null }
  }
  const { file, playbook, results, coverage } = report
  return {
    file,
    error: null,
    playbook,
    results: results.map(({ problems, ...result }) => ({
      ...result,
      passed: problems.length === 0,
      problems: problems.map(({ differences, ...problem }) => ({
        ...problem,
        differences: differences.map(({ path, expected, actual }) => ({
          path,
          expected: expected && shownView(expected, null),
          actual: actual && shownView(actual, null),
        })),
      })),
    })),
    coverage: { ...coverage, missed: coverage.missed.map((one) => ({ ...one })) },
  }
}

export const DryRunSchema = Type.Object(
  {
    outcome: oneOf(['completed', 'failed', 'waiting', 'unanswered'], 'unanswered: a write in doubt has no answer, so what follows is unknown.'),
    reason: nullable(Type.String()),
    error: Type.Union([Type.Null(), Type.Object({ code: Type.String(), message: Type.String(), step: nullable(Type.String()) })]),
    calls: Type.Array(
      Type.Object({
        ...RehearsedCallSchema.properties,
        answer: oneOf(['generated', 'given', 'read'], 'Where its answer came from. generated: from the output schema of the skill.'),
      }),
      { description: 'In order; the first 500.' },
    ),
    total_calls: Type.Integer(),
    decisions: Type.Array(Type.Object({ step: Type.String(), kind: Type.String(), title: Type.String(), state: Type.String() }), {
      description: 'What people would be asked. Approvals are taken as granted.',
    }),
    in_doubt: Type.Array(Type.String()),
    ways: Type.Array(Type.Object({ step: Type.String(), way: Type.String() }), { description: 'The branches that it took, in order.' }),
    vars: ShownSchema,
    case: Type.Object({
      title: Type.String(),
      severity: Type.String(),
      status: Type.String(),
      disposition: Type.String(),
      summary: nullable(Type.String()),
      notes: Type.Array(Type.String()),
      findings: Type.Array(Type.Object({ title: Type.String(), risk: Type.String(), evidence: ShownSchema })),
    }),
  },
  { $id: 'DryRun', description: 'What a run would do.' },
)

export function dryRunView(report: DryRunReport): Static<typeof DryRunSchema> {
  const { calls, total, inDoubt, vars, case: left, decisions, ways, ...rest } = report
  return {
    ...rest,
    calls: calls.map((call) => ({ ...callView(call), answer: call.answer })),
    total_calls: total,
    decisions: decisions.map((one) => ({ ...one })),
    in_doubt: [...inDoubt],
    ways: ways.map((one) => ({ ...one })),
    vars: shownView(vars, null),
    case: {
      ...left,
      notes: [...left.notes],
      findings: left.findings.map(({ evidence, ...finding }) => ({ ...finding, evidence: shownView(evidence, null) })),
    },
  }
}

const Calls = Type.Array(Type.Ref('RehearsedCall#'))

export const ReplaySchema = Type.Object(
  {
    run_id: Type.String(),
    alert_uuid: Type.String(),
    case_id: Type.String(),
    organization_code: Type.String(),
    started_at: Time,
    outcome_before: Type.String(),
    outcome_after: nullable(Type.String({ description: 'Null: it could not be replayed, and `note` says why.' })),
    added: { ...Calls, description: 'Writes that only the new text makes.' },
    removed: { ...Calls, description: 'Writes that only the run made.' },
    changed: Type.Array(Type.Object({ ...RehearsedCallSchema.properties, before: Type.Ref('RehearsedCall#') }), {
      description: 'Writes with another input or connection.',
    }),
    missing: { ...Calls, description: 'Reads without a recorded answer; one was generated.' },
    assumed: Type.Array(Type.Object({ step: Type.String(), title: Type.String() }), {
      description: 'Approvals that the run did not ask for. They are taken as granted.',
    }),
    other_plugins: Type.Array(Type.String(), { description: 'Integrations whose loaded version is not the one that the run had.' }),
    note: nullable(Type.String()),
  },
  { $id: 'Replay', description: 'What another text of its playbook would have done in a recorded run.' },
)

/** A replayed run: its report, or why there is none. */
export type ReplayEnd = { readonly run: Run } & ({ readonly report: ReplayReport } | { readonly error: TocsinError })

export function replayView(end: ReplayEnd, codes: ReadonlyMap<OrganizationId, string>): Static<typeof ReplaySchema> {
  const { run } = end
  const head = {
    run_id: run.id,
    alert_uuid: run.alert,
    case_id: run.caseId,
    organization_code: codes.get(run.organization) ?? run.organization,
    started_at: run.startedAt,
    outcome_before: run.state,
  }
  if ('error' in end) {
    const nothing = { added: [], removed: [], changed: [], missing: [], assumed: [], other_plugins: [] }
    const { message, places } = end.error
    return { ...head, ...nothing, outcome_after: null, note: places[0] === undefined ? message : `${message}: ${places[0].message}` }
  }
  const { before, after, added, removed, changed, missing, assumed, otherPlugins, note } = end.report
  return {
    ...head,
    outcome_before: before,
    outcome_after: after,
    added: added.map(callView),
    removed: removed.map(callView),
    changed: changed.map((call) => ({ ...callView(call), before: callView(call.before) })),
    missing: missing.map(callView),
    assumed: assumed.map((one) => ({ ...one })),
    other_plugins: [...otherPlugins],
    note,
  }
}

function callView({ step, skill, impact, connection, input }: CallReport): Static<typeof RehearsedCallSchema> {
  return { step, skill, impact, connection, input: shownView(input, null) }
}
