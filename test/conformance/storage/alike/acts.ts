import type { Dice } from '../../../engine/support/random-playbook.ts'
import { AccessActs } from './access.ts'
import type { BothStores } from './both-stores.ts'
import { ConnectionActs } from './connections.ts'
import { DecisionActs } from './decisions.ts'
import { DeskActs } from './desk.ts'
import { FetchActs } from './fetches.ts'
import { GuardActs } from './guards.ts'
import { History } from './history.ts'
import { PlaybookActs } from './playbooks.ts'
import { Stage } from './stage.ts'
import { WebhookActs } from './webhooks.ts'

/** Does random things in both stores, and asks random questions in between. */
export async function actAtRandom(both: BothStores, dice: Dice, steps: number): Promise<void> {
  const history = new History(both, dice)
  await history.begin()
  const stage = new Stage(both, dice, history.tenants)
  const all: readonly { act(): Promise<void> }[] = [
    new DecisionActs(stage, () => history.runs),
    new DeskActs(stage, () => history.cases),
    new ConnectionActs(stage),
    new WebhookActs(stage),
    new FetchActs(stage),
    new GuardActs(stage),
    new AccessActs(stage),
    new PlaybookActs(stage),
    // Runs fail and cases open, which webhooks are told.
    { act: () => history.goOn() },
  ]
  for (let step = 0; step < steps; step += 1) await dice.one(all).act()
}
