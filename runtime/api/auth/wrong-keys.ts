import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Clock, Millis } from '../../domain/index.ts'
import { TocsinError } from '../../errors/index.ts'

/** How many wrong keys may come at once, and how often another after that. */
interface Allowance {
  readonly burst: number
  readonly every: Millis
}

/** Of one address, and of all together. */
const ofAddress: Allowance = { burst: 10, every: 6_000 }
const ofAll: Allowance = { burst: 300, every: 100 }

/** Wrong keys of an address that are answered at once; each one after them is answered so much later than the one before. */
const answeredAtOnce = 5
const laterEach: Millis = 400
/** Answers that are held back at the same time; more are given at once. */
const mostHeld = 500
/** Addresses that are remembered; those that were quiet for the longest are forgotten. */
const mostAddresses = 10_000
/** The log has one line about all of them in this time. */
const toldEvery: Millis = 60_000

interface Bucket {
  left: number
  at: Millis
  /** Requests that were refused unread since the log was told. */
  refused: number
  told: boolean
}

/** One look at a key that nobody knows to be right. */
export interface Attempt {
  /** The key was right: the attempt does not count. */
  right(): void
  /** The key was wrong. @returns how long its answer is to be held back */
  wrong(): Millis
}

/**
 * Keeps keys from being guessed: counts wrong ones by address, and of all addresses together. An address that sent too many is not
 * answered for a while. While too many come from everywhere, only an address that has sent none is answered.
 *
 * It is asked about keys that are not known to be right, and never about the others: who has a key that works is not locked out.
 */
export class WrongKeys {
  readonly #clock: Clock
  readonly #logger: Logger
  /** The one that was quiet for the longest first. */
  readonly #addresses = new Map<string, Bucket>()
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
    const name = nameOf(address)
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

  /** Resolves after that time; at once where too many answers are held back already. */
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
    if (!own.told) this.#logger.warn({ address }, 'an address is locked out for a while: it sent too many wrong API keys')
    own.told = true
    this.#tellAll()
    return new TocsinError(
      'key_attempts_exceeded',
      `Too many wrong keys came from ${address}, or from everywhere. A key that was in use here within the last hour works.`,
    )
  }

  #tellAll(): void {
    const now = this.#clock.now()
    if (this.#all.left >= 1 || (this.#toldAt !== null && now - this.#toldAt < toldEvery)) return
    this.#toldAt = now
    this.#logger.warn({ wrong: this.#wrongSince, addresses: this.#addresses.size }, 'too many wrong API keys come from everywhere')
    this.#wrongSince = 0
  }

  /** How many addresses are remembered. */
  get addresses(): number {
    return this.#addresses.size
  }

  #bucket(address: string): Bucket {
    const bucket = this.#addresses.get(address) ?? { left: ofAddress.burst, at: this.#clock.now(), refused: 0, told: false }
    this.#addresses.delete(address)
    this.#addresses.set(address, bucket)
    if (this.#addresses.size > mostAddresses) this.#addresses.delete(this.#addresses.keys().next().value ?? '')
    return bucket
  }

  #fill(bucket: Bucket, { burst, every }: Allowance): void {
    const now = this.#clock.now()
    bucket.left = Math.min(burst, bucket.left + Math.max(0, now - bucket.at) / every)
    bucket.at = now
    if (bucket.left < burst || !bucket.told) return
    this.#logger.info({ refused: bucket.refused }, 'an address that was locked out is answered again')
    bucket.told = false
    bucket.refused = 0
  }
}

/** Whoever has one IPv6 address has a /64 of them. */
function nameOf(address: string): string {
  if (!ipaddr.isValid(address)) return address.slice(0, 100)
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
