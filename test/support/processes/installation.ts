import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Which store and queue a test runs on. */
export type Backends = 'embedded' | 'services'

/**
 * The backends at hand, of those that are to be used here: on services one test runs after the other, apart from the rest (`vitest.config.ts`).
 * Says in one line when MongoDB and Redis are not at hand.
 */
export function backendsAtHand(what: string): Backends[] {
  const wanted = process.env['TEST_BACKENDS']
  if (process.env['MONGODB_URL'] && process.env['REDIS_URL'])
    return (['embedded', 'services'] as const).filter((one) => wanted === undefined || one === wanted)
  console.log(`skipped: ${what} on MongoDB and Redis (MONGODB_URL and REDIS_URL are not set)`)
  return ['embedded']
}

/** The folder of one of the project's plugins. A process that is given it alone starts in half the time that all of them take. */
export function shippedPlugin(name: 'browser' | 'crm' | 'mailsec' | 'mfa'): string {
  return fileURLToPath(new URL(`../../../plugins/${name}`, import.meta.url))
}

/** A place for one installation of Tocsin: a folder, and on services a database of its own. */
export interface Installation {
  readonly directory: string
  readonly adminKey: string
  /** What its processes are started with. */
  readonly environment: NodeJS.ProcessEnv
  remove(): Promise<void>
}

export function newInstallation(backends: Backends): Installation {
  const directory = mkdtempSync(join(tmpdir(), 'tocsin-test-'))
  const adminKey = `admin-${randomBytes(16).toString('hex')}`
  const database = `tocsin_test_${randomBytes(6).toString('hex')}`
  const mongodb = backends === 'services' ? withDatabase(process.env['MONGODB_URL'] ?? '', database) : ''
  const redis = backends === 'services' ? (process.env['REDIS_URL'] ?? '') : ''
  return {
    directory,
    adminKey,
    environment: {
      TOCSIN_DATA: join(directory, 'data'),
      TOCSIN_ADMIN_KEY: adminKey,
      TOCSIN_EGRESS_ALLOW: '127.0.0.1',
      // A test that expects a failure is to see it.
      TOCSIN_RETRY_DELAYS: 'none',
      TOCSIN_LOG_LEVEL: process.env['TOCSIN_LOG_LEVEL'] ?? 'error',
      MONGODB_URL: mongodb,
      REDIS_URL: redis,
    },
    async remove() {
      rmSync(directory, { recursive: true, force: true })
      if (backends === 'services') await dropDatabase(mongodb)
    },
  }
}

/** A URL of several members is none that `URL` takes. */
function withDatabase(url: string, database: string): string {
  return url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`)
}

async function dropDatabase(url: string): Promise<void> {
  const { MongoClient } = await import('mongodb')
  const client = await MongoClient.connect(url)
  await client.db().dropDatabase()
  await client.close()
}
