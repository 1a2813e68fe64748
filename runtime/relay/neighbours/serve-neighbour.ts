import type { Clock, Millis } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import type { Connected, Traffic } from '../hub/agent-stream.ts'
import type { Silent, Wanted } from '../hub/identity.ts'
import { type Channel, type Request, Tunnel, writeOpened, writeRefused } from '../link/index.ts'
import type { NeighbourWire } from './proof.ts'
import { mostNeighbourStreams, readWanted } from './wanted.ts'

/** A stream of an agent, for another process. */
export interface CarriedStream {
  readonly connected: Connected
  readonly traffic: Traffic
}

/** Has an agent of this process connect to a host. @throws RouteFailed */
export type Carry = (to: Wanted, host: string, port: number, silent: Silent) => Promise<CarriedStream>

/** The tunnel of another process to this one. */
export interface NeighbourLink {
  readonly gone: Promise<void>
  leave(): void
  cut(): void
}

/** Passes the streams of another process on to the agents of this one, byte by byte. */
export function serveNeighbour({ wire, advised }: NeighbourWire, carry: Carry, clock: Pick<Clock, 'after' | 'every'>): NeighbourLink {
  const asked = (request: Request): void => void passOn(request, carry, advised)
  return new Tunnel(wire, { opens: false, most: mostNeighbourStreams, asked, tooMany: writeRefused('agent_busy') }, clock)
}

async function passOn(request: Request, carry: Carry, advised: boolean): Promise<void> {
  const found = readWanted(request.text)
  if (!found) return request.refuse(writeRefused('malformed'))
  try {
    const { connected, traffic } = await carry(found.to, found.host, found.port, found.silent)
    join(request, connected, traffic, advised)
  } catch (error) {
    request.refuse(writeRefused(error instanceof RouteFailed ? codeOf(error) : 'failed'))
  }
}

/**
 * Joins the other process and the agent. Limits of writes pass as they are: they are in the time of the agent's clock.
 * @param advised whether the other process can be told that a stream should end
 */
function join({ channel: near, accept }: Request, { channel: far, agentClock }: Connected, traffic: Traffic, advised: boolean): void {
  // The other process may have given up meanwhile.
  if (near.over) return far.reset()
  accept(writeOpened(agentClock))
  const there = new Passing(near, far)
  const back = new Passing(far, near)
  const advise = (type: 'leaving' | 'spare'): void => {
    if (advised) near.advise(type)
  }
  near.use({
    data: (bytes, until) => {
      traffic.sent += bytes.length
      // As with a call of this process: is the agent still there?
      far.expect()
      there.pass(bytes, until)
    },
    extend: (until) => far.extend(until),
    room: () => back.passed(),
    end: () => far.end(),
    spare: () => advise('spare'),
    cut: () => far.reset(),
  })
  far.use({
    data: (bytes, until) => {
      traffic.received += bytes.length
      back.pass(bytes, until)
    },
    room: () => there.passed(),
    end: () => near.end(),
    leaving: () => advise('leaving'),
    spare: () => advise('spare'),
    cut: () => near.reset(),
  })
}

/** Passes on the bytes of one direction, and takes no more than the other channel can pass on. */
class Passing {
  readonly #from: Channel
  readonly #to: Channel
  #waiting = 0

  constructor(from: Channel, to: Channel) {
    this.#from = from
    this.#to = to
  }

  pass(bytes: Buffer, until: Millis | null): void {
    if (this.#to.send(bytes, until)) this.#from.read(bytes.length)
    else this.#waiting += bytes.length
  }

  /** Everything that waited is on its way. */
  passed(): void {
    const bytes = this.#waiting
    this.#waiting = 0
    if (bytes > 0) this.#from.read(bytes)
  }
}

function codeOf({ code, systemCode }: RouteFailed): string {
  if (code === 'agent_refused') return 'not_allowed'
  return code === 'network' ? (systemCode ?? 'failed') : code
}
