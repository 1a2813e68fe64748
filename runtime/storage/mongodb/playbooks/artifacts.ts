import { MaxKey, MinKey } from 'mongodb'
import { type Activation, type Artifact, reaches } from '../../../domain/index.ts'
import { TocsinError } from '../../../errors/index.ts'
import type { ActivationPlace, ArtifactStore } from '../../port/index.ts'
import { mustReach, sees } from '../../scope-guard.ts'
import { insertEach, isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { sortedInMemory, withinOrShared } from '../database/index.ts'
import type { ActivationDocument, ArtifactDocument } from './artifact-documents.ts'

function toArtifact({ _id: _, ...artifact }: ArtifactDocument): Artifact {
  return artifact
}

function toActivation({ _id: _, ...activation }: ActivationDocument): Activation {
  return activation
}

/**
 * Returns a range of an index on `_id`: all keys that begin with the given fields. MongoDB compares the
 * fields in order, so all fields before `next` must be given.
 */
function beginning(fields: Record<string, unknown>, next: string): Record<string, unknown> {
  return { $gte: { ...fields, [next]: new MinKey() }, $lte: { ...fields, [next]: new MaxKey() } }
}

/** The `ArtifactStore` of the port on MongoDB. */
export function artifactStore({ artifacts, activations }: Collections): ArtifactStore {
  const history = async ({ kind, organization, key }: ActivationPlace, limit: number): Promise<Activation[]> => {
    const found = await activations
      .find({ _id: beginning({ kind, organization, key }, 'revision') as never })
      .sort({ _id: -1 })
      .limit(limit)
      .toArray()
    return found.map(toActivation)
  }
  const active = async (place: ActivationPlace): Promise<Activation | null> => (await history(place, 1))[0] ?? null

  return {
    async put(scope, all) {
      for (const { organization } of all) mustReach(reaches(scope, organization), 'artifact')
      const documents = all.map(({ digest, organization, ...rest }) => ({ _id: { digest, organization }, digest, organization, ...rest }))
      const fault = (await insertEach(artifacts, documents)).find((inserted) => inserted instanceof Error)
      if (fault) throw fault
    },
    async get(scope, digest) {
      // Sorted, so that a shared artifact comes first.
      const found = await artifacts
        .find({ _id: beginning({ digest }, 'organization') as never, ...withinOrShared(scope) })
        .sort({ _id: 1 })
        .limit(1)
        .next()
      return found && toArtifact(found)
    },
    async active(scope, place) {
      return sees(scope, place.organization) ? active(place) : null
    },
    async listActive(scope, kind) {
      const stages = [
        { $match: { _id: beginning({ kind }, 'organization'), ...withinOrShared(scope) } },
        { $sort: { _id: 1 } },
        { $group: { _id: { organization: '$organization', key: '$key' }, last: { $last: '$$ROOT' } } },
        { $match: { 'last.withdrawn': { $ne: true } } },
        { $sort: { '_id.key': 1, '_id.organization': 1 } },
      ]
      const found = await sortedInMemory((allowDiskUse) =>
        activations.aggregate<{ readonly last: ActivationDocument }>(stages, { allowDiskUse }).toArray(),
      )
      return found.map(({ last }) => toActivation(last))
    },
    async activate(scope, next) {
      mustReach(reaches(scope, next.organization), 'activation')
      const { kind, organization, key, revision } = next
      const standing = await active(next)
      if ((standing?.revision ?? 0) === revision - 1) {
        try {
          await activations.insertOne({ _id: { kind, organization, key, revision }, ...next })
          return { activated: true, standing: next }
        } catch (error) {
          if (!isDuplicate(error)) throw error
        }
      }
      const other = await active(next)
      if (!other) throw new TocsinError('internal', 'The first activation of a place must have revision 1.')
      return { activated: false, standing: other }
    },
    async history(scope, place) {
      return sees(scope, place.organization) ? history(place, 0) : []
    },
  }
}
