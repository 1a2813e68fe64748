import type { Filter } from 'mongodb'
import { ownerOf, type Pause, type PauseId, pauseKey, reaches, type Scope } from '../../../domain/index.ts'
import type { PauseStore } from '../../port/index.ts'
import { mustReach, sees } from '../../scope-guard.ts'
import { type BulkTurns, inBulks, isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { following, pageOf, withinOrShared } from '../database/index.ts'
import type { PauseDocument } from './pause-documents.ts'

/** The most checks that share one read. */
const mostAsking = 4_096

function toPause({ pause }: Pick<PauseDocument, 'pause'>): Pause {
  return JSON.parse(pause)
}

/** Returns the active pauses. Only these may hold alerts and runs. */
export async function standingPauses({ pauses }: Collections): Promise<PauseId[]> {
  return (await pauses.find({ standing: true }, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id)
}

/** The `PauseStore` of the port on MongoDB. */
export function pauseStore({ pauses }: Collections, turns: BulkTurns): PauseStore {
  const owned = (scope: Scope): Filter<PauseDocument> => withinOrShared(scope)

  /**
   * Every write asks twice whether it is paused. Those of concurrent runs share the read, which begins after each of
   * them has asked.
   */
  const allStanding = inBulks<null, readonly Pause[]>(turns, mostAsking, async (asked) => {
    const found = await pauses.find({ standing: true }, { sort: { pausedAt: 1, _id: 1 } }).toArray()
    const all = found.map(toPause)
    return asked.map(() => () => all)
  })

  const get: PauseStore['get'] = async (scope, id) => {
    const found = await pauses.findOne({ _id: id })
    return found && sees(scope, found.organization) ? toPause(found) : null
  }

  return {
    async begin(scope, pause) {
      const organization = ownerOf(pause.target)?.organization ?? null
      mustReach(reaches(scope, organization), 'pause')
      const key = pauseKey(pause.target)
      for (;;) {
        try {
          await pauses.insertOne({ _id: pause.id, organization, key, standing: true, pausedAt: pause.paused.at, pause: JSON.stringify(pause) })
          return pause
        } catch (error) {
          if (!isDuplicate(error)) throw error
        }
        // The active pause may have ended meanwhile, or a repeated insert found its own document.
        const standing = (await pauses.findOne({ key, standing: true })) ?? (await pauses.findOne({ _id: pause.id }))
        if (standing) return toPause(standing)
      }
    },
    async end(scope, id, resumed) {
      const found = await pauses.findOne({ _id: id })
      if (!found || !sees(scope, found.organization)) return null
      mustReach(reaches(scope, found.organization), 'pause')
      const over: Pause = { ...toPause(found), resumed }
      const { modifiedCount } = await pauses.updateOne({ _id: id, standing: true }, { $set: { standing: false, pause: JSON.stringify(over) } })
      return modifiedCount > 0 ? over : get(scope, id)
    },
    async standing(scope) {
      if (scope.organizations === 'all') return allStanding(null)
      const found = await pauses.find({ standing: true, ...owned(scope) }, { sort: { pausedAt: 1, _id: 1 } }).toArray()
      return found.map(toPause)
    },
    get,
    async list(scope, { standing, after, limit }) {
      const filters: Filter<PauseDocument>[] = [owned(scope)]
      if (standing !== undefined) filters.push({ standing })
      if (after) filters.push(...following<PauseDocument>('pausedAt', after.pausedAt, after.id))
      const found = await pauses.find({ $and: filters }, { sort: { pausedAt: -1, _id: -1 }, limit: limit + 1 }).toArray()
      return pageOf(found.map(toPause), limit)
    },
  }
}
