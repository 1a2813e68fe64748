import { type Json, type PinnedConnection, type Run, systemScope } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import type { Plan, SkillStep } from '../../playbook/index.ts'
import type { Store } from '../../storage/index.ts'
import type { UndoDocument, UndoStep } from './document.ts'

/** `limits.output`: the default of playbooks. */
const mostOutput = 5 * 1024 * 1024
/** `limits.evaluation`: the default of playbooks. */
const mostEvaluation = 200_000_000

/** Reads the stored plan of an undo. @throws TocsinError `internal` if it is gone */
export async function readUndo(store: Pick<Store, 'journal'>, { id, pins }: Run): Promise<UndoDocument> {
  const text = await store.journal.getOutput(systemScope, id, pins.playbook.digest)
  if (text === null) throw new TocsinError('internal', `The plan of the undo ${id} is gone.`)
  return JSON.parse(text) as UndoDocument
}

export function slotOf({ connection }: { readonly connection: Pick<PinnedConnection, 'id'> }): string {
  return connection.id
}

/** Returns the stored plan of an undo as a playbook's plan. */
export async function undoPlan(store: Pick<Store, 'journal'>, run: Run): Promise<Plan> {
  return planOf(await readUndo(store, run), run)
}

/** Turns an undo document into a playbook's plan: its calls one after the other. If one fails, the others go on. */
export function planOf({ steps }: UndoDocument, { pins }: Run): Plan {
  return {
    name: pins.playbook.name,
    digest: pins.playbook.digest,
    types: [],
    description: '',
    inputs: [],
    slots: Object.fromEntries(steps.map((step) => [slotOf(step), { integration: step.integration, optional: false }])),
    limits: {
      time: null,
      steps: steps.length,
      output: mostOutput,
      evaluation: mostEvaluation,
      concurrency: null,
      impact: { high: null, write: null, targets: null },
    },
    case: { title: null, severity: 'unassigned', join: null },
    steps: steps.map(stepOf),
    duplicates: null,
    verdict: null,
    outputs: null,
    playbooks: {},
  }
}

function stepOf(step: UndoStep): SkillStep {
  const { id, integration, skill, input } = step
  return {
    kind: 'skill',
    id,
    at: { line: 1, column: 1 },
    condition: null,
    onError: 'continue',
    integration,
    skill,
    slot: slotOf(step),
    with: { source: null, reads: [], constant: true, render: (): Json => input },
    retry: null,
    timeout: null,
    approvals: [],
  }
}
