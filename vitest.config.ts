import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/house/longest-first.ts'
import { onBoth, onServicesOnly } from './test/house/on-services.ts'
import { together } from './test/house/together.ts'

const servicesAtHand = Boolean(process.env['MONGODB_URL'] && process.env['REDIS_URL'])
// `npm test` runs these files together. A file that you name has a process, whatever it is.
const shared = process.env['TEST_TOGETHER'] ? together : []
// Tests that start processes wait half of the time, so three keep two processors busy.
const workers = Math.max(3, availableParallelism() - 1)
const every = ['runtime/**/*.test.ts', 'console/**/*.test.ts', 'plugins/**/*.test.ts', 'test/**/*.test.ts']

export default defineConfig({
  test: {
    // Ends what hangs, and judges nothing by its speed: a busy machine may need ten times as long as an idle one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 300_000 } },
    pool: 'forks',
    sequence: { sequencer: LongestFirst },
    // Node runs the sources itself, as it runs the program: faster than modules that Vite has transformed.
    experimental: { viteModuleRunner: false },
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
          exclude: [...onServicesOnly, ...shared],
          env: { TEST_BACKENDS: 'embedded' },
          maxWorkers: workers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'together',
          include: [...shared],
          env: { TEST_BACKENDS: 'embedded' },
          isolate: false,
          maxWorkers: workers,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
