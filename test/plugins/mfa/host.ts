import { randomBytes } from 'node:crypto'
import { Answers } from '../../../runtime/connection/index.ts'
import { sendRequest } from '../../../runtime/connection/send/way-out.ts'
import { createVault } from '../../../runtime/connection/vault/vault.ts'
import { asId, type ConnectionId } from '../../../runtime/domain/index.ts'
import { createEgress } from '../../../runtime/egress/index.ts'
import { noTurns } from '../../../runtime/fairness/index.ts'
import type { HandlerHost, Plugin, SkillRequest } from '../../../runtime/plugin/index.ts'
import { withHandling } from '../../../runtime/plugin/testing.ts'
import { ManualClock } from '../../support/clocks/manual-clock.ts'
import { connectionOf } from '../../support/connection.ts'

export interface MfaCredentials {
  readonly idpUrl: string
  readonly orgAlias: string
  readonly token: string
  readonly key: string
}

/**
 * Makes a host that works like the runtime: it seals the secrets, signs, and sends through the real
 * way out.
 */
export function mfaHost(plugin: Plugin, ca: string, { idpUrl, orgAlias, token, key }: MfaCredentials): HandlerHost & { close(): Promise<void> } {
  const clock = new ManualClock()
  const egress = createEgress({ ca: [ca], allow: ['127.0.0.1'] }, clock)
  const vault = createVault(randomBytes(32))
  const id = asId<ConnectionId>('mfa-connection')
  const connection = connectionOf({
    id,
    integration: 'mfa',
    fields: { idp_url: idpUrl, org_alias: orgAlias },
    secrets: { token: vault.seal(id, 'token', token), use_base64_key: vault.seal(id, 'use_base64_key', key) },
  })
  return withHandling({
    key: 'simulated-call-key',
    fields: connection.fields,
    send: (request: SkillRequest) =>
      sendRequest(
        { egress, route: null, vault, plugin, connection, request, answers: new Answers(noTurns).forCall('simulated') },
        {
          now: clock.now(),
          timeout: 30_000,
          sendBy: null,
          signal: new AbortController().signal,
        },
      ),
    close: () => egress.close(),
  })
}
