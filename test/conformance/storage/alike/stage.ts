import type { Millis, OrganizationId, Scope } from '../../../../runtime/domain/index.ts'
import type { Dice } from '../../../engine/support/random-playbook.ts'
import { everyone, newTenant, noon, type Tenant } from '../fixtures.ts'
import type { BothStores } from './both-stores.ts'

/** What random acts on both stores share. */
export class Stage {
  readonly both: BothStores
  readonly dice: Dice
  readonly tenants: readonly Tenant[]
  #now: Millis = noon

  constructor(both: BothStores, dice: Dice, tenants: readonly Tenant[] = [newTenant(), newTenant()]) {
    this.both = both
    this.dice = dice
    this.tenants = tenants
  }

  /** Mostly all organizations. */
  scope(): Scope {
    return this.often() ? everyone : this.tenant().scope
  }

  tenant(): Tenant {
    return this.dice.one(this.tenants)
  }

  /** An organization, or null for all of them. */
  owner(): OrganizationId | null {
    return this.dice.roll(3) === 0 ? null : this.tenant().id
  }

  /** A later time, which is sometimes the same as before. */
  later(): Millis {
    this.#now += this.dice.roll(3)
    return this.#now
  }

  /** A time of the history. */
  time(): Millis {
    return noon + this.dice.roll(this.#now - noon + 2)
  }

  often(): boolean {
    return this.dice.roll(4) > 0
  }

  seldom(): boolean {
    return this.dice.roll(4) === 0
  }

  some<T>(all: readonly T[]): readonly T[] {
    return all.filter(() => this.dice.roll(2) === 0)
  }

  maybe<K extends string, T>(name: K, value: T): Partial<Record<K, T>> {
    return this.seldom() ? ({ [name]: value } as Record<K, T>) : {}
  }

  /** The revision that follows a stored one. Sometimes another one, which the stores refuse. */
  next(revision: number): number {
    return this.often() ? revision + 1 : revision + this.dice.one([0, 2])
  }
}
