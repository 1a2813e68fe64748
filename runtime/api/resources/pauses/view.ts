import { ownerOf, type Pause, pausedThing } from '../../../domain/index.ts'
import { type Static, Type } from '../../../schema/index.ts'
import { nullable, oneOf, Time, Uuid } from '../../schemas.ts'

const pauseKinds = ['everything', 'organization', 'playbook', 'connection'] as const

export const PauseSchema = Type.Object(
  {
    id: Uuid,
    kind: oneOf(pauseKinds),
    what: Type.String({ description: 'What is paused, in words: the playbook contain-host of ACME.' }),
    organization_code: nullable(Type.String({ description: 'The only organization that it covers. Null: all organizations.' })),
    playbook: nullable(Type.String({ description: 'For the kind playbook: its name.' })),
    connection_id: nullable(Type.String({ description: 'For the kind connection.' })),
    instance: nullable(Type.String({ description: 'For the kind connection.' })),
    state: oneOf(['standing', 'resumed']),
    paused_at: Time,
    paused_by: Type.String({ description: "The principal's name." }),
    paused_by_uuid: Uuid,
    reason: nullable(Type.String()),
    resumed_at: nullable(Type.Integer({ description: 'Epoch milliseconds. Null: the pause is still active.' })),
    resumed_by: nullable(Type.String()),
    resumed_by_uuid: nullable(Uuid),
    resumed_reason: nullable(Type.String()),
  },
  {
    $id: 'Pause',
    description: 'A pause. From paused_at until resumed_at, no investigation of what it names starts or continues, and no write is sent.',
  },
)

/** Returns a pause as the API shows it. */
export function pauseView({ id, target, paused, resumed }: Pause): Static<typeof PauseSchema> {
  return {
    id,
    kind: target.kind,
    what: pausedThing(target),
    organization_code: ownerOf(target)?.code ?? null,
    playbook: target.kind === 'playbook' ? target.playbook : null,
    connection_id: target.kind === 'connection' ? target.connection : null,
    instance: target.kind === 'connection' ? target.instance : null,
    state: resumed === null ? 'standing' : 'resumed',
    paused_at: paused.at,
    paused_by: paused.by,
    paused_by_uuid: paused.principal,
    reason: paused.reason,
    resumed_at: resumed?.at ?? null,
    resumed_by: resumed?.by ?? null,
    resumed_by_uuid: resumed?.principal ?? null,
    resumed_reason: resumed?.reason ?? null,
  }
}
