import { type Artifact, isObject, type Json, type Millis, normaliseType, type OrganizationId } from '../../domain/index.ts'
import { type DocumentPath, digestOf, documentOf } from '../../yaml/index.ts'
import { aroundOf } from '../checks/around.ts'
import type { Looking } from '../checks/looking.ts'
import type { Around, DrawnPlaybook, ExaminedPlaybook } from '../checks/tasks.ts'
import { refusal } from '../compile/index.ts'
import type { Finding } from '../findings/index.ts'
import { clash } from '../lint/clashes.ts'
import type { PlaybookFile } from '../lint/index.ts'
import type { ActivePlaybooks } from './active.ts'
import { kindOf, type PlaybookKind, placesOf } from './place.ts'

/** A text that may become active. It compiles, and lint finds no error in it. */
export interface Candidate extends PlaybookFile, ExaminedPlaybook {
  readonly warnings: readonly Finding[]
}

/** What a text is checked against: the active playbooks and connections of an organization. */
export interface Surroundings extends Pick<Around, 'connections'> {
  readonly active: ActivePlaybooks
  readonly organization: OrganizationId | null
}

/**
 * Returns the findings in a text. If none is an error, also returns the facts about the playbook.
 * @throws the errors of `PlaybookChecks.run`
 */
export async function examine(file: PlaybookFile, surroundings: Surroundings, looking: Looking) {
  return looking.checks.run('examine', { file, around: await around(file, surroundings, looking) }, looking.work)
}

/** Returns the graph of a text. @throws the errors of `PlaybookChecks.run` */
export async function draw(file: PlaybookFile, surroundings: Surroundings, looking: Looking): Promise<DrawnPlaybook> {
  return looking.checks.run('graph', { file, around: await around(file, surroundings, looking) }, looking.work)
}

async function around(file: PlaybookFile, { active, organization, connections }: Surroundings, { outlines, work }: Looking): Promise<Around> {
  const runs = (await outlines.of(file.text, work))?.runs ?? []
  return { ...(await aroundOf(runs, active.subPlaybooks(organization), active, outlines, work)), connections }
}

/**
 * Examines all texts. No two of them may have the same alert type or the same name.
 * @throws TocsinError `playbook_invalid` with all findings of severity `error`; the errors of `PlaybookChecks.run`
 */
export async function candidatesOf(files: readonly PlaybookFile[], around: Surroundings, looking: Looking): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = []
  const errors: Finding[] = []
  const takenBy = new Map<string, string>()
  for (const { file, text } of files) {
    const { playbook, findings } = await examine({ file, text }, around, looking)
    errors.push(...findings.filter(({ severity }) => severity === 'error'))
    if (playbook === null) continue
    for (const { kind, key } of placesOf(playbook, null)) {
      const other = takenBy.get(`${kind} ${key}`)
      if (other !== undefined) errors.push(await taken(kind, key, { file, text }, other, looking))
      takenBy.set(`${kind} ${key}`, file)
    }
    candidates.push({ file, text, ...playbook, warnings: findings })
  }
  const [first] = errors
  if (first) throw refusal(first.file, errors)
  return candidates
}

/** Reads the text again to find the line of the key. Only a clash needs it. */
async function taken(kind: PlaybookKind, key: string, file: PlaybookFile, other: string, { checks, work }: Looking): Promise<Finding> {
  const document = documentOf((await checks.run('read', file, work)).document)
  if (kind !== 'playbook')
    return clash('playbook_name_taken', {
      field: 'playbook',
      message: `${other} is already the sub-playbook \`${key}\``,
      ...document.locate(['playbook']),
    })
  const path = pathOfType(document.value, key)
  return clash('alert_type_taken', {
    field: path.join('.'),
    message: `${other} is already the playbook for the alert type \`${key}\``,
    ...document.locate(path),
  })
}

function pathOfType(playbook: Json, key: string): DocumentPath {
  const types = isObject(playbook) ? playbook['alert_type'] : undefined
  const index = Array.isArray(types) ? types.findIndex((type) => typeof type === 'string' && normaliseType(type) === key) : -1
  return index === -1 ? ['alert_type'] : ['alert_type', index]
}

export function artifactOf(candidate: Pick<Candidate, 'text' | 'name' | 'types'>, organization: OrganizationId | null, at: Millis): Artifact {
  const { text, name } = candidate
  return { digest: digestOf(text), kind: kindOf(candidate), name, text, organization, createdAt: at }
}
