import { Slots } from '../../../fairness/index.ts'
import { Type } from '../../../schema/index.ts'
import { tellAct } from '../../act.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { oneOf, Time } from '../../schemas.ts'
import { runOf } from '../shared/index.ts'

const EvidenceSchema = Type.Object(
  {
    protected: Type.String({ description: 'The header: algorithm and key.' }),
    payload: Type.String({ description: 'The evidence as JSON, as base64url.' }),
    signature: Type.String(),
  },
  { $id: 'Evidence', description: 'Signed evidence of a run: a JWS in the flattened JSON form (RFC 7515).' },
)

const KeySchema = Type.Object({
  kty: oneOf(['OKP']),
  crv: oneOf(['Ed25519']),
  x: Type.String({ description: 'The public key.' }),
  kid: Type.String({ description: 'Its thumbprint (RFC 7638).' }),
  alg: oneOf(['EdDSA']),
  use: oneOf(['sig']),
  since: { ...Time, description: 'When this installation first had it, in epoch milliseconds.' },
})

const about = { tag: 'runs', permission: 'runs:read' } as const

/** How much evidence is made at once, for all organizations together: a long journal takes many megabytes of memory. */
const madeAtOnce = 2

/** Adds the routes of signed evidence of runs, and of the keys that signed it. */
export function runEvidenceRoutes(app: Api, context: ApiContext): void {
  const { store, evidence } = context.services
  const makings = new Slots(madeAtOnce)
  app.addSchema(EvidenceSchema)

  app.get(
    '/platformapi/runs/:id/evidence',
    operation(
      context,
      {
        ...about,
        id: 'getRunEvidence',
        summary: 'Make signed evidence of a run',
        description:
          'What the run wrote, what people decided, and which code it was pinned to, signed with the key of this installation. GET /platformapi/evidence-keys has the keys. The guide "Evidence of a run" describes the payload.',
        errors: ['run_unknown'],
      },
      {
        params: Type.Object({ id: Type.String({ maxLength: 100, description: 'The run_id.' }) }),
        querystring: Type.Object({}),
        response: { 200: Type.Ref('Evidence#') },
      },
    ),
    async (request, reply) => {
      const { principal, scope } = callerOf(request)
      const run = await runOf(store, scope, request.params.id)
      const release = await makings.take(run.organization)
      try {
        const made = await evidence.of(run, principal)
        tellAct(context, request, 'evidence of a run was made', { run: run.id, case: run.caseId })
        reply.header('content-disposition', `attachment; filename="${run.id}.evidence.json"`)
        return { ...made }
      } finally {
        release()
      }
    },
  )

  app.get(
    '/platformapi/evidence-keys',
    operation(
      context,
      {
        ...about,
        id: 'listEvidenceKeys',
        summary: 'List the public keys that sign evidence',
        description: 'A JWK set, the newest key first. Earlier ones were derived from earlier vault keys.',
      },
      { querystring: Type.Object({}), response: { 200: Type.Object({ keys: Type.Array(KeySchema) }) } },
    ),
    async () => ({ keys: (await evidence.keys()).map(({ key, since }) => ({ ...key, since })) }),
  )
}
