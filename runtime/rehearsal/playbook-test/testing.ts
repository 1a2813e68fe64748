/** What tests of playbook tests share: a playbook, and files with tests of it. */
import { join } from 'node:path'
import { type ErrorPlace, isTocsinError } from '../../errors/index.ts'
import { folderOf, playbookOf, world } from '../testing.ts'
import { loadTestFile, type TestFile } from './load.ts'
import { runTest, type TestResult } from './run.ts'

export const playbook = playbookOf(
  `- id: look
  skill: mfa.get_mfa_user_details
  with: { username: '{{ inputs.user }}' }
  retry: { attempts: 3, delay: 1s, on: [network] }
- id: active
  if: { '==': [{ var: steps.look.output.status }, ACTIVE] }
  then:
    - id: suspend
      skill: mfa.suspend_mfa_user
      with: { username: '{{ inputs.user }}' }
    - id: note
      case: { note: 'Suspended {{ inputs.user }}', finding: { title: 'An active user', risk: high, evidence: { user: '{{ inputs.user }}' } }, severity: high }
  else:
    - id: stop
      stop: { outcome: completed, reason: Not active }
- id: end
  set: { devices: '{{ steps.look.output.devices | size }}' }`,
  "connections: { idp: { integration: mfa } }\nverdict: { summary: 'Looked at {{ inputs.user }}' }",
)

const folders: { remove(): void }[] = []

/** Writes files into a new folder, and returns the folder. `removeFolders` deletes it. */
export function newFolder(files: Readonly<Record<string, string>>): string {
  const made = folderOf(files)
  folders.push(made)
  return made.folder
}

/** Deletes the folders that were made. Call it after the last test of a file. */
export function removeFolders(): void {
  for (const { remove } of folders.splice(0)) remove()
}

/** Reads a file with these tests of the playbook. */
async function load(tests: string): Promise<TestFile> {
  const folder = newFolder({ 'tested.yaml': playbook, 'tested.test.yaml': `format: 1\nplaybook: tested\ntests:\n${tests.replace(/^\n/, '')}` })
  return loadTestFile(await world, join(folder, 'tested.test.yaml'))
}

/** Runs these tests of the playbook. */
export async function run(tests: string): Promise<readonly TestResult[]> {
  const file = await load(tests)
  const results: TestResult[] = []
  for (const test of file.tests) results.push(await runTest(await world, file, test, () => 0))
  return results
}

/** Returns the mistakes of the file, or else those of its tests. */
export async function mistakes(tests: string): Promise<string[]> {
  const said = ({ line, column, message }: Pick<ErrorPlace, 'line' | 'column' | 'message'>): string => `${line}:${column} ${message}`
  try {
    return (await load(tests)).tests.flatMap((test) => test.mistakes.map(said))
  } catch (error) {
    if (!isTocsinError(error) || error.code !== 'playbook_test_invalid') throw error
    return error.places.map(said)
  }
}
