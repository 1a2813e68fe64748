import { searchWordsOf } from '../../../../runtime/api/request/search-words.ts'
import {
  casePosition,
  caseSorts,
  caseStatuses,
  dispositions,
  type Millis,
  runStates,
  type Scope,
  severities,
  tokensOf,
} from '../../../../runtime/domain/index.ts'
import type { AlertConditions, AlertPosition, AlertQuery, CaseQuery, RunQuery } from '../../../../runtime/storage/index.ts'
import type { Dice } from '../../../engine/support/random-playbook.ts'
import { everyone, noon } from '../fixtures.ts'
import type { BothStores } from './both-stores.ts'
import type { History } from './history.ts'

/** Parts of the words of a history. */
const parts = [
  'ma',
  'ADA',
  '10.0',
  'stra',
  'ss',
  'İ',
  'i',
  'ı',
  '%',
  '_',
  'ü',
  '日',
  'é',
  'e',
  'bar',
  '$',
  '/b',
  '💻',
  's',
  '"',
  '\\',
  'fi',
  'Σ',
  'ς',
  'σ',
  '.*',
  '[',
  'x\0',
]
const mostPages = 3

/** Random questions about a history. */
export class Questions {
  readonly #both: BothStores
  readonly #history: History
  readonly #dice: Dice

  constructor(both: BothStores, history: History, dice: Dice) {
    this.#both = both
    this.#history = history
    this.#dice = dice
  }

  async ask(): Promise<void> {
    const { tenants } = this.#history
    const scope = this.#dice.roll(3) === 0 ? this.#dice.one(tenants).scope : everyone
    await this.#dice.one([() => this.#alerts(scope), () => this.#cases(scope), () => this.#runs(scope), () => this.#timeline(scope)])()
  }

  async #alerts(scope: Scope): Promise<void> {
    const conditions = this.#alertConditions()
    const sort = this.#dice.one(['created_at', '-created_at'] as const)
    let after: AlertPosition | null = null
    for (let page = 0; page < mostPages; page += 1) {
      const query: AlertQuery = { ...conditions, sort, after, limit: 1 + this.#dice.roll(20), preview: 20 }
      const { items, more } = await this.#both.alike({ alerts: query, scope }, (store) => store.alerts.list(scope, query))
      const last = items.at(-1)
      if (!last || !more) break
      after = { createdAt: last.createdAt, uuid: last.uuid }
    }
    await this.#both.alike({ tally: conditions, scope }, async ({ alerts }) => (await alerts.tally(scope, conditions, null, 10_000)).matching)
  }

  #alertConditions(): AlertConditions {
    const { alerts, cases } = this.#history
    const text = this.#text()
    return {
      ...this.#maybe('organizations', this.#organizations()),
      ...this.#maybe('providers', this.#some(['siem', 'edr', 'mail'])),
      ...this.#maybe('types', this.#some(['phishing', 'malware'])),
      ...this.#maybe('statuses', this.#some([0, 5, 10, 15, 20] as const)),
      ...this.#maybe('playbooks', this.#some(['one', 'two'])),
      ...this.#maybe('createdFrom', this.#time()),
      ...this.#maybe('createdTo', this.#time()),
      ...(this.#dice.roll(6) === 0 && { finished: this.#dice.roll(2) === 0 }),
      ...(this.#dice.roll(8) === 0 && { case: this.#dice.one(cases) }),
      ...(this.#dice.roll(12) === 0 && { duplicateOf: this.#dice.one(alerts) }),
      ...(this.#dice.roll(3) === 0 && tokensOf(text).length > 0 && { words: searchWordsOf(text) }),
      ...(this.#dice.roll(4) === 0 && tokensOf(text).length > 0 && { contains: { text, words: tokensOf(text) } }),
    }
  }

  async #cases(scope: Scope): Promise<void> {
    const sort = this.#dice.one(caseSorts)
    const conditions: Omit<CaseQuery, 'after' | 'limit'> = {
      sort,
      ...this.#maybe('organizations', this.#organizations()),
      ...this.#maybe('statuses', this.#some(caseStatuses)),
      ...this.#maybe('severities', this.#some(severities)),
      ...this.#maybe('dispositions', this.#some(dispositions)),
      ...this.#maybe('assignees', this.#some(['Ann', 'Bob', null])),
      ...this.#maybe('tags', this.#some(this.#history.tags).slice(0, 8)),
      ...this.#maybe('createdFrom', this.#time()),
      ...(this.#dice.roll(2) === 0 && { words: [this.#text()] }),
      ...(this.#dice.roll(6) === 0 && { attention: this.#dice.roll(2) === 0 }),
    }
    let after: CaseQuery['after'] = null
    for (let page = 0; page < mostPages; page += 1) {
      const query: CaseQuery = { ...conditions, after, limit: 1 + this.#dice.roll(15) }
      const { items, more } = await this.#both.alike({ cases: query, scope }, (store) => store.cases.list(scope, query))
      const last = items.at(-1)
      if (!last || !more) break
      after = casePosition(last, sort)
    }
  }

  async #runs(scope: Scope): Promise<void> {
    const query: RunQuery = {
      after: null,
      limit: 1 + this.#dice.roll(60),
      ...this.#maybe('organizations', this.#organizations()),
      ...this.#maybe('types', this.#some(['phishing', 'malware'])),
      ...this.#maybe('playbooks', this.#some(['one', 'two'])),
      ...this.#maybe('states', this.#some(runStates)),
      ...this.#maybe('startedFrom', this.#time()),
    }
    await this.#both.alike({ runs: query, scope }, (store) => store.runs.list(scope, query))
  }

  async #timeline(scope: Scope): Promise<void> {
    const uuid = this.#dice.one(this.#history.cases)
    const part = { before: null, limit: 1 + this.#dice.roll(6), characters: this.#dice.one([50, 1_000, 100_000]) }
    await this.#both.alike({ timeline: uuid, part, scope }, async ({ cases }) => (await cases.timeline(scope, uuid, part)).entries)
    const alert = this.#dice.one(this.#history.alerts)
    await this.#both.alike({ repeats: alert, scope }, (store) => store.alerts.repeats(scope, alert))
  }

  #text(): string {
    return this.#dice.one([this.#history.text(), this.#dice.one(parts)])
  }

  #organizations() {
    return this.#some(this.#history.tenants.map(({ id }) => id))
  }

  #time(): Millis {
    return noon + this.#dice.roll(this.#history.now - noon)
  }

  #some<T>(all: readonly T[]): readonly T[] {
    return all.filter(() => this.#dice.roll(2) === 0)
  }

  #maybe<K extends string, T>(name: K, value: T): Partial<Record<K, T>> {
    return this.#dice.roll(3) === 0 ? ({ [name]: value } as Record<K, T>) : {}
  }
}
