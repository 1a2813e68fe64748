import type { Played } from './simulate.ts'

/** Returns the report on a seed with a violation: what was wrong, the last events, and how to see all of them. */
export function reportOf({ seed, wrong, scenario, counts, last }: Played, lines: number): string {
  return [
    `Seed ${seed} (${counts.lives} processes, ${counts.seconds} seconds, ${counts.events} events):`,
    ...wrong.map((what) => `  - ${what}`),
    '',
    last(lines),
    '',
    `scenario: ${JSON.stringify(scenario)}`,
    `Again, with all of it: TOCSIN_SIM_SEED=${seed} npx vitest run test/simulation`,
  ].join('\n')
}
