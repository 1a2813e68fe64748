import {
  type AlertUuid,
  asId,
  type CaseChange,
  type CaseUuid,
  caseStatuses,
  dispositions,
  type Millis,
  type NewAlert,
  type PrincipalId,
  type RunId,
  type SessionId,
  severities,
  type TimelineBody,
} from '../../../../runtime/domain/index.ts'
import type { RunClaim } from '../../../../runtime/storage/index.ts'
import type { Dice } from '../../../engine/support/random-playbook.ts'
import { claimOf, endOf, everyone, joining, newAlert, newTenant, noon, type Tenant, uuid } from '../fixtures.ts'
import type { BothStores } from './both-stores.ts'

/** Words that are alike in some way: case, accents, width, parts of each other, and signs of patterns. */
const words = [
  ...['mail', 'Mail', 'ada@example.com', 'ADA', '10.0.0.5', '10.0.0.50', 'straße', 'STRASSE', 'İstanbul', 'ıx', 'x-y_z', '100%', 'über', 'ÜBER'],
  ...[
    '日本語',
    'e\u0301',
    '\u00e9',
    'foo.bar',
    '$where',
    'a/b/c',
    '👩‍💻',
    "it's",
    '"quoted"',
    'C:\\Temp\\x.exe',
    'ﬁle',
    'Σίσυφος',
    'ΣΊΣΥΦΟΣ',
    '.*',
    '[a-z]',
  ],
]
const ada = asId<PrincipalId>('0197a000-0000-7000-8000-00000000ada0')

/** What has happened in both stores. */
export class History {
  readonly tenants: readonly Tenant[] = [newTenant(), newTenant()]
  readonly alerts: AlertUuid[] = []
  readonly cases: CaseUuid[] = []
  readonly runs: RunId[] = []
  readonly tags = words
  now: Millis = noon
  readonly #both: BothStores
  readonly #dice: Dice
  readonly #session = uuid<SessionId>()
  #entries = 0

  constructor(both: BothStores, dice: Dice) {
    this.#both = both
    this.#dice = dice
  }

  async begin(): Promise<void> {
    await this.#both.alike({ session: this.#session }, (store) => store.sessions.open(everyone, { id: this.#session, host: 'here', pid: 1 }))
  }

  /** Some words, joined by something. */
  text(): string {
    const { roll, one } = { roll: (sides: number) => this.#dice.roll(sides), one: <T>(from: readonly T[]) => this.#dice.one(from) }
    return Array.from({ length: 1 + roll(4) }, () => one(words)).join(one([' ', ' ', ',', '', '-']))
  }

  /** An alert arrives. It may be investigated, and people may change cases. */
  async goOn(): Promise<void> {
    const dice = this.#dice
    this.now += dice.roll(4) * 700
    const content = JSON.stringify({ a: this.text(), n: dice.roll(100), b: [this.text()] })
    const alert = newAlert(dice.one(this.tenants), {
      provider: dice.one(['siem', 'edr', 'mail']),
      type: dice.one(['phishing', 'malware', null]),
      content,
      createdAt: this.now,
    })
    await this.#both.alike({ insert: alert.uuid }, (store) => store.alerts.insert(everyone, [alert]))
    this.alerts.push(alert.uuid)
    if (alert.type === null || dice.roll(4) === 0) return
    const run = await this.#investigate(alert)
    if (run) for (let count = dice.roll(3); count > 0; count -= 1) await this.#changeCase(run)
  }

  async #investigate(alert: NewAlert): Promise<RunId | null> {
    const dice = this.#dice
    const claim = this.#claimOf(alert)
    const claimed = await this.#both.alike({ claim: claim.run }, async ({ runs }) => {
      const result = await runs.claim(everyone, claim)
      if (result.kind !== 'claimed') return { kind: result.kind, run: null, position: 0 }
      await result.opened
      await result.shown
      return { kind: result.kind, run: result.run, position: result.position }
    })
    if (claimed.run === null) return null
    const { id, case: uuid } = claimed.run
    this.runs.push(id)
    if (!this.cases.includes(uuid)) this.cases.push(uuid)
    const failure = dice.roll(2) === 0 ? { code: 'network', message: 'reset', remedy: null, step: 'look' } : null
    const at = this.now + dice.roll(100_000)
    const end = endOf(id, 1, claimed.position, {
      state: failure ? 'failed' : 'completed',
      failure,
      at,
      retryAt: failure && dice.roll(2) === 0 ? at + 9 : null,
    })
    if (dice.roll(3) > 0) await this.#both.alike({ end: id }, (store) => store.runs.end(everyone, end))
    return id
  }

  #claimOf(alert: NewAlert): RunClaim {
    const dice = this.#dice
    const plain = claimOf(alert, this.#session, 1, this.now + 5)
    const claim: RunClaim = {
      ...plain,
      opening: { ...plain.opening, title: this.text(), severity: dice.one(severities) },
      pins: { ...plain.pins, playbook: { ...plain.pins.playbook, name: dice.one(['one', 'two']) } },
      ...(dice.roll(3) === 0 && { fingerprint: { digest: `print ${dice.roll(4)}`, within: 30_000 } }),
    }
    return dice.roll(3) === 0 ? joining(claim, { key: dice.one(['k1', 'k2']), within: 10_000 }) : claim
  }

  async #changeCase(run: RunId): Promise<void> {
    const dice = this.#dice
    const change = dice.one<CaseChange | null>([
      { status: dice.one(caseStatuses) },
      { severity: dice.one(severities) },
      { disposition: dice.one(dispositions), summary: this.text() },
      { assignee: dice.one(['Ann', 'Bob', null]) },
      { title: this.text() },
      null,
    ])
    const tags: TimelineBody = { kind: 'tags', added: [dice.one(words)], removed: [dice.one(words)] }
    const body =
      change === null
        ? tags
        : dice.one<TimelineBody>([
            { kind: 'note', text: this.text() },
            { kind: 'change', change },
          ])
    const actor = dice.one([{ principal: ada }, { run, step: 'say' }])
    const entry = { key: `entry ${++this.#entries}`, at: this.now + dice.roll(50), actor, body }
    const uuid = dice.one(this.cases)
    await this.#both.alike({ record: entry }, (store) => store.cases.record(everyone, uuid, change, entry))
  }
}
