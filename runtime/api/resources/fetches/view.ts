import type { Json } from '../../../domain/index.ts'
import type { FetchView, Trial } from '../../../fetches/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, Time, Uuid } from '../../schemas.ts'

const [second, hour, day] = [1, 3_600, 86_400]
const pointer = (description: string) => nullable(Type.String({ format: 'pointer', maxLength: 256, description }))

const entry = {
  name: Type.String({ minLength: 1, maxLength: 100, format: 'line', description: 'What people call it: `EDR of Acme`.' }),
  connection: Type.String({ format: 'uuid', description: 'A connection of the organization, or a shared one.' }),
  skill: Type.String({ minLength: 1, maxLength: 200, description: 'A skill that only reads: `<skill>` or `<integration>.<skill>`.' }),
  input: Type.Unsafe<Readonly<Record<string, Json>>>({
    type: 'object',
    additionalProperties: true,
    description: "The skill's input. Its texts can be templates: `{{ since.iso }}`, `since.seconds`, `since.milliseconds`, and the same of `until`.",
  }),
  items_at: Type.String({
    maxLength: 256,
    description: 'Where the output has the list of alerts: a JSON pointer (RFC 6901). Empty: the output is the list.',
  }),
  alert_provider: Type.String({ minLength: 1, maxLength: 256, description: 'The code of a provider, in any case.' }),
  alert_type: nullable(
    Type.String({ minLength: 1, maxLength: 200, format: 'line', description: 'The type of alerts that have none at alert_type_at.' }),
  ),
  alert_type_at: pointer('Where an item has its type: a JSON pointer into the item.'),
  idempotency_key_at: pointer('Where an item has its id. An item without one is identified by its whole content.'),
  created_at_source_at: pointer('Where an item has its time: seconds, milliseconds or ISO 8601.'),
  every_seconds: Type.Integer({ minimum: 10, maximum: day, description: 'How long after an attempt the next one begins.' }),
  overlap_seconds: Type.Integer({
    minimum: 0,
    maximum: 7 * day,
    description: 'How much earlier `since` is than what was fetched last, for alerts that the system shows late.',
  }),
  enabled: Type.Boolean(),
}
const since = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000, description: 'Epoch milliseconds.' })

export const NewFetchSchema = Type.Object(
  {
    organization_code: Type.String({ minLength: 1, maxLength: 256 }),
    ...entry,
    input: Type.Unsafe<Readonly<Record<string, Json>>>({ ...entry.input, default: {} }),
    items_at: Type.String({ ...entry.items_at, default: '' }),
    alert_type: Type.Optional(entry.alert_type),
    alert_type_at: Type.Optional(entry.alert_type_at),
    idempotency_key_at: Type.Optional(entry.idempotency_key_at),
    created_at_source_at: Type.Optional(entry.created_at_source_at),
    every_seconds: Type.Integer({ ...entry.every_seconds, default: 60 * second }),
    overlap_seconds: Type.Integer({ ...entry.overlap_seconds, default: hour / 4 }),
    enabled: Type.Boolean({ default: true }),
    since: Type.Optional(Type.Integer({ ...since, description: 'Fetches alerts from this time on, in epoch milliseconds. Absent: from now on.' })),
  },
  { additionalProperties: false },
)

export const FetchChangeSchema = Type.Object(
  {
    revision: Type.Integer({ minimum: 1, description: 'The revision that you read before the change.' }),
    name: Type.Optional(entry.name),
    connection: Type.Optional(entry.connection),
    skill: Type.Optional(entry.skill),
    input: Type.Optional(entry.input),
    items_at: Type.Optional(entry.items_at),
    alert_provider: Type.Optional(entry.alert_provider),
    alert_type: Type.Optional(entry.alert_type),
    alert_type_at: Type.Optional(entry.alert_type_at),
    idempotency_key_at: Type.Optional(entry.idempotency_key_at),
    created_at_source_at: Type.Optional(entry.created_at_source_at),
    every_seconds: Type.Optional(entry.every_seconds),
    overlap_seconds: Type.Optional(entry.overlap_seconds),
    enabled: Type.Optional(entry.enabled),
    since: Type.Optional(Type.Integer({ ...since, description: 'Fetches again from this time on. What was fetched before makes no second alert.' })),
  },
  { additionalProperties: false },
)

