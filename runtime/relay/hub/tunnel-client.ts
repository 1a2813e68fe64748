import type { Clock, Millis } from '../../domain/index.ts'
import { RouteFailed } from '../../egress/index.ts'
import { hostPort } from '../../formats/index.ts'
import { type Answer, largestText, readOpened, readRefused, Tunnel, type Wire, writeTarget } from '../link/index.ts'
import type { Connected } from './agent-stream.ts'
import { failureOf } from './answers.ts'
import type { Silent } from './identity.ts'

/** How long the other end may take to connect. An agent gives up by itself a little earlier, and says why. */
const openTime: Millis = 12_000

/** Where a tunnel shall connect to. */
interface Destination {
  readonly host: string
  readonly port: number
  /** The name of the agent, for errors. */
  readonly agent: string
  /** Further members of the request. */
  readonly more?: Readonly<Record<string, unknown>>
  /** Whether to go on waiting if the other end becomes silent, or to give up, so that others can be asked. */
  readonly silent: Silent
}

/** The end of a tunnel that opens its streams. */
export class TunnelClient {
  readonly #tunnel: Tunnel
  readonly #clock: Clock

  /** @param advised whether the other end may say that a stream should end */
  constructor(wire: Wire, clock: Clock, { advised }: { readonly advised: boolean }) {
    this.#clock = clock
    this.#tunnel = new Tunnel(wire, { opens: true, advised }, clock)
  }

  /** Resolves when the tunnel has ended. */
  get gone(): Promise<void> {
    return this.#tunnel.gone
  }

  /** Whether it takes no more streams. */
  get draining(): boolean {
    return this.#tunnel.draining
  }

  /** Whether the other end has sent nothing for a while, although somebody waits for it. */
  get silent(): boolean {
    return this.#tunnel.silent
  }

  get streams(): number {
    return this.#tunnel.streams
  }

  /** Looks whether the other end answers. */
  expect(): void {
    this.#tunnel.expect()
  }

  /** Null: not measured yet. */
  get roundTrip(): Millis | null {
    return this.#tunnel.roundTrip
  }

  /** Has the other end connect to a host. @throws RouteFailed, TunnelLost */
  async connect({ host, port, agent, more, silent }: Destination): Promise<Connected> {
    const target = writeTarget(host, port, more)
    // The other end would end the whole tunnel.
    if (Buffer.byteLength(target) > largestText) throw new RouteFailed('network', `The name of the host is too long for the remote agent ${agent}.`)
    const { channel, answer } = this.#tunnel.open(target, { evenSilent: silent === 'last' })
    try {
      const { opened, text } = await this.#inTime(answer)
      if (!opened) throw failureOf(readRefused(text), agent, hostPort(host, port))
      const agentClock = readOpened(text)
      if (agentClock === null)
        throw new RouteFailed(
          'network',
          `The remote agent ${agent} does not speak this protocol: it did not tell its clock as a whole number of milliseconds.`,
        )
      return { channel, agentClock }
    } catch (error) {
      channel.reset()
      throw error
    }
  }

  /** Asks the other end to connect elsewhere. Streams that are open go on. */
  leave(): void {
    this.#tunnel.leave()
  }

  /** Ends the tunnel and all of its streams at once. */
  cut(): void {
    this.#tunnel.cut()
  }

  #inTime(answer: Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.after(openTime, () =>
        reject(new RouteFailed('network', 'The remote agent did not answer in time (ETIMEDOUT)', 'ETIMEDOUT')),
      )
      answer.finally(cancel).then(resolve, reject)
    })
  }
}
