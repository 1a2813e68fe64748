import { Lanes } from '../../../runtime/queue/embedded/lanes.ts'
import type { ConsumeOptions, Consumer, Job, JobHandler, Queue } from '../../../runtime/queue/index.ts'
import type { Machine } from '../world/machine.ts'
import type { World } from '../world/world.ts'
import type { Link } from './link.ts'
import type { Weather } from './weather.ts'

interface Taker {
  readonly machine: Machine
  readonly handler: JobHandler
  readonly concurrency: number
  readonly idle: PromiseWithResolvers<void>
  active: number
  stopped: boolean
}

/** The queue that all processes share: it forgets, repeats and delays. A job is gone when it is taken. */
export class SharedQueue {
  readonly #world: World
  readonly #weather: Weather
  #lanes = new Lanes()
  #takers: Taker[] = []
  #turn = 0

  constructor(world: World, weather: Weather) {
    this.#world = world
    this.#weather = weather
  }

  /** All that waits is forgotten. */
  flush(): void {
    this.#world.note('queue', 'is flushed')
    this.#lanes = new Lanes()
  }

  /** As one process reaches it. */
  of(machine: Machine, link: Link): Queue {
    const enqueue = (jobs: readonly Job[]): Promise<void> =>
      link.ask(
        'queue.enqueue',
        jobs.map(({ run }) => run),
        async () => {
          for (const job of jobs) this.#lanes.add(job)
          this.#give()
        },
      )
    return {
      enqueue,
      enqueueAgain: enqueue,
      consume: (handler, options) => this.#consume(machine, handler, options),
      prune: async () => 0,
      ping: async () => {},
      close: async () => {},
    }
  }

  #consume(machine: Machine, handler: JobHandler, { concurrency }: ConsumeOptions): Consumer {
    const taker: Taker = { machine, handler, concurrency, idle: Promise.withResolvers(), active: 0, stopped: false }
    this.#takers.push(taker)
    const leave = (): void => {
      this.#takers = this.#takers.filter((other) => other !== taker)
    }
    machine.onDeath(leave)
    this.#give()
    return {
      get active() {
        return taker.active
      },
      stop() {
        taker.stopped = true
        leave()
        if (taker.active === 0) taker.idle.resolve()
        return taker.idle.promise
      },
    }
  }

  #give(): void {
    for (;;) {
      const taker = this.#free()
      const job = taker && this.#lanes.take()
      if (!taker || !job) return
      const fate = this.#weather.job()
      this.#world.note('queue', fate === 'fine' ? 'gives a job' : `gives a job, ${fate}`, [job.run, taker.machine.name])
      if (fate !== 'lost') this.#begin(taker, job)
      const other = fate === 'twice' ? this.#free() : undefined
      if (other) this.#begin(other, job)
    }
  }

  #begin(taker: Taker, job: Job): void {
    taker.active += 1
    this.#world.stir()
    this.#world.after(this.#weather.latency(), taker.machine, () => {
      void taker.handler(job).then(() => {
        taker.active -= 1
        if (taker.stopped && taker.active === 0) taker.idle.resolve()
        this.#give()
      })
    })
  }

  #free(): Taker | undefined {
    for (let step = 0; step < this.#takers.length; step += 1) {
      const taker = this.#takers[(this.#turn + step) % this.#takers.length]
      if (!taker || taker.active >= taker.concurrency) continue
      this.#turn = (this.#turn + step + 1) % this.#takers.length
      return taker
    }
    return undefined
  }
}
