import { systemIds } from '../../runtime/config/index.ts'
import { asId, type Clock, type Pause, type PauseId, type PauseTarget, type PrincipalId, systemScope } from '../../runtime/domain/index.ts'
import type { Store } from '../../runtime/storage/index.ts'

/** Pauses a target in the name of Ada. Without a target: everything. */
export function pause(store: Store, clock: Clock, target: PauseTarget = { kind: 'everything' }): Promise<Pause> {
  const paused = { at: clock.now(), principal: asId<PrincipalId>('ada'), by: 'ada', reason: 'night shift' }
  return store.pauses.begin(systemScope, { id: asId<PauseId>(systemIds.uuid()), target, paused, resumed: null })
}

/** Ends all pauses in the name of Bob. */
export async function resume(store: Store, clock: Clock): Promise<void> {
  const act = { at: clock.now(), principal: asId<PrincipalId>('bob'), by: 'bob', reason: null }
  for (const { id } of await store.pauses.standing(systemScope)) await store.pauses.end(systemScope, id, act)
}
