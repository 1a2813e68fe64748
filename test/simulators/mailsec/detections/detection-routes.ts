import type { Reply } from '../../faults.ts'
import { isBoolean, isListOf, isText, withBody } from '../checks.ts'
import { pageOf } from '../paging.ts'
import { badRequest, notFound } from '../replies.ts'
import { type Call, paged, type Route } from '../route.ts'
import { rolloutStates, severities } from '../vocabulary.ts'
import type { Detection, DetectionsChange } from './detections.ts'

export const detectionRoutes: readonly Route[] = [
  {
    path: ['detections'],
    methods: {
      GET: {
        role: 'any_admin_role',
        query: { ...paged, id: null, severity: severities, enabled: ['true', 'false'], rolloutState: rolloutStates },
        repeatable: ['id'],
        answer: listDetections,
      },
      PATCH: { role: 'analyst', query: {}, answer: changeDetections },
    },
  },
]

function listDetections({ request, tenant, query }: Call): Reply {
  const ids = query.getAll('id')
  const fits = (detection: Detection): boolean =>
    (ids.length === 0 || ids.includes(detection.id)) &&
    (query.get('severity') ?? detection.severity) === detection.severity &&
    (query.get('rolloutState') ?? detection.rolloutState) === detection.rolloutState &&
    (query.get('enabled') ?? String(detection.enabled)) === String(detection.enabled)
  return pageOf(tenant.detections.rows, fits, query, request.path)
}

function changeDetections(call: Call): Reply {
  const names = isListOf(isText, { least: 1, most: 100 })
  return withBody<DetectionsChange>(call, { ids: names, enabled: isBoolean, domains: names }, ['ids', 'enabled'], (change) => {
    const { detections } = call.tenant
    const stranger = change.domains?.find((domain) => !detections.isDomain(domain))
    if (stranger !== undefined) return badRequest(`${stranger} is no domain of the tenant.`)
    const changed = detections.change(change)
    return changed ? { status: 200, body: JSON.stringify({ items: changed }), written: true } : notFound('detection')
  })
}
