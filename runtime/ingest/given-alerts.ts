import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto'
import { boundedCache } from '../caches/index.ts'
import type { Alert, Clock, Ids, Millis } from '../domain/index.ts'
import type { Job } from '../queue/index.ts'

const algorithm = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]
/** Characters of content. A larger alert is read from the store. */
const mostContent = 16 * 1024
/** An alert that was created longer ago is read from the store. So is one from the future: clocks of processes may differ. */
const newFor: Millis = 1_000
/** The most processes whose keys are remembered. */
const mostKeys = 256

/** Returns a text that only the processes of this installation can make from another one. */
type Derive = (text: string) => string

/**
 * Sends new alerts with their jobs to other processes of this installation, sealed. So the process that takes a job need not read its alert. Each
 * process seals with a key of its own, which the others derive from its name.
 */
export class GivenAlerts {
  readonly #clock: Pick<Clock, 'now'>
  readonly #ids: Pick<Ids, 'secret'>
  readonly #derive: Derive
  /** The name of this process. */
  readonly #self: string
  readonly #keys = boundedCache<string, KeyObject>(mostKeys)

  /** @param derive the same in all processes of this installation, and secret. Returns 32 bytes as base64url */
  constructor(clock: Pick<Clock, 'now'>, ids: Pick<Ids, 'secret'>, derive: Derive) {
    this.#clock = clock
    this.#ids = ids
    this.#derive = derive
    this.#self = ids.secret(16)
  }

  /** Seals a new alert for its job. Undefined: the alert is too large, or is investigated again. */
  seal(job: Job, alert: Alert): string | undefined {
    if (job.attempt !== 1 || alert.content.length > mostContent) return undefined
    const nonce = Buffer.from(this.#ids.secret(nonceBytes), 'base64url')
    const cipher = createCipheriv(algorithm, this.#keyOf(this.#self), nonce)
    cipher.setAAD(boundTo(job))
    const data = Buffer.concat([nonce, cipher.update(JSON.stringify(alert), 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `${this.#self}.${data.toString('base64url')}`
  }

  /** Returns the alert that a job came with, as it was stored. Undefined: it must be read from the store. */
  open(job: Job): Alert | undefined {
    const [by, sealed, ...more] = job.sealed?.split('.') ?? []
    if (!by || !sealed || more.length > 0 || job.attempt !== 1 || job.again) return undefined
    const alert = this.#opened(by, Buffer.from(sealed, 'base64url'), job)
    const age = alert ? this.#clock.now() - alert.createdAt : newFor
    return Math.abs(age) < newFor ? alert : undefined
  }

  #opened(by: string, data: Buffer, job: Job): Alert | undefined {
    try {
      const decipher = createDecipheriv(algorithm, this.#keyOf(by), data.subarray(0, nonceBytes), { authTagLength: tagBytes })
      decipher.setAAD(boundTo(job))
      decipher.setAuthTag(data.subarray(-tagBytes))
      return JSON.parse(Buffer.concat([decipher.update(data.subarray(nonceBytes, -tagBytes)), decipher.final()]).toString('utf8')) as Alert
    } catch {
      // Nobody of this installation has sealed this for the job.
      return undefined
    }
  }

  #keyOf(process: string): KeyObject {
    const known = this.#keys.get(process)
    if (known) return known
    const key = createSecretKey(Buffer.from(this.#derive(process), 'base64url'))
    this.#keys.set(process, key)
    return key
  }
}

/** What the seal is bound to. It cannot be opened for any other job. */
function boundTo({ run, alert, organization, type }: Job): Buffer {
  return Buffer.from(JSON.stringify([1, run, alert, organization, type]))
}
