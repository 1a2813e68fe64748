import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['runtime/**/*.test.ts', 'plugins/**/*.test.ts', 'test/**/*.test.ts'],
    // Rooms that start real processes and servers need more than the default five seconds on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: 'forks',
    // Tests begin and end more threads than the program ever does, which V8 does not always survive: decision 19.
    execArgv: ['--nomemory-protection-keys'],
  },
})
