import { generateKeyPairSync } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { asId, type PrincipalId, systemScope } from '../../runtime/domain/index.ts'
import { noOthers } from '../../runtime/relay/index.ts'
import { ManualClock } from '../support/clocks/manual-clock.ts'
import { store } from './support/installation.ts'
import { Member } from './support/member.ts'

test('an agent that is revoked while it signs in is cut off at once', async () => {
  // The clock stands still, so no later check can cut the agent off.
  const clock = new ManualClock()
  let revoke = async (): Promise<void> => {}
  const agents: typeof store.agents = Object.assign(Object.create(store.agents), {
    noteSeen: async (...given: Parameters<typeof store.agents.noteSeen>) => {
      await store.agents.noteSeen(...given)
      await revoke()
    },
  })
  const member = await new Member({ store: { ...store, agents }, directory: noOthers, clock }).open()
  onTestFinished(() => member.close())
  const operator = { id: asId<PrincipalId>('p'), name: 'p', permissions: ['admin'], organizations: 'all', createdAt: 1, createdBy: null } as const
  const { token, view } = await member.relay.agents.create(operator, { name: 'hasty', organizationCode: null })
  revoke = async () => void (await member.relay.agents.revoke(systemScope, view.agent.id))
  const { privateKey } = generateKeyPairSync('ed25519')
  const tunnel = await member.connect(privateKey, token, ['crm.example:443'])
  await tunnel.gone
  expect(await member.relay.agents.get(systemScope, view.agent.id)).toMatchObject({ tunnels: [] })
})
