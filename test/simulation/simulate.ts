import { AlertStatus, type Decision, type JournalEntry, systemScope } from '../../runtime/domain/index.ts'
import { openMemoryStore } from '../../runtime/storage/embedded/index.ts'
import type { Store } from '../../runtime/storage/index.ts'
import { planBlows } from './actors/blows.ts'
import { Operators } from './actors/operators.ts'
import { Pauses } from './actors/pauses.ts'
import { People } from './actors/people.ts'
import { Sources } from './actors/sources.ts'
import { ExternalSystem } from './actors/system.ts'
import { Installation } from './installation.ts'
import { judge } from './invariants/judge.ts'
import { type Scenario, scenarioOf } from './scenario.ts'
import { Agents } from './seams/agents.ts'
import { Network } from './seams/network.ts'
import { SharedQueue } from './seams/queue.ts'
import { eachMethod } from './seams/store.ts'
import { Weather } from './seams/weather.ts'
import { setStage } from './stage.ts'
import { Chance } from './world/chance.ts'
import { bookOf } from './world/shared.ts'
import { World } from './world/world.ts'

/** The result of one seed. */
export interface Played {
  readonly seed: number
  readonly scenario: Scenario
  /** Violations that were found. Empty: none. */
  readonly wrong: readonly string[]
  /** The same for the same seed and the same runtime. */
  readonly hash: string
  /** Returns the last events. */
  last(lines: number): string
  /** How much happened. */
  readonly counts: { readonly events: number; readonly lives: number; readonly seconds: number; readonly arrivals: number; readonly answered: number }
}

/** Deliberate mistakes in the processes. Tests check that the simulation finds them. */
interface Tampering {
  /** Replaces the store that all processes share. */
  readonly store?: (store: Store, world: World) => Store
}

export interface Play {
  /** How many lines of events are kept. */
  readonly lines?: number
  readonly tampering?: Tampering
  /** A simulation with more events than this is in an endless loop. */
  readonly mostEvents?: number
  /** Changes the scenario of the seed. */
  readonly scenario?: (scenario: Scenario) => Scenario
}

/**
 * The most events of one seed. Most seeds need far fewer. One whose runs are held by a pause for the two hours of chaos needs 92,000, because
 * processes look around every few seconds.
 */
const usualEvents = 150_000
const lookEvery = 120

/** Plays the whole runtime through one seed. The same seed gives the same events. */
export async function simulate(
  seed: number,
  { lines = 400, tampering = {}, scenario: change = (scenario) => scenario, mostEvents = usualEvents }: Play = {},
): Promise<Played> {
  const chance = new Chance(Math.imul(seed, 0x9e3779b1))
  const scenario = change(scenarioOf(seed, chance))
  const world = new World(chance, lines)
  const memory = openMemoryStore({ now: () => world.now } as never)
  const giveBack = world.takeOver()
  try {
    await setStage(memory, scenario)
    return await play(seed, { scenario, world, memory, tampering, mostEvents })
  } finally {
    giveBack()
    await memory.close()
  }
}

interface Stage {
  readonly scenario: Scenario
  readonly world: World
  readonly memory: Store
  readonly tampering: Tampering
  readonly mostEvents: number
}

