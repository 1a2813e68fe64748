import type { Charge } from './charge.ts'
import type { Range } from './range.ts'

/** Hostile input that one tenant, vendor or alert can send, made as expensive as possible. */
export interface Bomb {
  /** `<family>: <description>`, unique in the corpus. */
  readonly name: string
  /** Sends it and waits for its end. Returns the outcome, in the words of `comes`. */
  fire(range: Range): Promise<string>
  /**
   * The allowed outcomes. For a run: `completed` or `failed <code>`. For a request: `answered` or
   * `refused <code>`. For a playbook that was not activated: `refused playbook_invalid <codes of
   * the findings>`.
   */
  readonly comes: readonly string[]
}

/** Makes a bomb that activates a playbook and posts an alert for it. */
export function runBomb(name: string, charge: () => Charge, ...comes: readonly string[]): Bomb {
  return { name, comes, fire: (range) => range.investigate(charge()) }
}

/** Makes a bomb that sends one request to the API. */
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

/** Makes a bomb that has a text linted. */
export function lintBomb(name: string, text: () => string, ...comes: readonly string[]): Bomb {
  return requestBomb(name, () => ({ method: 'POST', path: '/platformapi/playbooks/lint', body: JSON.stringify({ text: text() }) }), ...comes)
}
