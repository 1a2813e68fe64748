import { afterEach, beforeEach } from 'vitest'
import type { Route, RouteStream } from '../../../runtime/egress/index.ts'
import type { NamedHints } from '../../../runtime/hints/index.ts'
import type { Directory } from '../../../runtime/relay/index.ts'
import type { Notice } from '../../../runtime/relay/neighbours/index.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { openUnhurriedStore } from '../../support/stores/unhurried-store.ts'
import { until } from '../../support/until.ts'
import { Member } from './member.ts'
import { Target } from './target.ts'

interface Parts {
  readonly directory?: Directory
  readonly shared?: string
  readonly revocations?: NamedHints
}

export const store = openUnhurriedStore(new ManualClock())

/** Returns the process's route through the agents of the operator with the name `plant`. */
export function routeOf({ relay }: Member): Route {
  const route = relay.route({ organization: null, remoteAgent: 'plant' })
  if (route === null) throw new Error('it has no route')
  return route
}

/** Several processes that know of each other's agents, and a system that the agents may reach. */
export class Installation {
  readonly clock = new ManualClock()
  readonly target: Target
  /** What each process tells. */
  readonly told = new Map<object, Notice>()
  readonly #members: Member[] = []

  constructor(target: Target) {
    this.target = target
  }

  /** Starts a process. */
  async member(parts: Parts = {}): Promise<Member> {
    const made = await new Member({ store, clock: this.clock, directory: this.directory(), ...parts }).open()
    this.#members.push(made)
    return made
  }

  /** Returns the directory of another process. */
  directory(): Directory {
    const self = {}
    return {
      publish: (notice) => void this.told.set(self, notice),
      others: async () => [...this.told].flatMap(([of, notice]) => (of === self ? [] : [notice])),
      close: async () => {},
    }
  }

  /** Opens a connection as soon as the process knows of the agent. */
  opened(worker: Member): Promise<RouteStream> {
    return until(() =>
      routeOf(worker)
        .open('127.0.0.1', this.target.port)
        .catch(() => null),
    )
  }

  async close(): Promise<void> {
    for (const member of this.#members) await member.close()
    await this.target.close()
  }
}

/** Makes an installation for each test of the file, and closes it afterwards. @param take gets it before the test begins */
export function eachInstallation(take: (installation: Installation) => void): void {
  let installation: Installation
  beforeEach(async () => {
    installation = new Installation(await new Target().open())
    take(installation)
  })
  afterEach(() => installation.close())
}
