import {
  asId,
  type Millis,
  type Pause,
  type PauseAct,
  type PauseId,
  type PauseTarget,
  type Principal,
  systemScope,
} from '../../../runtime/domain/index.ts'
import { isTocsinError } from '../../../runtime/errors/index.ts'
import type { Installation } from '../installation.ts'
import type { Process } from '../process.ts'
import type { Scenario } from '../scenario.ts'
import { connection, organization } from '../stage.ts'
import type { Chance } from '../world/chance.ts'
import type { World } from '../world/world.ts'
import { operator } from './operators.ts'

/** A pause that was acknowledged. */
export interface Stood {
  readonly target: PauseTarget
  /** When it was acknowledged. */
  readonly from: Millis
  /** When somebody first asked to end it. */
  until: Millis
}

const owner = { organization: organization.id, code: organization.code }
const targets: readonly PauseTarget[] = [
  { kind: 'everything' },
  { kind: 'organization', owner },
  { kind: 'playbook', playbook: 'test', owner },
  { kind: 'playbook', playbook: 'inner', owner: null },
  { kind: 'connection', connection: connection.id, instance: connection.instance, owner },
]
const durations = [
  [100, 3_000],
  [3_000, 60_000],
  [60_000, 3_600_000],
] as const
/** A pause that is meant to meet a write begins at one of this many first writes. */
const firstWrites = 6
const soon: Millis = 4_000
/** How long after the last fault to look for active pauses. A request without an answer may have begun one. */
const morning: Millis = 60_000
const patience: Millis = 10_000

/** Operators who pause and resume things, at random times or because they see a write coming. */
export class Pauses {
  readonly #world: World
  readonly #chance: Chance
  readonly #installation: Installation
  readonly #atWrites = new Set<number>()
  readonly #stood = new Map<PauseId, Stood>()
  #writes = 0

  constructor(world: World, { operations, chaos }: Scenario, installation: Installation) {
    this.#world = world
    this.#chance = world.chance.fork()
    this.#installation = installation
    for (let time = 0; time < operations.pauses; time += 1) {
      if (this.#chance.happens(0.5)) this.#atWrites.add(this.#chance.between(1, firstWrites))
      else world.after(this.#chance.delay(1_000, chaos), null, () => void this.#pause())
    }
    if (operations.pauses > 0) world.after(chaos + morning, null, () => this.#resumeAll())
  }

  get stood(): readonly Stood[] {
    return [...this.#stood.values()]
  }

  /** Called when a write is about to be sent. */
  seeWrite(): void {
    this.#writes += 1
    if (this.#atWrites.has(this.#writes)) this.#world.after(this.#chance.delay(0, soon), null, () => void this.#pause())
  }

  #pause(): Promise<void> {
    const target = this.#chance.one(targets)
    return this.#ask(`pauses ${target.kind}`, async ({ pauses, machine }) => {
      const id = asId<PauseId>(machine.ids.uuid())
      const standing: Pause = await pauses.begin(systemScope, { id, target, paused: this.#act(), resumed: null })
      this.#world.note('operator', 'has paused', standing)
      if (this.#stood.has(standing.id)) return
      this.#stood.set(standing.id, { target, from: this.#world.now, until: Number.POSITIVE_INFINITY })
      const [shortest, longest] = this.#chance.one(durations)
      this.#world.after(this.#chance.between(shortest, longest), null, () => void this.#resume(standing.id))
    })
  }

  #resume(id: PauseId): Promise<void> {
    return this.#ask('resumes', ({ pauses }) => this.#end(pauses, id))
  }

  /** Resumes until no pause is active, and that was acknowledged. */
  #resumeAll(): void {
    let over = false
    void this.#ask('resumes all', async ({ pauses }) => {
      const standing = await pauses.standing(systemScope)
      for (const { id } of standing) await this.#end(pauses, id)
      over = standing.length === 0
    })
    this.#world.after(patience, null, () => {
      if (!over) this.#resumeAll()
    })
  }

  async #end(pauses: Process['pauses'], id: PauseId): Promise<void> {
    const stood = this.#stood.get(id)
    if (stood) stood.until = Math.min(stood.until, this.#world.now)
    await pauses.end(systemScope, id, this.#act())
    this.#world.note('operator', 'has resumed', id)
  }

  /** Asks a process. Does nothing if no process takes requests, or the store does not answer. */
  async #ask(what: string, act: (api: Process) => Promise<void>): Promise<void> {
    const api = this.#installation.api()
    if (!api) return
    this.#world.stir()
    this.#world.note('operator', `${what} by ${api.machine.name}`)
    try {
      await act(api)
    } catch (error) {
      this.#world.note('operator', 'is refused', error)
      if (!isTocsinError(error) || error.code !== 'store_unavailable') this.#world.fail(`an operator was refused: ${String(error)}`)
    }
  }

  #act(): PauseAct {
    const { id, name }: Principal = operator
    return { at: this.#world.now, principal: id, by: name, reason: null }
  }
}
