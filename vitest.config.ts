import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { onBoth, onServicesOnly } from './test/house/on-services.ts'

const servicesAtHand = Boolean(process.env['MONGODB_URL'] && process.env['REDIS_URL'])
const every = ['runtime/**/*.test.ts', 'console/**/*.test.ts', 'plugins/**/*.test.ts', 'test/**/*.test.ts']

export default defineConfig({
  test: {
    // Ends what hangs, and judges nothing by its speed: a busy machine may need ten times as long as an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: 'forks',
    // Tests begin and end more threads than the program ever does, which V8 does not always survive: decision 19.
    execArgv: ['--nomemory-protection-keys'],
    projects: [
      {
        extends: true,
        test: {
          name: 'services',
          include: servicesAtHand ? [...onBoth, ...onServicesOnly] : [...onServicesOnly],
          env: { TEST_BACKENDS: 'services' },
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: every,
          exclude: [...onServicesOnly],
          env: { TEST_BACKENDS: 'embedded' },
          maxWorkers: Math.max(2, availableParallelism() - 1),
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
