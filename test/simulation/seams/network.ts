import type { Dispatcher } from 'undici'
import type { Millis } from '../../../runtime/domain/index.ts'
import { type Carried, type Carriers, type Route, RouteFailed } from '../../../runtime/egress/index.ts'
import type { Machine } from '../world/machine.ts'
import type { World } from '../world/world.ts'
import { type AgentCall, type Agents, longestWayOfAgent } from './agents.ts'
import type { CallFate, Weather } from './weather.ts'

/** A request as it arrives. */
export interface Arriving {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The process that sent it. */
  readonly from: string
  readonly leftAt: Millis
  /** The longest time that it may have been on its way. */
  readonly longestWay: Millis
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** The external system at the other end. */
export interface Reached {
  serve(request: Arriving): Answer
}

/**
 * The longest time that a request is on its way. It is shorter than the time that the runtime waits after
 * `send_by` before it asks or repeats, less the possible difference of clocks.
 */
const longestWay = 2_500

/** Whether what has left arrives, and whether the answer comes back. */
const arrivals: Readonly<Record<CallFate, boolean>> = {
  fine: true,
  slow_connection: true,
  slow: true,
  dies_after: true,
  reset_after: true,
  silent_after: true,
  bad_gateway: true,
  connection_refused: false,
  dies_before: false,
  reset_before: false,
  silent_before: false,
  unavailable: false,
  too_many: false,
}

/** The network between processes and the external system. It loses, delays and cuts off at every point. */
export class Network {
  readonly #world: World
  readonly #weather: Weather
  readonly #system: Reached
  readonly #agents: Agents | null

  /** @param agents the only way to the system. Null: it is reached directly */
  constructor(world: World, weather: Weather, system: Reached, agents: Agents | null) {
    this.#world = world
    this.#weather = weather
    this.#system = system
    this.#agents = agents
  }

  /** The network as one process sees it, in place of undici's sockets and the tunnels of remote agents. */
  of(machine: Machine): Carriers {
    const destroy = async (): Promise<void> => {}
    return { of: (route) => ({ dispatch: (request, handler) => this.#connect(machine, route, request, handler), destroy }), destroy }
  }

  #connect(machine: Machine, route: Route | null, request: Carried, handler: Dispatcher.DispatchHandler): void {
    if (machine.dead) return
    if ((route === null) !== (this.#agents === null)) this.#world.fail(`${request.method} ${request.path} went around the agents`)
    const fate = this.#weather.call()
    const what = `${request.method} ${request.path}`
    this.#world.stir()
    if (fate === 'dies_before') return machine.die(`dies before ${what}`)
    const controller = new Controller()
    const away = fate === 'slow_connection' ? this.#weather.chance().between(1_000, 12_000) : this.#weather.latency()
    this.#world.after(away, machine, () => {
      if (fate === 'connection_refused') return refuse('ECONNREFUSED')
      const take = this.#agents?.take() ?? null
      if (this.#agents && !take) return handler.onResponseError?.(controller, new RouteFailed('agent_offline', 'No remote agent is connected.'))
      try {
        handler.onRequestStart?.(controller, {})
      } catch (error) {
        // Does what undici does: drops the request, and keeps its connection for the next one.
        this.#world.note(machine.name, `${what} is taken back`)
        return handler.onResponseError?.(controller, error as Error)
      }
      if (controller.aborted) {
        this.#world.note(machine.name, `${what} is not sent`)
        return
      }
      this.#world.note(machine.name, `${what} leaves${fate === 'fine' ? '' : `, and its fate is ${fate}`}`)
      this.#travel(machine, request, handler, controller, fate, take)
    })
    function refuse(code: string): void {
      handler.onResponseError?.(controller, Object.assign(new Error('connect failed'), { code }))
    }
  }

  #travel(
    machine: Machine,
    { method, path, headers, body, sendBy = null }: Carried,
    handler: Dispatcher.DispatchHandler,
    controller: Controller,
    fate: CallFate,
    take: ReturnType<Agents['take']>,
  ): void {
    const world = this.#world
    const chance = this.#weather.chance()
    const leftAt = world.now
    const away = this.#weather.calm ? 1 : chance.delay(1, longestWay)
    const reset = (): void => handler.onResponseError?.(controller, Object.assign(new Error('read failed'), { code: 'ECONNRESET' }))
    const call: AgentCall | null =
      take?.(sendBy === null ? null : sendBy - machine.clock.now(), () => world.after(this.#weather.latency(), machine, reset)) ?? null
    const back = (deliver: () => void): void => (call ? call.passBack(() => void world.after(0, machine, deliver)) : deliver())
    const answer = ({ status, body }: Answer): void => {
      const delay = fate === 'slow' ? chance.between(20_000, 60_000) : this.#weather.latency()
      world.after(delay, call ? null : machine, () =>
        back(() => {
          world.stir()
          handler.onResponseStart?.(controller, status, { 'content-type': 'application/json' }, '')
          handler.onResponseData?.(controller, Buffer.from(JSON.stringify(body)))
          handler.onResponseEnd?.(controller, {})
        }),
      )
    }
    const arrive = (): void => {
      world.stir()
      const request = {
        method,
        path,
        headers: headers as Record<string, string>,
        body: body === null ? null : String(body),
        from: machine.name,
        leftAt,
        longestWay: call ? longestWayOfAgent : longestWay,
      }
      const given = arrivals[fate] ? this.#system.serve(request) : null
      if (fate === 'dies_after') machine.die(`dies after ${method} ${path} has arrived`)
      if (fate === 'bad_gateway') return answer({ status: 502, body: {} })
      if (fate === 'unavailable') return answer({ status: 503, body: {} })
      if (fate === 'too_many') return answer({ status: 429, body: {} })
      if (given && (fate === 'fine' || fate.startsWith('slow'))) answer(given)
    }
    if (call) call.pass(arrive)
    else world.after(away, null, arrive)
    // The connection may break long before what was sent over it has arrived.
    if (fate.startsWith('reset')) world.after(chance.between(1, 2 * away), machine, reset)
  }
}

/** The controller with which undici's handlers abort a request. */
class Controller implements Dispatcher.DispatchController {
  aborted = false
  paused = false
  reason: Error | null = null

  abort(reason: Error): void {
    this.aborted = true
    this.reason = reason
  }

  pause(): void {
    this.paused = true
  }

  resume(): void {
    this.paused = false
  }
}