async function play(seed: number, { scenario, world, memory, tampering, mostEvents }: Stage): Promise<Played> {
  const weather = new Weather(world, scenario)
  const system = new ExternalSystem(world)
  const books = new Map(scenario.books.map((number, index) => [`type-${index + 1}`, bookOf(number)]))
  let hear = (_name: string, _given: readonly unknown[]): void => {}
  const watched = eachMethod(tampering.store?.(memory, world) ?? memory, (name, given, call) => {
    hear(name, given)
    return call()
  })
  const queue = scenario.backends === 'shared' ? new SharedQueue(world, weather) : null
  const agents = scenario.agents === 0 ? null : new Agents(world, weather, { agents: scenario.agents, strikes: scenario.blows.agents })
  const outside = { store: watched, queue, network: new Network(world, weather, system, agents), weather, books }
  const installation = new Installation(world, scenario, outside)
  const people = new People(world, installation, memory, system)
  const pauses = new Pauses(world, scenario, installation)
  hear = (name, given) => {
    if (name === 'decisions.open') people.hear((given[1] as Decision).id)
    if (name === 'journal.append' && (given[2] as JournalEntry).records.some(({ kind }) => kind === 'intent')) pauses.seeWrite()
  }
  const sources = new Sources(world, installation, [...books.keys()], scenario.alerts, scenario.postedWithin)
  world.onQuiet = (next) => skipTo(next, world, memory, installation)
  const operators = new Operators(world, scenario, installation, memory)
  planBlows(world, scenario, installation, { queue, agents })
  world.after(scenario.chaos, null, () => calm(world, weather, installation))
  installation.start()
  await toTheEnd(mostEvents, { world, weather, store: memory, sources, installation })
  await judge({ world, store: memory, system, scenario, books, sources, operators, pauses })
  return {
    seed,
    scenario,
    wrong: world.wrong,
    hash: world.trace.hash,
    last: (count) => world.trace.last(count),
    counts: {
      events: world.happened,
      lives: installation.lives,
      seconds: Math.round(world.elapsed / 1_000),
      arrivals: [...system.arrivals.values()].flat().length,
      answered: people.answered,
    },
  }
}

function calm(world: World, weather: Weather, installation: Installation): void {
  if (weather.calm) return
  world.note('world', 'nothing goes wrong any more')
  world.stir()
  weather.calm = true
  for (const machine of installation.machines) machine.cut.store = machine.cut.queue = 0
}

interface Playing {
  readonly world: World
  readonly weather: Weather
  readonly store: Store
  readonly sources: Sources
  readonly installation: Installation
}

async function toTheEnd(mostEvents: number, { world, weather, store, sources, installation }: Playing): Promise<void> {
  while (world.happened < mostEvents) {
    let left = lookEvery
    if (!(await world.until(() => --left < 0, lookEvery + 2)) && left >= 0) break
    if (sources.left > 0 || !(await allEnded(store))) continue
    // A process that ended a run may have died before it told everybody.
    calm(world, weather, installation)
    const [process] = installation.processes
    if (!process || installation.machines.some(({ frozenUntil }) => frozenUntil > world.now)) continue
    let swept = false
    void process.sweeper
      .sweep(world.now)
      .then(() => process.sweeper.withdrawLeft())
      .then(
        () => {
          swept = true
        },
        () => {},
      )
    await world.until(() => swept, 2_000)
    if (swept && (await allEnded(store))) return
  }
  world.fail(`it has not ended after ${world.happened} events and ${Math.round(world.elapsed / 1_000)} seconds`)
}

async function allEnded(store: Store): Promise<boolean> {
  const { items: runs } = await store.runs.list(systemScope, { after: null, limit: 1_000 })
  if (runs.some(({ endedAt }) => endedAt === null)) return false
  const { items: alerts } = await store.alerts.list(systemScope, { sort: 'created_at', after: null, limit: 1_000, preview: 0 })
  return alerts.every(({ status }) => status >= AlertStatus.completed)
}

/**
 * Skips to when the first run wakes by itself, or to the next event if that is earlier. Living processes
 * count as having sent heartbeats meanwhile.
 */
async function skipTo(next: number, world: World, store: Store, installation: Installation): Promise<number> {
  const { machines } = installation
  if (machines.some(({ frozenUntil, cut }) => Math.max(frozenUntil, cut.store, cut.queue) > world.now)) return world.now
  const { items } = await store.runs.list(systemScope, { after: null, limit: 1_000 })
  // The process of such a run may be dead. Sweepers close its session only after ten seconds in which no time is skipped.
  if (items.some(({ state }) => state === 'running')) return world.now
  const wakes = items.flatMap(({ state, wakeAt }) => (state === 'waiting' && wakeAt !== null && wakeAt > world.now ? [wakeAt] : []))
  const target = Math.min(next, ...wakes) - 1_000
  const { now } = world
  if (target - now < 4_000 || !Number.isFinite(target)) return now
  world.now = target
  for (const { sessions } of machines) for (const id of sessions) await store.sessions.heartbeat(systemScope, id)
  world.now = now
  return target
}
