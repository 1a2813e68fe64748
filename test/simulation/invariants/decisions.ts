import type { World } from '../world/world.ts'
import type { Life } from './evidence.ts'

/** Checks that no decision is left open, nobody answered twice, and one person settled each write in doubt. */
export function judgeDecisions(world: World, { decisions }: Life): void {
  for (const { id, step, state, kind, answers, approvers } of decisions) {
    if (state === 'open') world.fail(`${step} still asks (${id}), and its run is over`)
    const who = new Set(answers.map(({ principal }) => principal))
    if (who.size < answers.length) world.fail(`${step} was answered twice by the same person`)
    if (kind === 'in_doubt' && answers.length > 1) world.fail(`${step} was settled ${answers.length} times`)
    if (kind === 'approval' && state === 'approved' && who.size < approvers) world.fail(`${step} is approved by ${who.size} of ${approvers}`)
  }
}
