import { alertIn, type OrganizationId, ownerOf, type Pause, type RunId, webhookIn } from '../domain/index.ts'
import type { Store } from '../storage/index.ts'
import type { Belonging, ChangeKind, FeedObject } from './change.ts'
import type { Touch } from './touch.ts'

/** Returns the objects that a call of a store's method has touched. */
type Touches<P extends unknown[] = never[], R = never> = (answer: R, ...parameters: P) => readonly Touch[]

/** For a method that removes something and answers whether it did. `removes` returns the object, which is looked up before the call. */
interface Removal<P extends unknown[] = never[]> {
  readonly removes: (...parameters: P) => Touch
}

type RuleOf<M> = M extends (...parameters: infer P) => Promise<infer R> ? null | Touches<P, R> | (R extends boolean ? Removal<P> : never) : never

/** One entry for each method of the store. Null for a method that only reads, or that changes nothing in the API. */
export type Rules = { readonly [A in keyof Omit<Store, 'ping' | 'close'>]: { readonly [M in keyof Store[A]]: RuleOf<Store[A][M]> } }

const belonging = (organization: OrganizationId | null, without: 'shared' | 'operators'): Belonging =>
  organization === null ? without : [organization]
const known = (object: FeedObject, id: string | null, change: ChangeKind, of: Belonging): Touch => ({
  kind: 'known',
  change: { object, id, change, of },
})
/** Some objects of these kinds changed, and the store does not say which. */
const some = (...objects: readonly FeedObject[]): readonly Touch[] => objects.map((object) => known(object, null, 'changed', 'shared'))
const run = (id: RunId, change: ChangeKind = 'changed'): Touch => ({ kind: 'run', run: id, change })
/** A run whose change also shows in its alert and in its case. */
const wholeRun = (id: RunId): readonly Touch[] => [
  run(id),
  { kind: 'alert', alert: alertIn(id), change: 'changed' },
  { kind: 'caseOf', alert: alertIn(id), change: 'changed' },
]
const pause = ({ id, target }: Pause, change: ChangeKind): Touch =>
  known('pause', id, change, belonging(ownerOf(target)?.organization ?? null, 'shared'))

