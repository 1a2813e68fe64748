import type { Digest } from '../../domain/index.ts'
import type { Plugin } from '../types.ts'
import { parsePlugin } from './load.ts'

/** A plugin as another process gets it: enough to check and rehearse playbooks, but not to call anything. */
export interface SentPlugin {
  readonly id: string
  readonly digest: Digest
  /** Its artifact without the code of its handlers. Absent: the process has it already. */
  readonly text?: string
}

/** @param keeps the digests that the process has; new ones are added */
export function sentPlugins(plugins: Iterable<Plugin>, keeps: Set<string>): readonly SentPlugin[] {
  return [...plugins].map((plugin) => sent(plugin, keeps))
}

/** The artifact of each plugin without the code of its handlers. */
const lean = new WeakMap<Plugin, string>()

function sent(plugin: Plugin, keeps: Set<string>): SentPlugin {
  const { id, digest } = plugin
  if (keeps.has(digest)) return { id, digest }
  keeps.add(digest)
  return { id, digest, text: lean.get(plugin) ?? leanText(plugin) }
}

function leanText(plugin: Plugin): string {
  const handlers = [...plugin.skills.values()].flatMap(({ id, does }) => (does.kind === 'handler' ? [[id, '']] : []))
  const code = handlers.length === 0 ? {} : { handlers: Object.fromEntries(handlers) }
  const text = JSON.stringify({ manifest: plugin.manifest.document, skills: [...plugin.skills.values()].map(({ document }) => document), ...code })
  lean.set(plugin, text)
  return text
}

/** The plugins that a process was sent and keeps. */
export class KeptPlugins {
  readonly #known = new Map<Digest, Plugin>()

  /** Returns the plugins by integration, each with the digest of its whole artifact. */
  of(sent: readonly SentPlugin[]): ReadonlyMap<string, Plugin> {
    return new Map(
      sent.map(({ id, digest, text }) => {
        const plugin = this.#known.get(digest) ?? { ...parsePlugin(text ?? ''), digest }
        this.#known.set(digest, plugin)
        return [id, plugin]
      }),
    )
  }
}
