import { setTimeout as lasting } from 'node:timers/promises'
import { arrivalMargin } from '../../../runtime/engine/write/resolve-unknown-write.ts'
import type { Random } from '../../support/seeded.ts'
import type { AgentLife } from './agents.ts'
import { broken, type Fault, longest } from './fault.ts'
import type { Stand } from './stand.ts'
import { writeTime } from './workload.ts'

/** Returns every fault of the remote agents of a site, and of their tunnels. */
export function agentFaultsOf({ site, target }: Pick<Stand, 'site' | 'target'>): readonly Fault[] {
  const { agents, toApi } = site
  const ofOne = (name: string, befall: (agent: AgentLife, random: Random) => Promise<void>): Fault => ({
    name,
    befall: (random) => befall(agents[random(agents.length)] as AgentLife, random),
  })
  return [
    ofOne('kill -9 of an agent', async (agent) => {
      await agent.kill()
      agent.start()
    }),
    ofOne('an agent restarted', async (agent) => {
      agent.leave()
      agent.start()
    }),
    // When an agent wakes up, it must not pass on what came while it slept.
    ofOne('an agent asleep', async (agent, random) => {
      agent.freeze()
      await lasting(writeTime + random(longest))
      agent.thaw()
    }),
    // Here, nobody can tell it meanwhile that its streams were given up. Some of its writes may still leave when it wakes up, and others not.
    ofOne('an agent asleep, and its tunnel lost', async (agent, random) => {
      agent.freeze()
      await lasting(random(longest))
      toApi.sever()
      await lasting(arrivalMargin + random(longest))
      agent.thaw()
    }),
    ofOne('an agent revoked, another enrolled', async (agent) => {
      await agent.revoke(target)
      await agent.kill()
      await agent.enrol(target)
    }),
    {
      name: 'no agents',
      async befall(random) {
        await Promise.all(agents.map((agent) => agent.kill()))
        const before = await site.visits()
        await lasting(random(longest))
        const others = (await site.visits()) - before - 1
        for (const agent of agents) agent.start()
        if (others > 0) throw new Error(`${others} connections went around the agents`)
      },
    },
    { name: 'tunnels reset', befall: async () => toApi.sever() },
    { name: 'tunnels cut', befall: (random) => broken(random, { breaks: toApi.cut, mends: toApi.mend }) },
    { name: 'tunnels silent', befall: (random) => broken(random, { breaks: toApi.silence, mends: toApi.mend }) },
  ]
}
