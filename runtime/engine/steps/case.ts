import type { CaseChange, Json, Risk, TimelineBody, TimelineEntry } from '../../domain/index.ts'
import { risks } from '../../domain/index.ts'
import { rendered } from '../evaluate.ts'
import { failed } from '../failed.ts'
import { checkSize } from '../output-size.ts'
import { StepFailed } from '../signals.ts'
import type { StepRunner } from '../walk.ts'

function findingOf(value: Json | undefined, address: string): TimelineBody {
  const finding = (value ?? {}) as { readonly title?: Json; readonly risk?: Json; readonly evidence?: Json }
  const risk = String(finding.risk ?? 'info')
  if (!(risks as readonly string[]).includes(risk))
    throw new StepFailed(failed('template_failed', `risk is "${risk}"; it must be one of ${risks.join(', ')}.`, address))
  return { kind: 'finding', title: String(finding.title ?? ''), risk: risk as Risk, evidence: finding.evidence ?? null }
}

/** Says something in the case, and changes it. Once: what a resumed run says again, the store leaves out. */
export const runCase: StepRunner<'case'> = async (walk, frame, step, address) => {
  const { severity, disposition, status } = step
  const change: CaseChange = { ...(severity && { severity }), ...(disposition && { disposition }), ...(status && { status }) }
  const changes = Object.keys(change).length > 0
  const bodies: [suffix: string, body: TimelineBody][] = []
  if (step.finding) bodies.push(['finding', findingOf(await rendered(walk, step.finding, frame.context), address)])
  if (step.note) bodies.push(['note', { kind: 'note', text: String((await rendered(walk, step.note, frame.context)) ?? '') }])
  if (changes) bodies.push(['change', { kind: 'change', change }])
  for (const [, body] of bodies)
    checkSize(walk, body.kind === 'finding' ? [body.title, body.evidence] : body.kind === 'note' ? body.text : null, address)
  for (const [suffix, body] of bodies) {
    const entry: TimelineEntry = {
      key: `${walk.run.id}#${address}/${suffix}`,
      at: walk.clock.now(),
      actor: { run: walk.run.id, step: address },
      body,
    }
    await walk.record(suffix === 'change' ? change : null, entry)
  }
  frame.case.set(change as Readonly<Record<string, Json>>)
  return null
}
