import { Type } from '../../../schema/index.ts'
import { callerOf } from '../../auth/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'
import { checkErrors, runOf } from '../shared/index.ts'

const mostKept = 200

/** The route that makes a test from a recorded run. */
export function runRecordRoute(app: Api, context: ApiContext): void {
  const { store, playbooks } = context.services

  app.post(
    '/platformapi/runs/:id/test',
    operation(
      context,
      {
        tag: 'runs',
        permission: 'runs:read',
        id: 'makeTestOfRun',
        summary: 'Make a test from a recorded run',
        description:
          'Answers the YAML of a test file. Personal data and secrets are replaced where Tocsin recognises them: read the text before you share it. Stores nothing.',
        errors: ['run_unknown', 'run_undoes', 'run_not_recordable', 'recording_too_large', ...checkErrors],
      },
      {
        params: Type.Object({ id: Type.String({ maxLength: 100, description: 'The run_id.' }) }),
        body: Type.Object(
          {
            keep: Type.Array(Type.String({ minLength: 1, maxLength: 1_000 }), {
              maxItems: mostKept,
              default: [],
              description: 'Values that must not be replaced.',
            }),
          },
          { additionalProperties: false },
        ),
        querystring: Type.Object({}),
        response: {
          200: Type.Object({
            text: Type.String({ description: 'The YAML.' }),
            playbook: Type.String({ description: 'The name of the playbook.' }),
            replaced: Type.Integer({ description: 'How many different values were replaced.' }),
          }),
        },
      },
    ),
    async (request) => {
      const run = await runOf(store, callerOf(request).scope, request.params.id)
      return { ...(await playbooks.rehearsals.record(run, request.body.keep)) }
    },
  )
}