const FailureSchema = Type.Object({ code: Type.String(), message: Type.String(), remedy: nullable(Type.String()) })

export const FetchSchema = Type.Object(
  {
    id: Uuid,
    organization_code: nullable(Type.String()),
    name: Type.String(),
    connection: Uuid,
    skill: Type.String(),
    input: entry.input,
    items_at: Type.String(),
    alert_provider: Type.String(),
    alert_type: nullable(Type.String()),
    alert_type_at: nullable(Type.String()),
    idempotency_key_at: nullable(Type.String()),
    created_at_source_at: nullable(Type.String()),
    every_seconds: Type.Integer(),
    overlap_seconds: Type.Integer(),
    enabled: Type.Boolean(),
    instance: nullable(Type.String({ description: "The connection's name. Null: it was removed." })),
    integration: nullable(Type.String()),
    since: Type.Integer({ description: 'Everything before this time was fetched. Epoch milliseconds.' }),
    fetched_at: nullable(Type.Integer({ description: 'When the last attempt ended that fetched everything.' })),
    failures: Type.Integer({ description: 'Attempts that failed since then.' }),
    fetching_since: nullable(Type.Integer({ description: 'When the attempt began that is under way. Null: none is.' })),
    last_attempt: Type.Union([
      Type.Null(),
      Type.Object({
        ended_at: Time,
        since: Time,
        until: Time,
        found: Type.Integer({ description: 'Items in the answer.' }),
        new: Type.Integer({ description: 'Items that became alerts.' }),
        repeated: Type.Integer({ description: 'Items that were fetched before.' }),
        changed: Type.Integer({ description: 'Items with the id of an earlier alert that say something else. The alert stays as it was.' }),
        failure: Type.Union([Type.Null(), FailureSchema]),
      }),
    ]),
    revision: Type.Integer(),
    created_at: Time,
    created_by: Uuid,
    modified_at: Time,
  },
  { $id: 'Fetch', description: 'Brings alerts from an external system that cannot send them.' },
)

export const FetchTrialSchema = Type.Object(
  {
    found: Type.Integer({ description: 'Items in the answer.' }),
    alerts: Type.Array(
      Type.Object({
        alert_type: nullable(Type.String()),
        id: nullable(Type.String({ description: 'What was found at idempotency_key_at.' })),
        created_at_source: nullable(Type.Integer()),
        alert_content: Type.String({ description: 'The beginning of it.' }),
      }),
      { description: 'The first items, as alerts.' },
    ),
    warnings: Type.Array(Type.String()),
    failure: Type.Union([Type.Null(), FailureSchema]),
  },
  { $id: 'FetchTrial', description: 'What a fetch would bring. Nothing was stored.' },
)

export function fetchView(view: FetchView): Static<typeof FetchSchema> {
  const { reading, state } = view
  const { last } = state
  return {
    id: view.id,
    organization_code: view.organizationCode,
    name: view.name,
    connection: view.connection,
    instance: view.instance,
    integration: view.integration,
    skill: view.skill,
    input: view.input,
    items_at: reading.items,
    alert_provider: reading.provider,
    alert_type: reading.type,
    alert_type_at: reading.typeAt,
    idempotency_key_at: reading.idAt,
    created_at_source_at: reading.createdAt,
    every_seconds: view.every / 1_000,
    overlap_seconds: view.overlap / 1_000,
    enabled: view.enabled,
    since: state.since,
    fetched_at: state.fetchedAt,
    failures: state.failures,
    fetching_since: view.begunAt,
    last_attempt: last && {
      ended_at: last.endedAt,
      since: last.since,
      until: last.until,
      found: last.found,
      new: last.fresh,
      repeated: last.repeated,
      changed: last.changed,
      failure: last.failure && { ...last.failure },
    },
    revision: view.revision,
    created_at: view.createdAt,
    created_by: view.createdBy,
    modified_at: view.modifiedAt,
  }
}

export function trialView({ found, alerts, warnings, failure }: Trial): Static<typeof FetchTrialSchema> {
  return {
    found,
    alerts: alerts.map(({ content, type, id, createdAtSource }) => ({
      alert_type: type,
      id,
      created_at_source: createdAtSource,
      alert_content: content,
    })),
    warnings: [...warnings],
    failure: failure && { ...failure },
  }
}
