import type { Logger } from 'pino'
import { boundedCache } from '../../caches/index.ts'
import type { Clock, Millis } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'
import { networkOf } from '../../formats/index.ts'

/** Allows `burst` wrong keys at once, then one more per `every`. */
interface Allowance {
  readonly burst: number
  readonly every: Millis
}

const ofAddress: Allowance = { burst: 10, every: 6_000 }
/** The limit for all addresses together. */
const ofAll: Allowance = { burst: 300, every: 100 }

/** How many wrong keys of an address are answered without delay. Each further answer is delayed by `laterEach` more than the one before. */
const answeredAtOnce = 5
const laterEach: Millis = 400
/** The most answers that are delayed at the same time. Further answers are sent at once. */
const mostHeld = 500
/** The most addresses to remember. Beyond that, the addresses that were quiet for longest are forgotten. */
const mostAddresses = 10_000
/** The shortest time between two log lines about all addresses together. */
const toldEvery: Millis = 60_000

interface Bucket {
  left: number
  at: Millis
  /** How many keys were refused unchecked since the last log line about the address. */
  refused: number
  told: boolean
}

/** The check of one key that is not known to work. */
export interface Attempt {
  /** Call if the key works: then the attempt does not count. */
  right(): void
  /** Call if the key is wrong. @returns how long to delay the answer */
  wrong(): Millis
}

/**
 * Makes it hard to guess keys. Counts wrong keys by address, and for all addresses together. If an address sent too many, its keys are
 * refused unchecked for a while. If all addresses together sent too many, only keys of addresses without wrong keys are checked.
 *
 * Callers must not use it for keys that worked lately, so that nobody with a working key is locked out.
 */
export class WrongKeys {
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #addresses = boundedCache<string, Bucket>(mostAddresses)
  readonly #all: Bucket
  #held = 0
  #toldAt: Millis | null = null
  #wrongSince = 0

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock
    this.#logger = logger
    this.#all = { left: ofAll.burst, at: clock.now(), refused: 0, told: false }
  }

  /** @throws TocsinError `key_attempts_exceeded` */
  begin(address: string): Attempt {
    const name = networkOf(address)
    const own = this.#bucket(name)
    this.#fill(own, ofAddress)
    this.#fill(this.#all, ofAll)
    const fresh = own.left >= ofAddress.burst
    if (own.left < 1 || (this.#all.left < 1 && !fresh)) throw this.#refusal(name, own)
    own.left -= 1
    this.#all.left -= 1
    return {
      right: () => {
        own.left = Math.min(own.left + 1, ofAddress.burst)
        this.#all.left = Math.min(this.#all.left + 1, ofAll.burst)
      },
      wrong: () => this.#wrong(own),
    }
  }

  /** Resolves after the delay, or at once if too many answers are delayed already. */
  async hold(delay: Millis): Promise<void> {
    if (delay <= 0 || this.#held >= mostHeld) return
    this.#held += 1
    await this.#clock.sleep(delay).finally(() => {
      this.#held -= 1
    })
  }

  #wrong(own: Bucket): Millis {
    this.#wrongSince += 1
    this.#tellAll()
    const sent = ofAddress.burst - own.left
    return Math.max(0, Math.ceil(sent - answeredAtOnce)) * laterEach
  }

  #refusal(address: string, own: Bucket): TocsinError {
    own.refused += 1
    if (!own.told) this.#logger.warn({ address }, 'an address sent too many wrong API keys and is locked out for a while')
    own.told = true
    this.#tellAll()
    return new TocsinError(
      'key_attempts_exceeded',
      `Too many wrong keys came from ${address}, or from all addresses together. Keys that worked here within the last hour still work.`,
    )
  }

  #tellAll(): void {
    const now = this.#clock.now()
    if (this.#all.left >= 1 || (this.#toldAt !== null && now - this.#toldAt < toldEvery)) return
    this.#toldAt = now
    this.#logger.warn({ wrong: this.#wrongSince, addresses: this.#addresses.size }, 'too many wrong API keys arrive from all addresses together')
    this.#wrongSince = 0
  }

  /** The number of remembered addresses. */
  get addresses(): number {
    return this.#addresses.size
  }

  #bucket(address: string): Bucket {
    const known = this.#addresses.get(address)
    if (known) return known
    const bucket = { left: ofAddress.burst, at: this.#clock.now(), refused: 0, told: false }
    this.#addresses.set(address, bucket)
    return bucket
  }

  #fill(bucket: Bucket, { burst, every }: Allowance): void {
    const now = this.#clock.now()
    bucket.left = Math.min(burst, bucket.left + Math.max(0, now - bucket.at) / every)
    bucket.at = now
    if (bucket.left < burst || !bucket.told) return
    this.#logger.info({ refused: bucket.refused }, 'an address that was locked out may send keys again')
    bucket.told = false
    bucket.refused = 0
  }
}
