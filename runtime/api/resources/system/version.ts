import { Type } from '../../../schema/index.ts'
import type { Api, ApiContext } from '../../context.ts'
import { operation } from '../../operation.ts'

export const VersionSchema = Type.Object({
  version: Type.String(),
  time: Type.Integer({ description: 'What the clock of the process says, in epoch milliseconds.' }),
})

/** Adds `GET /platformapi/version`. It needs no key. */
export function versionRoute(app: Api, context: ApiContext): void {
  const { clock, version } = context.services
  app.get(
    '/platformapi/version',
    operation(
      context,
      { id: 'getVersion', tag: 'service', summary: 'The version of Tocsin, and the time of its clock', permission: null },
      { querystring: Type.Object({}), response: { 200: VersionSchema } },
    ),
    async () => ({ version, time: clock.now() }),
  )
}
