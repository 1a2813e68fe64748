import type { Millis } from '../seams.ts'
import type { TimelineBody, TimelineEntry } from './case.ts'
import { type CaseDesk, type CaseTask, type DeskBody, mostLinks, mostTags, mostTasks } from './case-desk.ts'

/** Returns whether an entry of this kind can change what is on the desk. */
export function affectsDesk(body: TimelineBody): boolean {
  switch (body.kind) {
    case 'tags':
    case 'task':
    case 'link':
    case 'merge':
    case 'comment':
      return true
    case 'decision':
      return body.by.length > 0
    default:
      return false
  }
}

/**
 * Returns the desk after an entry. Merges are not handled here, because they change the status, too (`caseAfter`).
 * @param closed whether the case is closed after the entry
 */
export function deskAfter(desk: CaseDesk, entry: TimelineEntry, closed: boolean): CaseDesk {
  const { at, actor, body } = entry
  const next = withBody(desk, at, body)
  const answered = 'principal' in actor || (body.kind === 'decision' && body.by.length > 0) || closed
  const respondedAt = desk.respondedAt ?? (answered ? at : null)
  const closedAt = closed ? (desk.closedAt ?? at) : null
  const closedByPerson = isClosedByPerson(desk, entry, closed)
  const same = next === desk && respondedAt === desk.respondedAt && closedAt === desk.closedAt && closedByPerson === (desk.closedByPerson ?? false)
  if (same) return desk
  const { closedByPerson: _, ...others } = next
  return { ...others, respondedAt, closedAt, ...(closedByPerson && { closedByPerson }) }
}

function isClosedByPerson(desk: CaseDesk, { actor, body }: TimelineEntry, closed: boolean): boolean {
  if (!closed) return false
  const byPerson = 'principal' in actor
  // The person wants to know what the next attempt finds.
  if (byPerson && body.kind === 'retry') return false
  if (byPerson && body.kind === 'change' && body.change.status === 'closed') return true
  return desk.closedByPerson ?? false
}

/** Returns whether an entry would put more on the desk than it can hold. The API looks before that, but others may write in between. */
export function overfills(desk: CaseDesk, body: TimelineBody): boolean {
  switch (body.kind) {
    case 'tags':
      return body.added.length > 0 && tagsAfter(desk.tags, body).length > mostTags
    case 'task':
      return body.act === 'added' && desk.tasks.length >= mostTasks
    case 'link':
      return body.act === 'added' && desk.links.length >= mostLinks && !desk.links.some(({ uuid }) => uuid === body.other.uuid)
    default:
      return false
  }
}

function withBody(desk: CaseDesk, at: Millis, body: TimelineBody): CaseDesk {
  switch (body.kind) {
    case 'tags':
      return { ...desk, tags: tagsAfter(desk.tags, body) }
    case 'task':
      return { ...desk, tasks: tasksAfter(desk.tasks, at, body) }
    case 'link': {
      const { act, other, by } = body
      const others = desk.links.filter(({ uuid }) => uuid !== other.uuid)
      return { ...desk, links: act === 'removed' ? others : [...others, { ...other, at, by }] }
    }
    default:
      return desk
  }
}

function tagsAfter(tags: readonly string[], { added, removed }: Extract<DeskBody, { kind: 'tags' }>): readonly string[] {
  const kept = new Set([...tags, ...added])
  for (const tag of removed) kept.delete(tag)
  return [...kept].sort()
}

function tasksAfter(tasks: readonly CaseTask[], at: Millis, body: Extract<DeskBody, { kind: 'task' }>): readonly CaseTask[] {
  const { task: id, act, text, assignee, by } = body
  if (act === 'added') return [...tasks, { id, text, assignee, createdAt: at, createdBy: by, done: null }]
  if (act === 'removed') return tasks.filter((task) => task.id !== id)
  return tasks.map((task) => {
    if (task.id !== id) return task
    if (act === 'changed') return { ...task, text, assignee }
    return { ...task, done: act === 'done' ? { at, by } : null }
  })
}
