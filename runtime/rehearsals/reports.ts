import { cutText, type Json } from '../domain/index.ts'
import type { ErrorPlace } from '../errors/index.ts'
import {
  type Coverage,
  type DryRun,
  type Problem,
  type RehearsedCall,
  type Replayed,
  type TestFile,
  type TestResult,
  waysTaken,
} from '../rehearsal/index.ts'
import { type Shown, shownOf } from '../retrace/index.ts'

/** The limits of a report: the characters of a value and of a message, and the entries of a list. */
const longestValue = 8_000
const longestMessage = 4_000
const most = 500

export interface CallReport extends Omit<RehearsedCall, 'input'> {
  readonly input: Shown
}

interface ProblemReport extends Omit<Problem, 'differences'> {
  /** `expected` or `actual` is null if there is no such value. */
  readonly differences: readonly { readonly path: string; readonly expected: Shown | null; readonly actual: Shown | null }[]
}

/** The results of one test file, or why it cannot be used. */
export type TestFileReport =
  | { readonly file: string; readonly error: { readonly code: string; readonly message: string; readonly places: readonly ErrorPlace[] } }
  | {
      readonly file: string
      readonly playbook: string
      readonly results: readonly {
        readonly name: string
        readonly line: number
        readonly milliseconds: number
        readonly problems: readonly ProblemReport[]
      }[]
      readonly coverage: {
        readonly percent: number
        readonly branches: number
        readonly missed: readonly { readonly step: string; readonly way: string; readonly line: number; readonly column: number }[]
      }
    }

export interface TestReport {
  readonly files: readonly TestFileReport[]
}

export interface DryRunReport {
  readonly outcome: DryRun['outcome']
  readonly reason: string | null
  readonly error: { readonly code: string; readonly message: string; readonly step: string | null } | null
  readonly calls: readonly (CallReport & { readonly answer: 'generated' | 'given' | 'read' })[]
  /** How many calls there were. `calls` has only the first ones. */
  readonly total: number
  readonly decisions: readonly { readonly step: string; readonly kind: string; readonly title: string; readonly state: string }[]
  readonly inDoubt: readonly string[]
  readonly ways: readonly { readonly step: string; readonly way: string }[]
  readonly vars: Shown
  readonly case: {
    readonly title: string
    readonly severity: string
    readonly status: string
    readonly disposition: string
    readonly summary: string | null
    readonly notes: readonly string[]
    readonly findings: readonly { readonly title: string; readonly risk: string; readonly evidence: Shown }[]
  }
}

export interface ReplayReport {
  readonly before: string
  readonly after: string | null
  readonly added: readonly CallReport[]
  readonly removed: readonly CallReport[]
  readonly changed: readonly (CallReport & { readonly before: CallReport })[]
  readonly missing: readonly CallReport[]
  readonly assumed: readonly { readonly step: string; readonly title: string }[]
  readonly otherPlugins: readonly string[]
  readonly note: string | null
}

const cut = (text: string): string => cutText(text, longestMessage)

function callReport({ step, skill, impact, connection, input }: RehearsedCall): CallReport {
  return { step, skill, impact, connection, input: shownOf(input, longestValue) }
}

export function testFileReport({ file, playbook }: TestFile, results: readonly TestResult[], coverage: Coverage): TestFileReport {
  const { percent, branches, missed } = coverage
  return {
    file,
    playbook: playbook.plan.name,
    results: results.map(({ name, line, milliseconds, problems }) => ({
      name,
      line,
      milliseconds,
      problems: problems.slice(0, most).map(problemReport),
    })),
    coverage: {
      percent,
      branches: branches.length,
      missed: missed.slice(0, most).map(({ step, way, at }) => ({ step, way, line: at.line, column: at.column })),
    },
  }
}

function problemReport({ message, differences, ...place }: Problem): ProblemReport {
  const shown = (value: unknown): Shown | null => shownOf(value as Json | undefined, longestValue)
  return {
    ...place,
    message: cut(message),
    differences: differences
      .slice(0, most)
      .map(({ path, expected, actual }) => ({ path: path.join('.'), expected: shown(expected), actual: shown(actual) })),
  }
}

export function dryRunReport(dry: DryRun): DryRunReport {
  const { outcome, reason, failure, calls, timeline, case: left } = dry
  return {
    outcome,
    reason,
    error: failure && { code: failure.code, message: cut(failure.message), step: failure.step },
    calls: calls.slice(0, most).map((call) => ({ ...callReport(call), answer: call.answer })),
    total: calls.length,
    decisions: dry.decisions.slice(0, most).map(({ step, kind, title, state }) => ({ step, kind, title: cut(title), state })),
    inDoubt: dry.inDoubt.slice(0, most),
    ways: waysTaken(dry.trace)
      .slice(0, most)
      .map(({ address, way }) => ({ step: address, way })),
    vars: shownOf(dry.vars as Json, longestValue),
    case: {
      title: cut(left.title),
      severity: left.severity,
      status: left.status,
      disposition: left.disposition,
      summary: left.summary === null ? null : cut(left.summary),
      notes: timeline.flatMap(({ body }) => (body.kind === 'note' ? [cut(body.text)] : [])).slice(0, most),
      findings: timeline
        .flatMap(({ body }) =>
          body.kind === 'finding' ? [{ title: cut(body.title), risk: body.risk, evidence: shownOf(body.evidence, longestValue) }] : [],
        )
        .slice(0, most),
    },
  }
}

export function replayReport(replayed: Replayed): ReplayReport {
  const { added, removed, changed, missing, assumed, note } = replayed
  return {
    before: replayed.outcome_before,
    after: replayed.outcome_after,
    added: added.slice(0, most).map(callReport),
    removed: removed.slice(0, most).map(callReport),
    changed: changed.slice(0, most).map((call) => ({ ...callReport(call), before: callReport(call.before) })),
    missing: missing.slice(0, most).map(callReport),
    assumed: assumed.slice(0, most).map(({ step, title }) => ({ step, title: cut(title) })),
    otherPlugins: replayed.other_plugins,
    note: note === null ? null : cut(note),
  }
}
