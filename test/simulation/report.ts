import type { Played } from './simulate.ts'

/** What is shown of a seed in which something was wrong: what, the last of what happened, and how to see all of it again. */
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
