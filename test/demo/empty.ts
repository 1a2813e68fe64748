import { request, type Target } from '../../runtime/cli/client.ts'
import type { Systems } from './systems.ts'

/**
 * Connects the simulated systems of an installation that is otherwise empty. All organizations share the connections, so they are there
 * before the visitor creates the first organization. Each name says that the system is simulated, because cases and runs show the name.
 */
export async function connectSimulated(admin: Target, { acme }: Systems): Promise<void> {
  for (const [integration, { credentials }] of Object.entries(acme)) {
    const named = { instance: `${integration}-simulated`, integration, description: 'Simulated: nothing leaves this machine' }
    const { id } = await request(admin, 'POST', '/platformapi/connections', { ...named, credentials })
    await request(admin, 'POST', `/platformapi/connections/${String(id)}/test`)
  }
}
