import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { type FindingCode, wholeExample } from '../../runtime/playbook/index.ts'

/** One mistake that somebody makes who writes a playbook. */
export interface Seeded {
  readonly name: string
  /** What is found, in the order of the places. */
  readonly codes: readonly FindingCode[]
  /** Parts of the messages: what the finding must name. */
  readonly says: readonly string[]
  readonly text: string
  /** Line and column of each place. */
  readonly places: readonly { readonly line: number; readonly column: number }[]
  /** The text after `--fix`; the same where nothing is certain. */
  readonly fixed: string
}

interface Written {
  readonly name: string
  readonly code: FindingCode | readonly FindingCode[]
  readonly says?: string | readonly string[]
  /** A piece of a playbook (see `wholeExample`); `«` stands before each place that is found. */
  readonly text: string
  /** What `--fix` writes in the place of what. */
  readonly fix?: Readonly<Record<string, string>>
  /** Whether the text is a whole file, and not a piece. */
  readonly whole?: boolean
}

const folder = new URL('corpus/', import.meta.url)
const mark = '«'

/** The mistakes of every file in `corpus/`, by file. */
export function seededMistakes(): ReadonlyMap<string, readonly Seeded[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))
  return new Map(
    files.map((name) => [name.replace(/\.yaml$/, ''), (parse(readFileSync(new URL(name, folder), 'utf8')) as readonly Written[]).map(seededOf)]),
  )
}

function seededOf({ name, code, says = [], text, fix = {}, whole: complete = false }: Written): Seeded {
  const whole = complete ? text : wholeExample(text.trimEnd())
  const plain = whole.replaceAll(mark, '')
  const places = whole.split('\n').flatMap((line, index) => {
    const parts = line.split(mark).slice(0, -1)
    return parts.map((_, count) => ({ line: index + 1, column: parts.slice(0, count + 1).join('').length + 1 }))
  })
  return {
    name,
    codes: [code].flat() as readonly FindingCode[],
    says: [says].flat() as readonly string[],
    text: plain,
    places,
    fixed: Object.entries(fix).reduce((fixed, [written, meant]) => fixed.replace(written, () => meant), plain),
  }
}
