import { TtlCache } from '../../caches/index.ts'
import type { Clock, Digest } from '../../domain/index.ts'
import { documentOf, readYaml, type YamlDocument } from '../../yaml/index.ts'
import type { PlaybookChecks, Work } from '../checks/port.ts'
import type { ReadPlaybook } from '../checks/tasks.ts'
import { namesRunBy, type SkillLookup, scriptsIn } from '../compile/index.ts'
import { playbookLimits } from '../limits.ts'

/** A playbook's text after parsing, before compiling. */
export interface ReadText {
  readonly digest: Digest
  readonly document: YamlDocument
  /** The names of the playbooks that it runs. */
  readonly runs: readonly string[]
  readonly script: SkillLookup['script']
}

/**
 * This process parses texts of up to this many characters itself, which takes a few milliseconds. A
 * larger one may take half a second.
 */
const small = 16_384
/** A short cache is enough: a text is read once to find its sub-playbooks, and compiled right after that. */
const [age, capacity] = [10_000, 100]

/** Parses the texts of playbooks: small ones in this process, the others through `PlaybookChecks`. */
export class ReadTexts {
  readonly #checks: PlaybookChecks
  readonly #read: TtlCache<ReadText>

  constructor(checks: PlaybookChecks, clock: Clock) {
    this.#checks = checks
    this.#read = new TtlCache(clock, age, capacity)
  }

  /** @throws TocsinError `yaml_invalid`, `yaml_too_large`; the errors of `PlaybookChecks.run` */
  get(digest: Digest, source: () => Promise<{ readonly text: string; readonly name: string }>, work: Work): Promise<ReadText> {
    return this.#read.get(digest, async () => {
      const { text, name } = await source()
      const { document, scripts } = await this.#readText(text, name, work)
      const script: SkillLookup['script'] = (script) => scripts.get(script) ?? { faults: [] }
      return { digest, document: documentOf(document), runs: namesRunBy(document.value), script }
    })
  }

  async #readText(text: string, file: string, work: Work): Promise<ReadPlaybook> {
    if (text.length <= small) {
      const document = readYaml(text, file, playbookLimits)
      // Texts with scripts go to `PlaybookChecks`, because compiling a script starts a process
      // (esbuild).
      if (scriptsIn(document.value).length === 0) return { document, scripts: new Map() }
    }
    return this.#checks.run('read', { text, file }, work)
  }
}
