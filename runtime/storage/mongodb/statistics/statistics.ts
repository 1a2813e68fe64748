import type { Collection, Document, Filter } from 'mongodb'
import { type Scope, stepSlack, stepsPerDoubling } from '../../../domain/index.ts'
import type { AlertFigures, RunFigures, StatisticsPart, StatisticsStore } from '../../port/index.ts'
import { type Collections, following, within } from '../database/index.ts'

const hour = 3_600_000

/** Counts the duration between two fields by the steps of the scale. */
const stepOf = (from: string, to: string): Document => ({
  $toInt: { $floor: { $add: [{ $multiply: [{ $log: [{ $max: [{ $subtract: [to, from] }, 1] }, 2] }, stepsPerDoubling] }, stepSlack] } },
})

const outcome: Document = {
  $switch: {
    branches: [
      { case: { $ne: [{ $ifNull: ['$duplicateOf', null] }, null] }, then: 'duplicate' },
      { case: { $eq: [{ $ifNull: ['$typeKey', null] }, null] }, then: 'stored' },
      { case: { $eq: ['$status', 15] }, then: 'completed' },
      { case: { $eq: ['$status', 20] }, then: 'failed' },
    ],
    default: 'open',
  },
}

/** The `StatisticsStore` of the port on MongoDB. */
export function statisticsStore({ alerts, runs }: Collections): StatisticsStore {
  return {
    async alerts(scope, part): Promise<AlertFigures> {
      const figures = await figuresOf(alerts, 'createdAt', scope, part, [{ sequence: { $gt: 0 } }], {
        fields: { provider: '$providerFolded', outcome, completedAt: 1 },
        hours: [
          {
            $group: {
              _id: { hour: { $subtract: ['$createdAt', { $mod: ['$createdAt', hour] }] }, provider: '$provider', outcome: '$outcome' },
              count: { $sum: 1 },
            },
          },
        ],
        verdicts: [
          { $match: { outcome: 'completed', completedAt: { $gte: 0 } } },
          { $group: { _id: { step: stepOf('$createdAt', '$completedAt') }, count: { $sum: 1 } } },
        ],
      })
      return figures as unknown as AlertFigures
    },
    async runs(scope, part): Promise<RunFigures> {
      const figures = await figuresOf(runs, 'startedAt', scope, part, [], {
        fields: { playbook: '$pins.playbook.name', state: 1, endedAt: 1, undo: 1 },
        states: [
          { $match: { undo: { $exists: false } } },
          { $group: { _id: { playbook: '$playbook', state: '$state' }, count: { $sum: 1 }, lastStartedAt: { $max: '$startedAt' } } },
        ],
        durations: [
          { $match: { undo: { $exists: false }, state: 'completed', endedAt: { $gte: 0 } } },
          { $group: { _id: { playbook: '$playbook', step: stepOf('$startedAt', '$endedAt') }, count: { $sum: 1 } } },
        ],
      })
      return figures as unknown as RunFigures
    },
  }
}

interface Wanted {
  readonly fields: Document
  readonly [figure: string]: Document | Document[]
}

/** Reads a part once, and computes each figure from it. */
async function figuresOf<T extends Document>(
  collection: Collection<T>,
  field: keyof T & string,
  scope: Scope,
  { organizations, from, to, after, examine }: StatisticsPart<string>,
  more: readonly Filter<T>[],
  { fields, ...figures }: Wanted,
): Promise<Document> {
  const range = [within(scope, organizations), { [field]: { $gte: from } }, { [field]: { $lt: to } }, ...more]
  const beyond = after ? following<T>(field, after.at, after.id) : []
  const end = [{ $group: { _id: null, examined: { $sum: 1 }, last: { $last: { at: `$${field}`, id: '$_id' } } } }]
  const [found] = await collection
    .aggregate(
      [
        { $match: { $and: [...range, ...beyond] } },
        { $sort: { [field]: -1, _id: -1 } },
        { $limit: examine },
        { $project: { ...fields, [field]: 1 } },
        { $facet: { ...(figures as Record<string, Document[]>), end } },
      ],
      { allowDiskUse: true },
    )
    .toArray()
  const last = found?.['end'][0]
  const flat = Object.keys(figures).map((name) => [name, found?.[name].map(({ _id, ...rest }: Document) => ({ ..._id, ...rest })) ?? []])
  return { ...Object.fromEntries(flat), next: last?.examined === examine ? last.last : null }
}
