import type { CaseChange, Json, Risk, TimelineBody, TimelineEntry } from '../../../domain/index.ts'
import { risks } from '../../../domain/index.ts'
import { failed } from '../../failure/failed.ts'
import { StepFailed } from '../../failure/signals.ts'
import type { Execution } from '../execution.ts'
import type { StepRunner } from '../step-runners.ts'
import { rendered } from '../values/evaluate.ts'
import { textOf } from '../values/large-json.ts'
import { checkOutputSize } from '../values/output-size.ts'

async function findingOf(execution: Execution, value: Json | undefined, address: string): Promise<TimelineBody> {
  const finding = (value ?? {}) as { readonly title?: Json; readonly risk?: Json; readonly evidence?: Json }
  const risk = String(finding.risk ?? 'info')
  if (!(risks as readonly string[]).includes(risk))
    throw new StepFailed(failed('template_failed', `risk is "${risk}"; it must be one of ${risks.join(', ')}.`, address))
  return { kind: 'finding', title: await textOf(execution, finding.title), risk: risk as Risk, evidence: finding.evidence ?? null }
}

/** Writes into the case, and changes it. A replay writes the same entries, which the store ignores. */
export const runCase: StepRunner<'case'> = async (execution, frame, step, address) => {
  const { severity, disposition, status } = step
  const change: CaseChange = { ...(severity && { severity }), ...(disposition && { disposition }), ...(status && { status }) }
  const changes = Object.keys(change).length > 0
  const bodies: [suffix: string, body: TimelineBody][] = []
  if (step.finding) bodies.push(['finding', await findingOf(execution, await rendered(execution, step.finding, frame.context), address)])
  if (step.note) bodies.push(['note', { kind: 'note', text: await textOf(execution, await rendered(execution, step.note, frame.context)) }])
  if (changes) bodies.push(['change', { kind: 'change', change }])
  for (const [, body] of bodies)
    checkOutputSize(execution, body.kind === 'finding' ? [body.title, body.evidence] : body.kind === 'note' ? body.text : null, address)
  for (const [suffix, body] of bodies) {
    const entry: TimelineEntry = {
      key: `${execution.run.id}#${address}/${suffix}`,
      at: execution.clock.now(),
      actor: { run: execution.run.id, step: address },
      body,
    }
    await execution.record(suffix === 'change' ? change : null, entry)
  }
  frame.case.set(change as Readonly<Record<string, Json>>)
  return null
}
