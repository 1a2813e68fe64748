import { request, type Target } from '../../../runtime/cli/client.ts'

/** Sets an organization's policy to one that asks nobody: for tests of something else, whose playbooks call high-impact skills. */
export async function askNobody(admin: Target, code: string): Promise<void> {
  await request(admin, 'PUT', `/platformapi/organizations/${code}/policy`, { text: 'format: 1\napprovals: { high: none }\n' })
}
