import type { Reply } from '../../faults.ts'
import { type Check, isBoolean, isListOf, isObjectOf, isOneOf, isText, withBody } from '../checks.ts'
import { pageOf } from '../paging.ts'
import { badRequest, notFound, refusal } from '../replies.ts'
import { type Call, found, paged, type Route } from '../route.ts'
import { type TrustedKind, trustedKinds } from '../vocabulary.ts'
import type { TrustedEntity, TrustedRefusal, TrustedSettings } from './trusted.ts'
import { bulkRoute } from './trusted-bulk.ts'
import { trustedValueFault } from './trusted-values.ts'

/** The fields that can be set on creation and update. */
const trustedSettings: Readonly<Record<string, Check>> = {
  name: isText,
  enabled: isBoolean,
  detectionSettings: isObjectOf({ skip: isListOf(isText) }),
  authenticationSettings: isObjectOf({ requireSpf: isBoolean, requireDkim: isBoolean, requireDmarc: isBoolean }),
}

export const trustedRoutes: readonly Route[] = [
  {
    path: ['trusted-entities'],
    methods: {
      GET: { role: 'analyst', query: { ...paged, kind: trustedKinds, value: null, enabled: ['true', 'false'] }, answer: listEntities },
      POST: { role: 'analyst', query: {}, answer: createEntity },
    },
  },
  {
    path: ['trusted-entities', '*'],
    methods: {
      GET: { role: 'analyst', query: {}, answer: ({ tenant, segments }) => found(tenant.trusted.get(segments[1] ?? ''), 'trusted entity') },
      PATCH: { role: 'analyst', query: {}, answer: updateEntity },
      DELETE: { role: 'analyst', query: {}, answer: deleteEntity },
    },
  },
  { path: ['trusted-entities', '*', 'history'], methods: { GET: { role: 'analyst', query: paged, answer: readHistory } } },
  bulkRoute(trustedSettings),
]

const trustedRefusals: Readonly<Record<TrustedRefusal, Reply>> = {
  not_found: notFound('trusted entity'),
  already_exists: refusal(409, 'already_exists', 'There is a trusted entity of this kind with this value already.'),
  system_managed: refusal(409, 'system_managed', 'A system-managed entity cannot be deleted.'),
}

function listEntities({ request, tenant, query }: Call): Reply {
  const value = query.get('value')?.toLowerCase()
  const fits = (entity: TrustedEntity): boolean =>
    (query.get('kind') ?? entity.kind) === entity.kind &&
    (query.get('enabled') ?? String(entity.enabled)) === String(entity.enabled) &&
    (value ?? entity.value.toLowerCase()) === entity.value.toLowerCase()
  return pageOf(tenant.trusted.rows, fits, query, request.path)
}

function readHistory({ request, tenant, segments, query }: Call): Reply {
  const id = segments[1] ?? ''
  return tenant.trusted.get(id) ? pageOf(tenant.trusted.historyOf(id), () => true, query, request.path) : notFound('trusted entity')
}

function createEntity(call: Call): Reply {
  const fields = { kind: isOneOf(trustedKinds), value: isText, ...trustedSettings }
  return withBody<{ kind: TrustedKind; value: string } & TrustedSettings>(call, fields, ['kind', 'value'], ({ kind, value, ...settings }) => {
    const fault = trustedValueFault(kind, value)
    if (fault !== null) return badRequest(fault)
    const made = call.tenant.trusted.create(kind, value, settings)
    return typeof made === 'string' ? trustedRefusals[made] : { status: 201, body: JSON.stringify(made), written: true }
  })
}

function updateEntity(call: Call): Reply {
  return withBody<TrustedSettings>(call, trustedSettings, [], (settings) => {
    const changed = call.tenant.trusted.update(call.segments[1] ?? '', settings)
    return typeof changed === 'string' ? trustedRefusals[changed] : { status: 200, body: JSON.stringify(changed), written: true }
  })
}

function deleteEntity({ tenant, segments }: Call): Reply {
  const refused = tenant.trusted.delete(segments[1] ?? '')
  return refused === null ? { status: 204, body: '', written: true } : trustedRefusals[refused]
}
