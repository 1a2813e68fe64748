import { test } from 'vitest'
import { mongoHarness } from './mongodb.ts'
import { storageConformance } from './suite.ts'

const url = process.env['MONGODB_URL']
// These tests need a MongoDB replica set. Without MONGODB_URL they are skipped.
if (url) storageConformance(mongoHarness(url))
else {
  console.log('skipped: MongoDB conformance (MONGODB_URL is not set)')
  test.skip('MongoDB conformance (MONGODB_URL is not set)')
}
