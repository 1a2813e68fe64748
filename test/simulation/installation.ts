import { systemScope } from '../../runtime/domain/index.ts'
import { messageOf } from '../../runtime/errors/index.ts'
import { type Outside, type Process, startProcess } from './process.ts'
import type { Scenario, Slot } from './scenario.ts'
import { Machine } from './world/machine.ts'
import type { World } from './world/world.ts'

/** The processes of an installation. A dead process is started again after a while. */
export class Installation {
  readonly #world: World
  readonly #scenario: Scenario
  readonly #outside: Outside
  readonly #standing = new Map<string, { readonly machine: Machine; process: Process | null }>()
  #lives = 0
  /** How many processes were started. */
  get lives(): number {
    return this.#lives
  }

  constructor(world: World, scenario: Scenario, outside: Outside) {
    this.#world = world
    this.#scenario = scenario
    this.#outside = outside
  }

  start(): void {
    for (const slot of this.#scenario.slots) this.#start(slot)
  }

  /** The processes that are alive and have started completely. */
  get processes(): readonly Process[] {
    return [...this.#standing.values()].flatMap(({ process, machine }) => (process && !machine.dead ? [process] : []))
  }

  /** Stops sending requests to a process. It still has to stop. */
  retire({ slot }: Process): void {
    const place = this.#standing.get(slot.name)
    if (place) place.process = null
  }

  get machines(): readonly Machine[] {
    return [...this.#standing.values()].map(({ machine }) => machine).filter(({ dead }) => !dead)
  }

  /** Returns a process that takes requests, if there is one. */
  api(): Process | null {
    const able = this.processes.filter(({ slot }) => slot.api)
    return able.length === 0 ? null : this.#world.chance.one(able)
  }

  #start(slot: Slot): void {
    this.#lives += 1
    const { skew } = this.#scenario
    const machine = new Machine(`${slot.name}#${this.#lives}`, this.#world, this.#world.chance.between(-skew, skew))
    const place: { readonly machine: Machine; process: Process | null } = { machine, process: null }
    this.#standing.set(slot.name, place)
    machine.onDeath(() => this.#world.after(this.#pause(), null, () => this.#start(slot)))
    this.#world.note(machine.name, 'begins')
    this.#world.stir()
    // The embedded store invalidates the sessions of the previous process when it is opened.
    if (this.#scenario.backends === 'embedded') void this.#outside.store.sessions.bury(systemScope, 0)
    startProcess(machine, slot, this.#outside).then(
      (process) => {
        place.process = process
      },
      (error: unknown) => machine.die(`cannot start: ${messageOf(error)}`),
    )
  }

  #pause(): number {
    return this.#outside.weather.calm ? 100 : this.#world.chance.delay(100, 25_000)
  }
}
