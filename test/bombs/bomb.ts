import type { Reply } from '../simulators/faults.ts'
import type { Range } from './range.ts'

/** Something that one tenant, vendor or alert can send, made to cost as much as it can. */
export interface Bomb {
  /** `<family>: <what it is>`, unique in the corpus. */
  readonly name: string
  /** Sends it and waits for its end. @returns what came back, in the words of `comes` */
  fire(range: Range): Promise<string>
  /**
   * What may come back, and nothing else: `completed` or `failed <code>` of a run; `refused <code>` of a request; `refused playbook_invalid
   * <codes of the findings>` of a playbook that was not activated; `answered` of a request that succeeded.
   */
  readonly comes: readonly string[]
}

/** A playbook and the alert that starts it. */
export interface Charge {
  /** Everything below `alert_type`, as YAML. */
  readonly playbook: string
  /** What the alert says; none: `{}`. */
  readonly content?: unknown
  /** What the target system answers at `/answers/<name>`, by name. */
  readonly answers?: Readonly<Record<string, string | Reply>>
}

/** Activates a playbook and posts an alert for it. */
export function runBomb(name: string, charge: () => Charge, ...comes: readonly string[]): Bomb {
  return { name, comes, fire: (range) => range.investigate(charge()) }
}

/** Sends one request to the API. */
export function requestBomb(
  name: string,
  parts: () => { method: 'GET' | 'POST' | 'PUT' | 'PATCH'; path: string; body?: string },
  ...comes: readonly string[]
): Bomb {
  return {
    name,
    comes,
    fire: (range) => {
      const { method, path, body } = parts()
      return range.ask(method, path, body)
    },
  }
}

/** Asks for the lint of a text. */
export function lintBomb(name: string, text: () => string, ...comes: readonly string[]): Bomb {
  return requestBomb(name, () => ({ method: 'POST', path: '/platformapi/playbooks/lint', body: JSON.stringify({ text: text() }) }), ...comes)
}
