import type { Clock, Digest } from '../../domain/index.ts'
import { Fresh } from '../../storage/index.ts'
import { documentOf, readYaml, type YamlDocument } from '../../yaml/index.ts'
import type { PlaybookChecks, Work } from '../checks/port.ts'
import type { ReadPlaybook } from '../checks/tasks.ts'
import { namesRunBy, type SkillLookup, scriptsIn } from '../compile/index.ts'
import { playbookLimits } from '../limits.ts'

/** A playbook's text after reading, and before compiling. */
export interface ReadText {
  readonly digest: Digest
  readonly document: YamlDocument
  /** The names of the playbooks that it runs. */
  readonly runs: readonly string[]
  readonly script: SkillLookup['script']
}

/** Texts up to this many characters are read in this process, in a few milliseconds. A larger one may take half a second. */
const small = 16_384
/** A short cache is enough: a playbook's text is read once to find its sub-playbooks, and right after that to compile it. */
const [age, capacity] = [10_000, 100]

/** Reads the texts of playbooks. It reads small ones in this process, and has `PlaybookChecks` read the rest. */
export class ReadTexts {
  readonly #checks: PlaybookChecks
  readonly #read: Fresh<ReadText>

  constructor(checks: PlaybookChecks, clock: Clock) {
    this.#checks = checks
    this.#read = new Fresh(clock, age, capacity)
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
      // A text with scripts is not read here: compiling each script starts a process (esbuild).
      if (scriptsIn(document.value).length === 0) return { document, scripts: new Map() }
    }
    return this.#checks.run('read', { text, file }, work)
  }
}
