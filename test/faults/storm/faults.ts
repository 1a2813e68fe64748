import { setTimeout as lasting } from 'node:timers/promises'
import { stepDown } from '../../support/stores/mongo-proxy.ts'
import { until } from '../../support/until.ts'
import { agentFaultsOf } from './agent-faults.ts'
import { broken, type Fault, longest } from './fault.ts'
import { insist } from './insist.ts'
import type { Services, Stand } from './stand.ts'

/** Addresses that faults may hit. Webhooks are left out, because they are retried only after minutes. */
const places = ['/stamps/', '/posts/', '/keyed/', '/entries/']
/** Returns every fault that can hit an installation. */
export function faultsOf(stand: Stand): readonly Fault[] {
  const { processes, toLedger, ledger, services, site, target } = stand
  const kill: Fault = {
    name: 'kill -9',
    async befall(random) {
      const one = processes[random(processes.length)]
      await one?.kill()
      await one?.start()
    },
  }
  const all: Fault = {
    name: 'kill -9 of all',
    async befall() {
      await Promise.all(processes.map((process) => process.kill()))
      for (const process of processes) await process.start()
    },
  }
  const pause: Fault = {
    name: 'everything paused, kill -9 of all, resumed',
    async befall(random) {
      const { id } = await insist(target, 'POST', '/platformapi/pauses', {})
      await Promise.all(processes.map((process) => process.kill()))
      // Requests of dead processes may still arrive.
      await until(async () => (await ledger.server.connections()) === 0)
      const writes = (): number => ledger.written.reduce((sum, path) => sum + ledger.writes(path), 0)
      const before = writes()
      for (const process of processes) await process.start()
      await lasting(random(longest))
      if (writes() > before) throw new Error(`${writes() - before} writes arrived while everything was paused`)
      await insist(target, 'DELETE', `/platformapi/pauses/${String(id)}`)
    },
  }
  const lose: Fault = {
    name: 'answers lost',
    async befall(random) {
      for (const when of ['before_effect', 'after_effect', 'in_body'] as const)
        ledger.server.faults.add({ fault: { kind: 'cut', when }, times: 1 + random(3), path: places[random(places.length)] ?? '' })
    },
  }
  const sever: Fault = {
    name: 'connections to the system reset',
    async befall() {
      toLedger.sever()
      site.toLedger.sever()
    },
  }
  return [kill, kill, all, pause, lose, sever, ...agentFaultsOf(stand), ...(services ? ofServices(services, stand) : [])]
}

function ofServices({ mongo, redis, toRedis }: Services, { processes }: Stand): readonly Fault[] {
  return [
    { name: 'connections to MongoDB reset', befall: async () => mongo.sever() },
    { name: 'MongoDB away', befall: (random) => broken(random, { breaks: mongo.cut, mends: mongo.mend }) },
    { name: 'MongoDB silent', befall: (random) => broken(random, { breaks: mongo.silence, mends: mongo.mend }) },
    { name: 'MongoDB steps down', befall: () => stepDown(String(process.env['MONGODB_URL']), 1) },
    { name: 'Redis flushed', befall: async () => void (await redis.ask((client) => client.flushall())) },
    {
      name: 'Redis restarted, empty',
      async befall() {
        await redis.kill()
        await redis.start()
      },
    },
    { name: 'connections to Redis reset', befall: async () => toRedis.sever() },
    { name: 'Redis silent', befall: (random) => broken(random, { breaks: toRedis.silence, mends: toRedis.mend }) },
    {
      name: 'a worker killed while MongoDB is away',
      async befall(random) {
        mongo.cut()
        const one = processes[1 + random(processes.length - 1)]
        await one?.kill()
        mongo.mend()
        await one?.start()
      },
    },
  ]
}
