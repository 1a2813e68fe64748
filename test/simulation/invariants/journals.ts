import type { World } from '../world/world.ts'
import type { Life } from './evidence.ts'

/** Checks that a journal has no forks, and nothing after its end. */
export function judgeJournal(world: World, { run, journal }: Life): void {
  let epoch = 0
  let ended = false
  for (const [index, entry] of journal.entries()) {
    if (entry.position !== index) world.fail(`the journal of ${run.id} has ${entry.position} in the place of ${index}`)
    if (ended) world.fail(`the journal of ${run.id} goes on after its end`)
    if (entry.epoch < epoch) world.fail(`the journal of ${run.id} goes back from epoch ${epoch} to ${entry.epoch}`)
    const claims = entry.records.some(({ kind }) => kind === 'claimed')
    if (claims !== entry.epoch > epoch) world.fail(`the journal of ${run.id} comes to epoch ${entry.epoch} without a claim`)
    epoch = entry.epoch
    ended = entry.records.some(({ kind }) => kind === 'ended')
  }
  if (!ended) world.fail(`the journal of ${run.id} has no end`)
}
