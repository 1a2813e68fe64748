import { request, type Target } from '../../../runtime/cli/client.ts'

/** Sets a policy that asks nobody, for tests of other things whose playbooks call high-impact skills. */
export async function askNobody(admin: Target, code: string): Promise<void> {
  await request(admin, 'PUT', `/platformapi/organizations/${code}/policy`, { text: 'format: 1\napprovals: { high: none }\n' })
}
