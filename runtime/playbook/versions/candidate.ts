import type { Artifact, Millis, OrganizationId } from '../../domain/index.ts'
import { digestOf } from '../../yaml/index.ts'
import { refusal } from '../compile.ts'
import { type Finding, finding } from '../findings/index.ts'
import { type Impact, impactOf } from '../impact/impact.ts'
import { examineAll, type LintWorld, type PlaybookFile } from '../lint/index.ts'
import type { Plan } from '../plan.ts'
import { kindOf, type PlaybookKind, placesOf } from './place.ts'

/** A text that may become active: it compiles, and lint finds no error in it. */
export interface Candidate extends PlaybookFile {
  readonly plan: Plan
  readonly warnings: readonly Finding[]
  readonly impact: Impact
}

/**
 * The texts with their plans; no two may be for the same alert type, or of the same name.
 * @throws TocsinError `playbook_invalid` with every finding of severity `error` in any of them
 */
export function candidatesOf(files: readonly PlaybookFile[], world: LintWorld): readonly Candidate[] {
  const candidates: Candidate[] = []
  const errors: Finding[] = []
  const takenBy = new Map<string, string>()
  for (const { file, text } of files) {
    const { plan, findings } = examineAll(text, file, world)
    const own = findings.filter(({ severity }) => severity === 'error')
    errors.push(...own)
    if (plan === null || own.length > 0) continue
    for (const { kind, key } of placesOf(plan, null)) {
      const other = takenBy.get(`${kind} ${key}`)
      if (other !== undefined) errors.push(taken(kind, key, file, other))
      takenBy.set(`${kind} ${key}`, file)
    }
    candidates.push({ file, text, plan, warnings: findings, impact: impactOf(plan, world) })
  }
  const [first] = errors
  if (first) throw refusal(first.file, errors)
  return candidates
}

function taken(kind: PlaybookKind, key: string, file: string, other: string): Finding {
  return kind === 'playbook'
    ? finding('alert_type_taken', {
        field: 'alert_type',
        message: `${other} is the playbook of the alert type \`${key}\` already`,
        file,
        line: 1,
        column: 1,
      })
    : finding('playbook_name_taken', { field: 'playbook', message: `${other} is the sub-playbook \`${key}\` already`, file, line: 1, column: 1 })
}

export function artifactOf({ text, plan }: Pick<Candidate, 'text' | 'plan'>, organization: OrganizationId | null, at: Millis): Artifact {
  return { digest: digestOf(text), kind: kindOf(plan), name: plan.name, text, organization, createdAt: at }
}
