import type { Millis } from '../../../runtime/domain/index.ts'
import type { Chance } from '../world/chance.ts'
import type { World } from '../world/world.ts'
import type { Weather } from './weather.ts'

/** As in `runtime/relay/hub/agent-stream.ts`. */
const longestHeld: Millis = 4_000
/** The longest way from an agent to the system. */
const longestStep: Millis = 500
/** The longest time that a write is on its way through an agent. */
export const longestWayOfAgent: Millis = longestHeld + longestStep

/** One request on its way through an agent, and its answer. */
export interface AgentCall {
  /** Has the agent pass on the request, if its time is not over. It may never do so. */
  pass(arrive: () => void): void
  /** Has the agent pass on the answer, if the call was not cut. */
  passBack(arrive: () => void): void
}

interface Open {
  /** Tells the process that its connection was cut. */
  readonly cut: () => void
  /** Whether the agent knows that nobody waits for it any more. */
  dropped: boolean
  over: boolean
}

interface Agent {
  readonly name: string
  /** Whether the runtime has its tunnel. */
  online: boolean
  asleepUntil: Millis
  readonly calls: Set<Open>
}

/** Remote agents of one name. They come and go, sleep, and lose their tunnels. */
export class Agents {
  readonly #world: World
  readonly #weather: Weather
  readonly #agents: readonly Agent[]
  #strikes: number

  /** @param strikes the chance, from 0 to 1, that an agent is struck when it gets a request */
  constructor(world: World, weather: Weather, { agents: count, strikes }: { readonly agents: number; readonly strikes: number }) {
    this.#strikes = strikes
    this.#world = world
    this.#weather = weather
    this.#agents = Array.from({ length: count }, (_, index) => ({ name: `agent-${index + 1}`, online: true, asleepUntil: 0, calls: new Set() }))
  }

  /** Has an agent that is connected take a call. Null: there is none. */
  take(): ((left: Millis | null, cut: () => void) => AgentCall) | null {
    const able = this.#agents.filter(({ online }) => online || this.#weather.calm)
    if (able.length === 0) return null
    const agent = this.#weather.chance().one(able)
    return (left, cut) => this.#open(agent, left, cut)
  }

  /** Something happens to an agent: it disappears, or sleeps, and perhaps loses its tunnel meanwhile. */
  strike(chance: Chance): void {
    this.#strike(chance.one(this.#agents), chance)
  }

  #strike(agent: Agent, chance: Chance): void {
    const world = this.#world
    world.stir()
    if (chance.happens(0.4)) {
      const duration = chance.between(200, 60_000)
      world.note(agent.name, `is away for ${duration} ms`)
      for (const call of agent.calls) call.dropped = true
      return this.#lose(agent, duration)
    }
    const duration = chance.between(500, 30_000)
    world.note(agent.name, `sleeps for ${duration} ms`)
    agent.asleepUntil = Math.max(agent.asleepUntil, world.now + duration)
    if (chance.happens(0.7)) world.after(chance.between(1, duration), null, () => this.#lose(agent, agent.asleepUntil - world.now + 500))
  }

  /** @param left how long the request may be under way. Null: however long */
  #open(agent: Agent, left: Millis | null, cut: () => void): AgentCall {
    const world = this.#world
    const chance = this.#weather.chance()
    const until = left === null ? Number.POSITIVE_INFINITY : world.now + Math.min(left, longestHeld)
    const call: Open = { cut, dropped: false, over: false }
    agent.calls.add(call)
    if (!this.#weather.calm && this.#strikes > 0 && chance.happens(0.25)) {
      this.#strikes -= 1
      this.#strike(agent, chance)
    }
    const awake = (action: () => void): void => {
      const still = this.#weather.calm ? 0 : agent.asleepUntil - world.now
      if (still > 0) world.after(still, null, () => awake(action))
      else action()
    }
    return {
      pass: (arrive) =>
        void world.after(this.#weather.latency(), null, () =>
          awake(() => {
            if (call.dropped) return
            if (world.now <= until) return void world.after(this.#weather.calm ? 1 : chance.between(1, longestStep), null, arrive)
            world.note(agent.name, 'drops a write that is too late')
            this.#cut(agent, call)
          }),
        ),
      passBack: (arrive) =>
        awake(() => {
          if (call.over) return
          agent.calls.delete(call)
          arrive()
        }),
    }
  }

  #lose(agent: Agent, duration: Millis): void {
    this.#world.note(agent.name, 'loses its tunnel')
    agent.online = false
    for (const call of agent.calls) this.#cut(agent, call)
    this.#world.after(duration, null, () => {
      agent.online = true
    })
  }

  #cut(agent: Agent, call: Open): void {
    agent.calls.delete(call)
    if (call.over) return
    call.over = true
    call.cut()
  }
}
