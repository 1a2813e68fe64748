import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { wholeExample } from '../../runtime/playbook/authoring/index.ts'
import type { FindingCode } from '../../runtime/playbook/index.ts'

/** One typical mistake in a playbook. */
export interface Seeded {
  readonly name: string
  /** The codes of the findings, in the order of the places. */
  readonly codes: readonly FindingCode[]
  /** Texts that the messages must contain. */
  readonly says: readonly string[]
  readonly text: string
  /** The line and column of each finding. */
  readonly places: readonly { readonly line: number; readonly column: number }[]
  /** The text after `--fix`. Unchanged if there is no fix. */
  readonly fixed: string
}

interface Written {
  readonly name: string
  readonly code: FindingCode | readonly FindingCode[]
  readonly says?: string | readonly string[]
  /** A piece of a playbook (see `wholeExample`), with `«` before the place of each finding. */
  readonly text: string
  /** The replacements of `--fix`: the old text, and the new text. */
  readonly fix?: Readonly<Record<string, string>>
  /** Whether the text is a whole file instead of a piece. */
  readonly whole?: boolean
}

const folder = new URL('corpus/', import.meta.url)
const mark = '«'

/** Returns the mistakes of every file in `corpus/`, by file. */
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
