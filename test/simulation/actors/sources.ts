import { type AlertUuid, asId, type Millis, type Principal, type PrincipalId } from '../../../runtime/domain/index.ts'
import { isTocsinError } from '../../../runtime/errors/index.ts'
import type { Accepted } from '../../../runtime/ingest/index.ts'
import type { Installation } from '../installation.ts'
import type { Chance } from '../world/chance.ts'
import type { World } from '../world/world.ts'

/** An acknowledged alert. */
export interface Acknowledged {
  readonly uuid: AlertUuid
  readonly alertId: string
  readonly key: string
  /** When it was first posted. */
  readonly postedAt: Millis
  readonly answeredAt: Millis
}

export const organizationCode = 'ACME'
export const provider = 'edr'

/**
 * Alert sources. Each sends its alert again with the same key until it gets an answer. Some send it once more
 * after that.
 */
export class Sources {
  readonly #world: World
  readonly #chance: Chance
  readonly #installation: Installation
  readonly answers: Acknowledged[] = []
  readonly #posted = new Map<string, Millis>()
  /** How many alerts are not acknowledged yet. */
  left: number

  constructor(world: World, installation: Installation, types: readonly string[], count: number, within: Millis) {
    this.#world = world
    this.#chance = world.chance.fork()
    this.#installation = installation
    this.left = count
    for (let number = 1; number <= count; number += 1) {
      const type = this.#chance.one(types)
      world.after(this.#chance.between(0, within), null, () => this.#post(`key-${number}`, type, false))
    }
  }

  #post(key: string, type: string, again: boolean): void {
    this.#world.stir()
    const api = this.#installation.api()
    if (!api) return this.#later(key, type, again)
    const posted = this.#posted.get(key) ?? this.#world.now
    this.#posted.set(key, posted)
    let over = false
    const giveUp = this.#world.after(this.#chance.between(5_000, 30_000), null, () => {
      over = true
      this.#later(key, type, again)
    })
    const submission = {
      alertContent: JSON.stringify({ title: key }),
      alertProvider: provider,
      organizationCode,
      alertType: type,
      createdAtSource: null,
    }
    this.#world.note('source', `posts ${key} to ${api.machine.name}`)
    api.ingest.accept(sourcePrincipal, submission, key, null).then(
      (accepted) => {
        if (over) return
        giveUp()
        this.#answered(accepted, key, posted)
        if (again || !this.#chance.happens(0.1)) return
        this.#world.after(this.#chance.between(1, 60_000), null, () => this.#post(key, type, true))
      },
      (error: unknown) => {
        if (!isTocsinError(error) || error.code !== 'store_unavailable') this.#world.fail(`a source was refused: ${String(error)}`)
        if (over) return
        giveUp()
        this.#later(key, type, again)
      },
    )
  }

  #later(key: string, type: string, again: boolean): void {
    this.#world.after(this.#chance.between(200, 10_000), null, () => this.#post(key, type, again))
  }

  #answered({ alert }: Accepted, key: string, postedAt: Millis): void {
    const { uuid, alertId } = alert
    this.#world.note('source', `${key} is ${alertId}`)
    if (!this.answers.some((earlier) => earlier.key === key)) this.left -= 1
    this.answers.push({ uuid, alertId, key, postedAt, answeredAt: this.#world.now })
  }
}

const sourcePrincipal: Principal = {
  id: asId<PrincipalId>('source'),
  name: 'siem',
  permissions: ['alerts:write', 'alerts:read'],
  organizations: 'all',
  createdAt: 0,
  createdBy: null,
}
