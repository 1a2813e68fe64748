/**
 * Tests that are the same on the embedded store and on MongoDB and Redis. On services they run among those below; on the embedded store among
 * all others.
 */
export const onBoth: readonly string[] = [
  'test/e2e/alerts/{duplicates,road}.test.ts',
  'test/e2e/pauses/pauses.test.ts',
  'test/e2e/playbooks/folders.test.ts',
  'test/e2e/runs/{long-retry,retry,waiting}.test.ts',
  'test/e2e/webhooks/webhooks.test.ts',
  'test/faults/{clocks,handlers,kill,poison,stop,storm}.test.ts',
]

/**
 * Tests that use MongoDB and Redis where they are at hand. They run one after the other: a MongoDB that is asked to create the collections
 * of several databases at once may not survive it. All others share nothing, and run beside each other.
 */
export const onServicesOnly: readonly string[] = [
  'runtime/storage/mongodb/**/*.test.ts',
  'test/conformance/rate-limit/redis*.test.ts',
  'test/conformance/queue/bullmq*.test.ts',
  'test/conformance/storage/{list-reads,storage}.test.ts',
  'test/conformance/storage/mongodb-*.test.ts',
  'test/e2e/connections/rate-limit.test.ts',
  'test/e2e/processes/separate-processes.test.ts',
  'test/faults/{primaries,stall,without-redis}.test.ts',
  'test/security/access-token-services.test.ts',
]
