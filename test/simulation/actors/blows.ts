import type { Installation } from '../installation.ts'
import type { Scenario } from '../scenario.ts'
import type { Agents } from '../seams/agents.ts'
import type { SharedQueue } from '../seams/queue.ts'
import type { Chance } from '../world/chance.ts'
import type { Machine } from '../world/machine.ts'
import type { World } from '../world/world.ts'

/** What else is hit. */
interface Struck {
  readonly queue: SharedQueue | null
  readonly agents: Agents | null
}

/** Plans the faults that hit processes from outside. Most come early, while most is going on. */
export function planBlows(world: World, { blows, chaos, skew }: Scenario, installation: Installation, { queue, agents }: Struck): void {
  const chance = world.chance.fork()
  const plan = (times: number, blow: () => void): void => {
    for (let time = 0; time < times; time += 1) world.after(chance.delay(50, chaos), null, blow)
  }
  const some = (act: (machine: Machine) => void) => (): void => {
    const { machines } = installation
    if (machines.length > 0) act(chance.one(machines))
  }
  plan(
    blows.kills,
    some((machine) => machine.die('is killed')),
  )
  plan(
    blows.freezes,
    some((machine) => machine.freeze(chance.between(1_000, 60_000))),
  )
  plan(
    blows.steps,
    some((machine) => stepClock(machine, chance, skew)),
  )
  plan(blows.stops, () => stop(world, installation, chance))
  plan(blows.agents, () => agents?.strike(chance))
  if (!queue) return
  plan(
    blows.cuts,
    some((machine) => cut(machine, chance)),
  )
  plan(blows.flushes, () => queue.flush())
}

/** Sets a clock forwards or back. */
function stepClock(machine: Machine, chance: Chance, skew: number): void {
  machine.skew = chance.between(-skew, skew)
  machine.world.note(machine.name, `has its clock set to ${machine.skew} ms ahead`)
}

function cut(machine: Machine, chance: Chance): void {
  const { world } = machine
  const far = chance.one(['store', 'queue'] as const)
  const duration = chance.between(500, 40_000)
  machine.cut[far] = world.now + duration
  world.stir()
  world.note(machine.name, `is cut off from the ${far} for ${duration} ms`)
}

/** Stops a process, as an update to a new version does. */
function stop(world: World, installation: Installation, chance: Chance): void {
  const { processes } = installation
  if (processes.length === 0) return
  const process = chance.one(processes)
  const { machine } = process
  world.stir()
  world.note(machine.name, 'is told to stop')
  installation.retire(process)
  const gone = (): void => machine.die('has stopped')
  process.stop().then(gone, gone)
}
