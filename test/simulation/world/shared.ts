import { fileURLToPath } from 'node:url'
import { createVault } from '../../../runtime/connection/index.ts'
import type { Plan } from '../../../runtime/playbook/index.ts'
import { compilePlaybook, skillLookup, sourcesOf, withPlaybooks } from '../../../runtime/playbook/index.ts'
import { loadPluginFolder } from '../../../runtime/plugin/index.ts'
import { innerPlaybook, RandomSleeper } from '../../engine/support/random-sleeper.ts'

/** Things that never change, made once for all simulations. Compiling them takes longer than simulating with them. */

export const plugin = await loadPluginFolder(fileURLToPath(new URL('../plugins/directory', import.meta.url)))
export const plugins = new Map([[plugin.id, plugin]])
export const vault = createVault(new Uint8Array(32).fill(7))

/** A playbook, and what the runtime must do with it. */
export interface Book {
  readonly plan: Plan
  readonly text: string
  /** For each covered step, the step that asks for its approval. */
  readonly covered: ReadonlyMap<string, string>
  /** The most high-impact calls that a run may make. Null: any number. */
  readonly high: number | null
}

const subject = '{{ alert.alert_id }}.{{ alert.investigation_retry_count }}.'
const writes = ['page_user', 'page_user', 'suspend_user', 'unpair_user', 'ticket_user']
const books = new Map<number, Book>()
const mostBooks = 500

/** Returns a random playbook by its number. */
export function bookOf(number: number): Book {
  const standing = books.get(number)
  if (standing) return standing
  const { text, covered, high } = new RandomSleeper(number, { subject, writes, depth: number % 3 })
  const subs = sourcesOf([{ text: innerPlaybook, file: 'inner.yaml' }])
  const plan = compilePlaybook(text, `made-up-${number}.yaml`, withPlaybooks(skillLookup(plugins), subs))
  const made = { plan, text, covered: new Map([...covered, ['again', 'ask']]), high }
  if (books.size >= mostBooks) books.clear()
  books.set(number, made)
  return made
}
