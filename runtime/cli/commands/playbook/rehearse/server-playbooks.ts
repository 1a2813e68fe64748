import { isTocsinError, TocsinError } from '../../../../errors/index.ts'
import type { FindServed, ServedPlaybook } from '../../../../rehearsal/index.ts'
import { type Answer, listAll, Refused, request, type Target } from '../../../client.ts'

/** The sub-playbooks that a command needs from a server. */
export interface Wanted {
  /** The playbook file that runs them. */
  readonly file: string
  /** The names of sub-playbooks that no file has. */
  readonly names: readonly string[]
}

/** The active sub-playbooks of a server, at the time of one listing. */
export class ServerPlaybooks {
  readonly #target: Target
  readonly #active: readonly Answer[]
  readonly #texts = new Map<string, Promise<string>>()

  private constructor(target: Target, active: readonly Answer[]) {
    this.#target = target
    this.#active = active
  }

  /** @throws TocsinError `server_unreachable`; Refused. Both name the sub-playbooks that were needed. */
  static async list(target: Target, wanted: Wanted): Promise<ServerPlaybooks> {
    const active: Answer[] = []
    try {
      for await (const each of listAll(target, '/platformapi/playbooks?kind=sub_playbook')) active.push(each)
    } catch (error) {
      throw withReason(error, wanted)
    }
    return new ServerPlaybooks(target, active)
  }

  /**
   * Finds the sub-playbooks that runs of an organization use: its own of a name, else the shared one.
   * @param organization its code; null: only shared sub-playbooks
   */
  of(organization: string | null): FindServed {
    return async (wanted) => {
      const named = this.#active.filter(({ key }) => key === wanted)
      const found =
        named.find(({ organization_code: code }) => organization !== null && code === organization) ??
        named.find(({ organization_code: code }) => code === null)
      return found === undefined ? null : this.#read(found)
    }
  }

  async #read({ key, organization_code: organization, revision, digest }: Answer): Promise<ServedPlaybook> {
    const name = String(key)
    return {
      name,
      file: `${name} (active on ${this.#target.url})`,
      organization: organization === null ? null : String(organization),
      revision: Number(revision),
      digest: String(digest),
      text: await this.#text(String(digest)),
    }
  }

  /** Reads a text by its digest, so that an activation after the listing cannot change it. */
  #text(digest: string): Promise<string> {
    const known = this.#texts.get(digest)
    if (known !== undefined) return known
    const text = request(this.#target, 'GET', `/platformapi/playbook-versions/${digest}`).then((answer) => String(answer['text']))
    this.#texts.set(digest, text)
    return text
  }
}

function withReason(error: unknown, { file, names }: Wanted): unknown {
  const why = `${file} runs ${names.length === 1 ? 'the sub-playbook' : 'the sub-playbooks'} ${names.join(', ')}, and ${
    names.length === 1 ? 'it has' : 'they have'
  } no file. So the server was asked for the active version.`
  if (error instanceof Refused) return new Refused(error.status, { ...error.problem, detail: `${error.message} ${why}` })
  if (!isTocsinError(error)) return error
  return new TocsinError(error.code, `${error.message}. ${why}`, [], {
    cause: error,
    remedy: `Start Tocsin, or give its address with --url: the recorded runs are there, too. Files beside ${file} or in a folder of --playbooks are used first.`,
  })
}
