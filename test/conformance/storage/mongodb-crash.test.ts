import { afterAll, beforeAll, describe } from 'vitest'
import { alertCrashes } from './crash/alerts.ts'
import { type At, type CrashBench, openCrashBench } from './crash/bench.ts'
import { caseCrashes } from './crash/cases.ts'
import { claimCrashes } from './crash/claims.ts'
import { duplicateCrashes } from './crash/duplicates.ts'
import { endCrashes } from './crash/ends.ts'
import { endsAheadCrashes } from './crash/ends-ahead.ts'
import { factCrashes } from './crash/facts.ts'
import { journalCrashes } from './crash/journal.ts'
import { shownLaterCrashes } from './crash/shown-later.ts'
import { sleepCrashes } from './crash/sleeping.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (!url) console.log('skipped: MongoDB crash cases (MONGODB_URL is not set)')

const aggregates: Readonly<Record<string, (at: At) => void>> = {
  alerts: alertCrashes,
  claims: claimCrashes,
  'claims that are shown later': shownLaterCrashes,
  duplicates: duplicateCrashes,
  'runs that sleep, and are cancelled': sleepCrashes,
  ends: endCrashes,
  'ends while cases open': endsAheadCrashes,
  journal: journalCrashes,
  cases: caseCrashes,
  facts: factCrashes,
}

describe.skipIf(!url)('a process that dies between two writes to MongoDB leaves nothing that is not repaired', () => {
  let opened: CrashBench | null = null
  beforeAll(async () => {
    opened = await openCrashBench(url ?? '')
  })
  afterAll(async () => {
    await opened?.close()
  })
  const at: At = () => {
    if (!opened) throw new Error('The store is not open.')
    return opened
  }
  for (const [name, cases] of Object.entries(aggregates)) describe(name, () => cases(at))
})
