/**
 * Tests that use MongoDB and Redis where they are at hand. They run one after the other: a MongoDB that is asked to create the collections
 * of several databases at once may not survive it. All others share nothing, and run beside each other.
 */
export const onServices: readonly string[] = [
  'runtime/storage/mongodb/**/*.test.ts',
  'test/conformance/pace/redis*.test.ts',
  'test/conformance/queue/bullmq*.test.ts',
  'test/conformance/storage/{earlier,list-reads,storage}.test.ts',
  'test/conformance/storage/mongodb-*.test.ts',
  'test/faults/{clocks,handlers,kill,stall,stop,storm}.test.ts',
  'test/e2e/duplicates.test.ts',
  'test/e2e/pauses.test.ts',
  'test/e2e/playbook-folders.test.ts',
  'test/e2e/separate-processes.test.ts',
  'test/e2e/rate-limit.test.ts',
  'test/e2e/retry.test.ts',
  'test/e2e/road.test.ts',
  'test/e2e/waiting.test.ts',
  'test/e2e/webhooks.test.ts',
  'test/security/access-token-services.test.ts',
]
