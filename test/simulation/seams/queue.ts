import type { Release } from '../../../runtime/fairness/index.ts'
import {
  Admission,
  type ConsumeOptions,
  type Consumer,
  FairJobQueue,
  type Job,
  type JobHandler,
  type Queue,
  shareOfJob,
} from '../../../runtime/queue/index.ts'
import type { Machine } from '../world/machine.ts'
import type { World } from '../world/world.ts'
import type { Link } from './link.ts'
import type { Weather } from './weather.ts'

interface Taker {
  readonly machine: Machine
  readonly handler: JobHandler
  readonly admission: Admission
  /** Jobs that this process offered to itself. They are in its memory: no other process takes them, and none is lost. */
  readonly offered: FairJobQueue
  readonly idle: PromiseWithResolvers<void>
  active: number
  stopped: boolean
}

/** The queue that all processes share. It forgets, repeats and delays jobs. A job is gone once it is taken. */
export class SharedQueue {
  readonly #world: World
  readonly #weather: Weather
  #waiting = new FairJobQueue()
  #takers: Taker[] = []
  #turn = 0

  constructor(world: World, weather: Weather) {
    this.#world = world
    this.#weather = weather
  }

  /** Forgets all waiting jobs. */
  flush(): void {
    this.#world.note('queue', 'is flushed')
    this.#waiting = new FairJobQueue()
  }

  /** The queue as one process sees it. */
  of(machine: Machine, link: Link): Queue {
    const enqueue = (jobs: readonly Job[]): Promise<void> =>
      link.ask(
        'queue.enqueue',
        jobs.map(({ run }) => run),
        async () => {
          for (const job of jobs) this.#waiting.add(job)
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

  #consume(machine: Machine, handler: JobHandler, options: ConsumeOptions): Consumer {
    const admission = new Admission(options, machine.clock, () => this.#give())
    const taker: Taker = { machine, handler, admission, offered: new FairJobQueue(), idle: Promise.withResolvers(), active: 0, stopped: false }
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
      offer: (job) => {
        taker.offered.add(job)
        this.#give()
      },
      stop() {
        taker.stopped = true
        leave()
        admission.stop()
        if (taker.active === 0) taker.idle.resolve()
        return taker.idle.promise
      },
    }
  }

  #give(): void {
    for (let step = 0; step < this.#takers.length; step += 1) {
      const taker = this.#takers[(this.#turn + step) % this.#takers.length]
      if (!taker) continue
      const own = taker.offered.take(taker.admission)
      if (own) {
        this.#world.note('queue', 'gives back a job', [own.job.run, taker.machine.name])
        this.#begin(taker, own.job, own.release)
        return this.#give()
      }
      const admitted = this.#waiting.take(taker.admission)
      if (!admitted) continue
      const { job, release } = admitted
      this.#turn = (this.#turn + step + 1) % this.#takers.length
      const fate = this.#weather.job()
      this.#world.note('queue', fate === 'fine' ? 'gives a job' : `gives a job, ${fate}`, [job.run, taker.machine.name])
      if (fate === 'lost') release()
      else this.#begin(taker, job, release)
      if (fate === 'twice') this.#repeat(job)
      return this.#give()
    }
  }

  /** Gives a job to another consumer too, if there is one that may have it. */
  #repeat(job: Job): void {
    const other = this.#takers.find(({ admission }) => admission.may(job.company ?? 'any', job.organization))
    if (other) this.#begin(other, job, other.admission.enter(job.company ?? 'any', shareOfJob(job)))
  }

  #begin(taker: Taker, job: Job, release: Release): void {
    taker.active += 1
    this.#world.stir()
    const work = async (): Promise<void> => {
      if (job.company === 'none') await taker.admission.solitude()
      await taker.handler(job)
      taker.active -= 1
      release()
      if (taker.stopped && taker.active === 0) taker.idle.resolve()
      this.#give()
    }
    this.#world.after(this.#weather.latency(), taker.machine, () => void work())
  }
}
