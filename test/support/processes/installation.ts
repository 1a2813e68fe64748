import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The store and queue of a test. */
export type Backends = 'embedded' | 'services'

/**
 * Returns the available backends for this test project: tests on services run one after the other, in their own project (`vitest.config.ts`).
 * If MongoDB and Redis are not available, says so in one line.
 */
export function backendsAtHand(what: string): Backends[] {
  const wanted = process.env['TEST_BACKENDS']
  if (process.env['MONGODB_URL'] && process.env['REDIS_URL'])
    return (['embedded', 'services'] as const).filter((one) => wanted === undefined || one === wanted)
  console.log(`skipped: ${what} on MongoDB and Redis (MONGODB_URL and REDIS_URL are not set)`)
  return ['embedded']
}

/** Returns the folder of a shipped plugin. A process with only one plugin starts in half the time. */
export function shippedPlugin(name: 'browser' | 'crm' | 'mailsec' | 'mfa'): string {
  return fileURLToPath(new URL(`../../../plugins/${name}`, import.meta.url))
}

/** The place of one installation of Tocsin: a folder and, on services, a database. */
export interface Installation {
  readonly directory: string
  readonly adminKey: string
  /** The environment of its processes. */
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
      // Without automatic retries, a test that expects a failure sees it.
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

/** Changes the database name in a URL. The class `URL` cannot parse a URL with several members. */
function withDatabase(url: string, database: string): string {
  return url.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${database}`)
}

async function dropDatabase(url: string): Promise<void> {
  const { MongoClient } = await import('mongodb')
  const client = await MongoClient.connect(url)
  await client.db().dropDatabase()
  await client.close()
}
