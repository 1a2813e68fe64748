import { asId, type CaseUuid, mergeActs, type PrincipalId, type TimelineBody, taskActs } from '../../../../runtime/domain/index.ts'
import type { CaseMention } from '../../../../runtime/storage/index.ts'
import type { Stage } from './stage.ts'

const people = ['0197a000-0000-7000-8000-00000000ada0', '0197a000-0000-7000-8000-00000000b0b0'].map((id) => asId<PrincipalId>(id))

/** Random comments, tasks, links and merges of cases, and questions about them. */
export class DeskActs {
  readonly #stage: Stage
  readonly #cases: () => readonly CaseUuid[]
  #keys: readonly string[] = []

  constructor(stage: Stage, cases: () => readonly CaseUuid[]) {
    this.#stage = stage
    this.#cases = cases
  }

  async act(): Promise<void> {
    if (this.#cases().length === 0) return
    await (this.#stage.often() ? this.#record() : this.#ask())
  }

  #body(): TimelineBody {
    const { dice } = this.#stage
    const uuid = dice.one(this.#cases())
    const other = { uuid, caseId: `C-${uuid}` }
    const by = dice.one(['ada', 'bob'])
    const mentions = this.#stage.some(people).map((principal) => ({ principal, name: '$ada' }))
    return dice.one<TimelineBody>([
      { kind: 'merge', act: dice.one(mergeActs), other, by, text: null },
      { kind: 'merge', act: dice.one(['into', 'absorbed'] as const), other, by, text: null },
      { kind: 'link', act: dice.one(['added', 'removed'] as const), other, by, text: '$text' },
      { kind: 'task', task: dice.one(['t1', 't2']), act: dice.one(taskActs), text: 'a\0b', assignee: dice.one(['ann', null]), by },
      { kind: 'comment', text: '$why', ...(mentions.length > 0 && { mentions }) },
    ])
  }

  async #record(): Promise<void> {
    const { dice, both } = this.#stage
    const key = `desk ${this.#keys.length}`
    const principal = dice.one(people)
    const entry = { key, at: this.#stage.later(), actor: { principal }, body: this.#body() }
    const uuid = dice.one(this.#cases())
    const scope = this.#stage.scope()
    await both.alike({ record: entry, uuid, scope }, ({ cases }) => cases.record(scope, uuid, null, entry))
    this.#keys = [...this.#keys, key]
  }

  async #ask(): Promise<void> {
    const { dice, both } = this.#stage
    const scope = this.#stage.scope()
    const uuids = this.#stage.some(this.#cases())
    const found = await both.alike({ cases: uuids, scope }, async ({ cases }) => Promise.all(uuids.map((uuid) => cases.get(scope, uuid))))
    const caseIds = found.flatMap((one) => one?.caseId ?? [])
    await both.alike({ continued: caseIds, scope }, async ({ cases }) => [...(await cases.continued(scope, caseIds))].sort())
    const uuid = dice.one(this.#cases())
    await both.alike({ entries: uuid, scope }, async ({ cases }) =>
      (await cases.entries(scope, uuid, this.#keys)).toSorted((a, b) => (a.key < b.key ? -1 : 1)),
    )
    const person = dice.one(people)
    let after: CaseMention | null = null
    for (let page = 0; page < 3; page += 1) {
      const part: { readonly after: CaseMention | null; readonly limit: number } = { after, limit: 1 + dice.roll(4) }
      const { items, more } = await both.alike({ mentions: person, part, scope }, ({ cases }) => cases.mentions(scope, person, part))
      after = items.at(-1) ?? null
      if (!after || !more) break
    }
  }
}
