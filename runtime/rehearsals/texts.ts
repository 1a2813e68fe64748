import { type Alert, type ConnectionId, type Millis, type OrganizationId, organizationScope, type Run, type Scope } from '../domain/index.ts'
import { bindSlots } from '../engine/index.ts'
import { slotsFor } from '../fairness/index.ts'
import { examineText, type PlaybookFile, surroundingsOf, type TextNeeds } from '../playbook/index.ts'
import type { Circumstances, Given, RecordedTest } from '../rehearsal/index.ts'
import { type Recording, type Recordings, slotsOf } from '../rehearsal/recorded/index.ts'
import type { ReadCall } from './protocol.ts'
import type { Rehearsals } from './rehearsals.ts'
import type { DryRunReport, ReplayReport, TestReport } from './reports.ts'

/** A text that somebody sent, and the organization whose sub-playbooks and connections it would use. */
interface SentText {
  readonly text: string
  /** Null: only shared sub-playbooks. */
  readonly organization: OrganizationId | null
}

export interface DryRunOf extends SentText {
  readonly alert: Circumstances['alert']
  readonly now: Millis
  /** YAML with answers by skill. Null if there are none. */
  readonly answers: string | null
  /** Sends a read over a connection. Null: no call is sent. */
  readonly read: ((call: ReadCall & { readonly connection: ConnectionId }) => Promise<Given | null>) | null
}

/** Rehearses texts as the API gets them. Every method throws the errors of `Rehearsals` and of `PlaybookChecks.run`. */
export interface TextRehearsals {
  test(scope: Scope, sent: SentText, tests: readonly PlaybookFile[]): Promise<TestReport>
  dryRun(scope: Scope, sent: DryRunOf): Promise<DryRunReport>
  /** Replays one recorded run with another text of its playbook. @throws also as `Recordings.recording` */
  replay(scope: Scope, text: string, run: Run): Promise<ReplayReport>
  /** Makes a test from a recorded run. @throws also TocsinError `run_not_recordable`, and as `Recordings.recording` */
  record(run: Run, keep: readonly string[]): Promise<RecordedTest>
  /** The alert types that a text names, normalised; none for a sub-playbook. */
  typesOf(scope: Scope, text: string): Promise<readonly string[]>
}

const file = 'playbook.yaml'
/** How many recordings are in memory at once. */
const recordingsAtOnce = 2

/** Rehearses texts that somebody sends, with what is active around them. */
export function rehearsalsOfTexts(needs: TextNeeds, rehearsals: Rehearsals, recordings: Recordings): TextRehearsals {
  const around = async (scope: Scope, { text, organization }: SentText) => {
    const { sources, work } = await surroundingsOf(needs, scope, text, organization)
    return { text: { playbook: { file, text }, sources }, work }
  }
  const slots = slotsFor(recordingsAtOnce)
  /** Runs the work with a run's recording. A recording may take many megabytes, so few are read at once. */
  const withRecording = async <T>(run: Run, work: (recording: Recording) => Promise<T>): Promise<T> => {
    const release = await slots.take(run.organization)
    try {
      return await work(await recordings.recording(run))
    } finally {
      release()
    }
  }
  /** Returns the connection of each slot, and the slots without one. Null without an organization, or if the text has mistakes. */
  const bindingOf = async (scope: Scope, { text, organization }: SentText) => {
    if (organization === null) return null
    const { playbook } = await examineText(needs, scope, text, organization)
    if (playbook === null) return null
    const { connections } = bindSlots(playbook, await needs.store.connections.forOrganization(organizationScope(organization), organization))
    return { connections, unbound: Object.keys(slotsOf(playbook)).filter((slot) => !Object.hasOwn(connections, slot)) }
  }
  return {
    async test(scope, sent, tests) {
      const { text, work } = await around(scope, sent)
      return rehearsals.test({ ...text, tests }, work)
    },
    async dryRun(scope, { alert, now, answers, read, ...sent }) {
      const { text, work } = await around(scope, sent)
      const binding = await bindingOf(scope, sent)
      const answer = async (call: ReadCall): Promise<Given | null> => {
        const connection = binding?.connections[call.slot]?.id
        return read === null || connection === undefined ? null : read({ ...call, connection })
      }
      const unbound = binding?.unbound ?? []
      return rehearsals.dryRun({ ...text, alert, now, answers, unbound, reads: read !== null && binding !== null }, work, answer)
    },
    async replay(scope, text, run) {
      const { text: rehearsed, work } = await around(scope, { text, organization: run.organization })
      return withRecording(run, (recording) => rehearsals.replay({ ...rehearsed, recording }, work))
    },
    async record(run, keep) {
      const work = { owner: run.organization, plugins: await needs.plugins.active() }
      return withRecording(run, (recording) => rehearsals.record({ recording, keep }, work))
    },
    async typesOf(scope, text) {
      const { outline, sources, work } = await surroundingsOf(needs, scope, text, null)
      if (outline !== null && outline.types.length > 0) return outline.types
      // Its mistakes may hide the types. With none, it is a sub-playbook.
      await rehearsals.test({ playbook: { file, text }, sources, tests: [] }, work)
      return []
    },
  }
}

/** The parts of an alert that a dry run gives its playbook. */
export function alertForDryRun(alert: Alert): Circumstances['alert'] {
  const { content, alertId, uuid, name, provider, type, organization, organizationCode, createdAt, createdAtSource, createdBy } = alert
  return { content, alertId, uuid, name, provider, type, organization, organizationCode, createdAt, createdAtSource, createdBy }
}
