import { boundedCache } from '../../caches/index.ts'
import type { Millis } from '../../domain/index.ts'
import type { Silent } from '../hub/identity.ts'
import type { TunnelClient } from '../hub/tunnel-client.ts'

/** How long an address that could not be dialed comes after all others. Redis may name any address, and a process may have died. */
const mistrust: Millis = 5_000
/** How many addresses are dialed at once for a call. */
const mostDialed = 16

/** The way to a process. All calls that come while it is being dialed wait for the same tunnel, and fail together if there is none. */
interface Way {
  readonly dialing: Promise<TunnelClient>
  /** Null: not open yet. */
  tunnel: TunnelClient | null
  failed: boolean
}

/** A process that can be asked now. */
interface Ready {
  readonly address: string
  readonly tunnel: TunnelClient
}

/** Opens a tunnel to a process, by its address. @throws TunnelLost */
type Dial = (address: string) => Promise<TunnelClient>

/** The tunnels to the other processes. Has one to each, and opens another one when that takes no more streams. */
export class Tunnels {
  readonly #dial: Dial
  readonly #ways = new Map<string, Way>()
  /** When an address could last not be dialed. */
  readonly #failed = boundedCache<string, Millis>(1_000)

  constructor(dial: Dial) {
    this.#dial = dial
  }

  /**
   * Dials these addresses, and resolves when one can be asked, or none is left. Whoever has a tunnel has proved what it is, so addresses where
   * nobody answers keep no call from the others.
   * @param agents how many agents that would do each address has. Those that could not be dialed are taken out
   * @param failed gets them
   */
  async ready(agents: Map<string, number>, failed: Set<string>): Promise<void> {
    // Those that are not open yet take their part later.
    this.#dialSome(this.#trusted([...agents.keys()]))
    while (this.best(agents, 'never') === null) {
      const open = new Set(this.#open(agents).map(({ address }) => address))
      const others = [...agents.keys()].filter((address) => !open.has(address))
      if (others.length === 0) return
      const trusted = this.#trusted(others)
      const ways = this.#dialSome(trusted.length > 0 ? trusted : others)
      await Promise.any(ways.map(([, { dialing }]) => dialing)).catch(() => {})
      for (const [address, way] of ways)
        if (way.failed || way.tunnel?.draining) {
          agents.delete(address)
          failed.add(address)
        }
    }
  }

  /**
   * Returns the process that should be asked next: the one that does least for each of its agents.
   * @param silent whether processes that are silent at the moment come last, or are not asked
   */
  best(agents: ReadonlyMap<string, number>, silent: Silent): Ready | null {
    const open = this.#open(agents)
    const load = ({ address, tunnel }: Ready): number => tunnel.streams / (agents.get(address) ?? 1)
    open.sort((a, b) => Number(a.tunnel.silent) - Number(b.tunnel.silent) || load(a) - load(b))
    const [first] = open
    return first && (silent === 'last' || !first.tunnel.silent) ? first : null
  }

  /** Looks and dials in one step: callers that come at the same time find what the first one has begun. */
  #wayTo(address: string): Way {
    const standing = this.#ways.get(address)
    if (standing && !standing.tunnel?.draining) return standing
    const way: Way = { dialing: this.#dial(address), tunnel: null, failed: false }
    this.#ways.set(address, way)
    const forget = (): void => {
      if (this.#ways.get(address) === way) this.#ways.delete(address)
    }
    way.dialing.then(
      (tunnel) => {
        way.tunnel = tunnel
        this.#failed.delete(address)
        void tunnel.gone.then(forget)
      },
      () => {
        way.failed = true
        this.#failed.set(address, performance.now())
        forget()
      },
    )
    return way
  }

  #dialSome(addresses: readonly string[]): (readonly [address: string, Way])[] {
    return addresses.slice(0, mostDialed).map((address) => [address, this.#wayTo(address)])
  }

  #open(agents: ReadonlyMap<string, number>): Ready[] {
    return [...agents.keys()].flatMap((address): Ready[] => {
      const tunnel = this.#ways.get(address)?.tunnel ?? null
      return tunnel === null || tunnel.draining ? [] : [{ address, tunnel }]
    })
  }

  #trusted(addresses: readonly string[]): readonly string[] {
    return addresses.filter((address) => {
      const at = this.#failed.get(address)
      return at === undefined || performance.now() - at >= mistrust
    })
  }
}
