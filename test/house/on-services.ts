/**
 * Tests that run on the embedded store and also on MongoDB and Redis. On services, they run with the tests in the list below. On the embedded
 * store, they run with all other tests.
 */
export const onBoth: readonly string[] = [
  'test/bench/growth.test.ts',
  'test/e2e/alerts/{duplicates,road}.test.ts',
  'test/e2e/fetches/fetches.test.ts',
  'test/e2e/pauses/pauses.test.ts',
  'test/e2e/playbooks/folders.test.ts',
  'test/e2e/runs/{long-retry,retry,waiting}.test.ts',
  'test/e2e/webhooks/webhooks.test.ts',
  'test/faults/{clocks,handlers,kill,poison,stop,storm}.test.ts',
]

/**
 * Tests that use MongoDB and Redis if they are available. They run one after the other: MongoDB may crash if it creates the collections of
 * several databases at once. All other tests share nothing, and run in parallel.
 */
export const onServicesOnly: readonly string[] = [
  'runtime/storage/mongodb/**/*.test.ts',
  'test/conformance/rate-limit/redis*.test.ts',
  'test/conformance/hints/redis-hints.test.ts',
  'test/conformance/queue/bullmq*.test.ts',
  'test/conformance/storage/{alike,list-reads,storage}.test.ts',
  'test/conformance/storage/mongodb-*.test.ts',
  'test/e2e/connections/rate-limit.test.ts',
  'test/e2e/processes/{feed,separate-processes}.test.ts',
  'test/faults/{primaries,stall,without-redis}.test.ts',
  'test/security/access-token-services.test.ts',
]