/** The objects that each method of the store touches. */
export const rules: Rules = {
  alerts: {
    insert: (inserted) =>
      inserted.flatMap(({ fresh, alert }) => (fresh ? [{ kind: 'alert', alert: alert.uuid, change: 'created' } satisfies Touch] : [])),
    get: null,
    names: null,
    byAlertId: null,
    list: null,
    tally: null,
    submit: (_, _scope, uuids) => uuids.map((alert) => ({ kind: 'alert', alert, change: 'changed' })),
    repeats: null,
    retry: (result, _scope, alert) => (result?.retried ? [{ kind: 'alert', alert, change: 'changed' }] : []),
    retryDue: (due) => due.map(({ uuid }) => ({ kind: 'alert', alert: uuid, change: 'changed' })),
    pending: null,
    prepare: null,
    prepared: null,
    hold: (_, _scope, alert) => [{ kind: 'alert', alert, change: 'changed' }],
    heldBy: null,
    release: (released) => released.map(({ uuid }) => ({ kind: 'alert', alert: uuid, change: 'changed' })),
    repair: (count) => (count > 0 ? some('alert') : []),
  },
  runs: {
    claim: (claimed, _scope, { alert, opening }) => {
      if (claimed.kind === 'duplicate')
        return [
          { kind: 'alert', alert, change: 'changed' },
          { kind: 'caseOf', alert, change: 'changed' },
        ]
      if (claimed.kind !== 'claimed') return []
      const { id, epoch, case: uuid, caseId, organization } = claimed.run
      return [
        run(id, epoch === 1 ? 'created' : 'changed'),
        { kind: 'alert', alert, change: 'changed' },
        known('case', caseId, epoch === 1 && uuid === opening.uuid ? 'created' : 'changed', [organization]),
      ]
    },
    openUndo: (opened) => (opened ? [run(opened.id, 'created'), ...wholeRun(opened.id).slice(1)] : []),
    claimUndo: (claimed, _scope, { run: id }) => (claimed.kind === 'claimed' ? [run(id)] : []),
    end: (ended, _scope, { run: id }) => (ended === 'ended' ? wholeRun(id) : []),
    sleep: (slept, _scope, { run: id }) => (slept === 'slept' ? wholeRun(id) : []),
    cancel: (result, _scope, id) => (result ? wholeRun(id) : []),
    cancelled: null,
    dropRetry: (dropped, _scope, id) => (dropped ? wholeRun(id) : []),
    wake: (_, _scope, id) => [run(id)],
    hold: (_, _scope, id) => wholeRun(id),
    release: (count) => (count > 0 ? some('run', 'alert') : []),
    due: null,
    get: null,
    list: null,
    ofAlert: null,
    undosOfAlert: null,
    orphans: null,
    forgetWindows: null,
    settle: (count) => (count > 0 ? some('run', 'alert', 'case') : []),
  },
  journal: {
    append: (appended, _scope, id) => (appended === 'appended' ? [run(id)] : []),
    read: null,
    putOutput: null,
    getOutput: null,
  },
  cases: {
    byCaseId: null,
    get: null,
    list: null,
    continued: null,
    timeline: null,
    mentions: null,
    entries: null,
    record: (found) => (found ? [known('case', found.caseId, 'changed', [found.organization])] : []),
  },
  decisions: {
    open: ({ id, revision, organization }) => (revision === 1 ? [known('decision', id, 'created', [organization])] : []),
    get: null,
    list: null,
    byDeadline: null,
    revise: (revised, _scope, { id, organization }) => (revised === 'revised' ? [known('decision', id, 'changed', [organization])] : []),
    untold: null,
    told: null,
    waiting: null,
    left: null,
  },
  pauses: {
    begin: (begun) => [pause(begun, 'created')],
    end: (ended) => (ended ? [pause(ended, 'changed')] : []),
    standing: null,
    get: null,
    list: null,
  },
  fetches: {
    create: (_, _scope, { id, organization }) => [known('fetch', id, 'created', [organization])],
    get: null,
    list: null,
    count: null,
    failing: null,
    revise: (revised, _scope, { id, organization }) => (revised === 'revised' ? [known('fetch', id, 'changed', [organization])] : []),
    remove: { removes: (_scope, id) => ({ kind: 'fetch', fetch: id }) },
    hurry: null,
    due: null,
    lease: null,
    extend: null,
    settle: (settled, _scope, id) => (settled ? [{ kind: 'fetch', fetch: id }] : []),
  },
  policies: {
    get: null,
    revision: null,
    all: null,
    set: (set, _scope, { organization }) => (set === 'set' ? [{ kind: 'policy', organization }] : []),
    history: null,
  },
  quotas: { count: null, usage: null },
  agents: {
    create: (_, _scope, { id, organization }) => [known('agent', id, 'created', belonging(organization, 'operators'))],
    byId: null,
    list: null,
    count: null,
    enrol: (agent) => (agent ? [known('agent', agent.id, 'changed', belonging(agent.organization, 'operators'))] : []),
    byToken: null,
    byKey: null,
    revoke: (agent) => (agent ? [known('agent', agent.id, 'changed', belonging(agent.organization, 'operators'))] : []),
    noteSeen: (_, _scope, id) => [{ kind: 'agent', agent: id }],
  },
  connections: {
    create: (created, _scope, { id, organization }) =>
      created === 'created' ? [known('connection', id, 'created', belonging(organization, 'shared'))] : [],
    byId: null,
    forOrganization: null,
    list: null,
    revise: (revised, _scope, { id, organization }) =>
      revised === 'revised' ? [known('connection', id, 'changed', belonging(organization, 'shared'))] : [],
    noteTest: (noted, _scope, { id }) => (noted ? [{ kind: 'connection', connection: id }] : []),
    reseal: null,
    remove: { removes: (_scope, id) => ({ kind: 'connection', connection: id }) },
  },
  statistics: { alerts: null, runs: null },
  tokens: { get: null, lease: null, put: null, release: null },
  artifacts: {
    put: null,
    get: null,
    active: null,
    listActive: null,
    activate: ({ activated }, _scope, { kind, key, organization, revision, withdrawn }) => {
      const change = withdrawn ? 'removed' : revision === 1 ? 'created' : 'changed'
      return activated ? [known(kind === 'plugin' ? 'integration' : 'playbook', key, change, belonging(organization, 'shared'))] : []
    },
    history: null,
  },
  organizations: {
    create: (created, _scope, { code, id }) => (created === 'created' ? [known('organization', code, 'created', [id])] : []),
    byCode: null,
    byId: null,
    list: null,
  },
  providers: {
    create: (created, _scope, { code }) => (created === 'created' ? [known('provider', code, 'created', 'shared')] : []),
    byCode: null,
    list: null,
  },
  principals: {
    create: null,
    byId: null,
    addKey: (added, _scope, { id }) => (added === 'added' ? [{ kind: 'key', key: id, change: 'created' }] : []),
    keyByHash: null,
    keyById: null,
    mostKeys: null,
    listKeys: null,
    revokeKey: (revoked, _scope, id) => (revoked ? [{ kind: 'key', key: id, change: 'removed' }] : []),
    noteKeyUse: null,
  },
  acts: { add: null, list: null },
  sessions: { open: null, heartbeat: null, close: null, bury: null },
  settings: { settle: null, replace: null },
  webhooks: {
    create: (_, _scope, { id, organization }) => [known('webhook', id, 'created', belonging(organization, 'operators'))],
    get: null,
    list: null,
    count: null,
    enabled: null,
    revise: (revised, _scope, { id, organization }) =>
      revised === 'revised' ? [known('webhook', id, 'changed', belonging(organization, 'operators'))] : [],
    remove: { removes: (_scope, id) => ({ kind: 'webhook', webhook: id }) },
  },
  outbox: { pending: null, clear: null },
  deliveries: {
    add: (_, _scope, deliveries) =>
      deliveries.map(({ webhook, organization }) => known('webhook', webhook, 'changed', belonging(organization, 'operators'))),
    get: null,
    list: null,
    due: null,
    lease: null,
    settle: (settled, _scope, id) => (settled ? [{ kind: 'webhook', webhook: webhookIn(id) }] : []),
    abandon: (count, _scope, webhook) => (count > 0 ? [{ kind: 'webhook', webhook }] : []),
    again: (delivery) => (delivery ? [{ kind: 'webhook', webhook: delivery.webhook }] : []),
    prune: null,
  },
}
