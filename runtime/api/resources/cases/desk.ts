import { type Case, type CaseTask, mostLinks, mostTags, mostTasks, type TimelineBody } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import type { CaseViews } from './details.ts'
import { caseOf, entryOf, id, noQuery, record } from './found.ts'

const tag = Type.String({ format: 'line', maxLength: 50, description: 'Kept in lower case.' })
const TagsSchema = Type.Object(
  { add: Type.Optional(Type.Array(tag, { maxItems: mostTags })), remove: Type.Optional(Type.Array(tag, { maxItems: mostTags })) },
  { additionalProperties: false, minProperties: 1 },
)

const taskText = Type.String({ format: 'said', minLength: 1, maxLength: 1_000 })
const person = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'line', maxLength: 200, description: 'Null: nobody.' })
const NewTaskSchema = Type.Object({ text: taskText, assignee: Type.Optional(person) }, { additionalProperties: false })
const TaskChangeSchema = Type.Object(
  { text: Type.Optional(taskText), assignee: Type.Optional(person), done: Type.Optional(Type.Boolean()) },
  { additionalProperties: false, minProperties: 1 },
)
const taskPath = Type.Object({ id: id.properties.id, task: Type.String({ maxLength: 100, description: 'The id of the task.' }) })

/** Tags and tasks. */
export function deskRoutes(app: Api, context: ApiContext, views: CaseViews): void {
  const { store, ids } = context.services

  app.post(
    '/platformapi/cases/:id/tags',
    operation(
      context,
      {
        id: 'tagCase',
        tag: 'cases',
        summary: 'Add and remove tags of a case',
        description: `A case has at most ${mostTags} tags.`,
        permission: 'cases:write',
        errors: ['case_unknown', 'case_full'],
      },
      { params: id, body: TagsSchema, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      let found = await caseOf(store, caller.scope, request.params.id)
      const there = new Set(found.desk.tags)
      const removed = tagsOf(request.body.remove).filter((one) => there.has(one))
      const added = tagsOf(request.body.add).filter((one) => !there.has(one) && !removed.includes(one))
      mustFit(found, 'tags', there.size + added.length - removed.length, mostTags)
      if (added.length + removed.length > 0) {
        found = await record(context, caller, found.uuid, entryOf(context, caller, { kind: 'tags', added, removed }))
        mustHold(
          found,
          'tags',
          mostTags,
          added.every((one) => found.desk.tags.includes(one)),
        )
        tellAct(context, request, 'a case was tagged', { case: found.caseId, added, removed })
      }
      return views.details(caller.scope, found)
    },
  )

  app.post(
    '/platformapi/cases/:id/tasks',
    operation(
      context,
      {
        id: 'addCaseTask',
        tag: 'cases',
        summary: 'Add a task to a case',
        description: `A case has at most ${mostTasks} tasks.`,
        permission: 'cases:write',
        errors: ['case_unknown', 'case_full'],
      },
      { params: id, body: NewTaskSchema, querystring: noQuery, response: { 201: Type.Ref('CaseDetails#') } },
    ),
    async (request, reply) => {
      const caller = callerOf(request)
      const found = await caseOf(store, caller.scope, request.params.id)
      mustFit(found, 'tasks', found.desk.tasks.length + 1, mostTasks)
      const task = ids.uuid()
      const { text, assignee = null } = request.body
      const body = { kind: 'task', task, act: 'added', text, assignee, by: caller.principal.name } as const
      const next = await record(context, caller, found.uuid, entryOf(context, caller, body))
      mustHold(
        next,
        'tasks',
        mostTasks,
        next.desk.tasks.some(({ id }) => id === task),
      )
      tellAct(context, request, 'a task was added to a case', { case: found.caseId, task })
      return reply.code(201).send(await views.details(caller.scope, next))
    },
  )

  app.patch(
    '/platformapi/cases/:id/tasks/:task',
    operation(
      context,
      {
        id: 'changeCaseTask',
        tag: 'cases',
        summary: 'Change a task, or set it done or open again',
        permission: 'cases:write',
        errors: ['case_unknown', 'task_unknown'],
      },
      { params: taskPath, body: TaskChangeSchema, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      let found = await caseOf(store, caller.scope, request.params.id)
      const task = taskOf(found, request.params.task)
      const { text = task.text, assignee = task.assignee, done = task.done !== null } = request.body
      const about = { kind: 'task', task: task.id, text, assignee, by: caller.principal.name } as const
      const bodies: TimelineBody[] = []
      if (text !== task.text || assignee !== task.assignee) bodies.push({ ...about, act: 'changed' })
      if (done !== (task.done !== null)) bodies.push({ ...about, act: done ? 'done' : 'reopened' })
      for (const body of bodies) found = await record(context, caller, found.uuid, entryOf(context, caller, body))
      if (bodies.length > 0) tellAct(context, request, 'a task of a case was changed', { case: found.caseId, task: task.id, done })
      return views.details(caller.scope, found)
    },
  )

  app.delete(
    '/platformapi/cases/:id/tasks/:task',
    operation(
      context,
      { id: 'removeCaseTask', tag: 'cases', summary: 'Remove a task', permission: 'cases:write', errors: ['case_unknown', 'task_unknown'] },
      { params: taskPath, querystring: noQuery, response: { 200: Type.Ref('CaseDetails#') } },
    ),
    async (request) => {
      const caller = callerOf(request)
      const found = await caseOf(store, caller.scope, request.params.id)
      const { id: task, text, assignee } = taskOf(found, request.params.task)
      const body = { kind: 'task', task, act: 'removed', text, assignee, by: caller.principal.name } as const
      const next = await record(context, caller, found.uuid, entryOf(context, caller, body))
      tellAct(context, request, 'a task of a case was removed', { case: found.caseId, task })
      return views.details(caller.scope, next)
    },
  )
}

function tagsOf(asked: readonly string[] = []): readonly string[] {
  return [...new Set(asked.map((text) => text.normalize('NFKC').trim().toLowerCase()))].filter((text) => text !== '')
}

function taskOf({ desk }: Case, asked: string): CaseTask {
  const task = desk.tasks.find((one) => one.id === asked)
  if (!task) throw new TocsinError('task_unknown', 'The case has no task with this id.')
  return task
}

type Limited = 'tags' | 'tasks' | 'links' | 'merged cases'

/** @throws TocsinError `case_full` */
export function mustFit({ caseId }: Case, what: Limited, count: number, most: number = mostLinks): void {
  if (count > most) throw new TocsinError('case_full', `${caseId} would have ${count} ${what}. It can have ${most}.`)
}

/**
 * What a request has added must be there afterwards. Others may have filled the case since it was looked at.
 * @throws TocsinError `case_full`
 */
export function mustHold({ caseId }: Case, what: Limited, most: number, holds: boolean): void {
  if (!holds)
    throw new TocsinError('case_full', `Others changed the ${what} of ${caseId} at this moment, and yours are not there. It can have ${most}.`)
}
