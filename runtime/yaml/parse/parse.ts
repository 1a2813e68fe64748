import type { Document } from 'yaml'
import { type ErrorCode, TocsinError } from '../../errors/index.ts'
import { type DocumentData, documentOf, type YamlDocument } from '../document.ts'
import { fileLimits, type YamlLimits } from '../limits.ts'
import { Lines } from '../lines.ts'
import { explainer, type SyntaxFault } from './advice.ts'
import { compose, TooLarge } from './compose.ts'
import { convert } from './convert.ts'
import { duplicateKeys } from './duplicates.ts'

const mostFaults = 10
/** The most errors reported. Nobody needs more. */
const mostExplained = 100

/**
 * Reads one document of YAML 1.2 core: no second document, no duplicate key, no `<<`, no tag beyond those of the core schema, no
 * directive, no control character as it is. Anchors are allowed, and the number of values that aliases repeat is limited. Integers beyond 2^53 become strings, as in JSON. An empty file is null.
 *
 * @param file the file's name, for messages
 * @param limits how large it may be. The time to read it grows in proportion to `limits.tokens`
 * @throws TocsinError `yaml_invalid`, every place with line and column; `yaml_too_large` with the place
 */
export function parseYaml(text: string, file: string, limits: YamlLimits = fileLimits): YamlDocument {
  return documentOf(readYaml(text, file, limits))
}

/** Returns the same as plain data, to send to another process. Throws the same errors. */
export function readYaml(text: string, file: string, limits: YamlLimits): DocumentData {
  const document = withinLimits(text, file, () => compose(text, limits))
  const explain = explainer(text, document)
  const errors = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]).slice(0, mostExplained)
  const faults = [...errors.map(explain), ...duplicateKeys(document.contents, new Lines(text), mostExplained), ...controlCharacters(text)]
  const directive = /^%(YAML(?! +1\.2\s)|TAG)/m.exec(text)
  if (directive !== null && document.contents !== null && directive.index < (document.contents.range?.[0] ?? 0)) {
    faults.push({ offset: directive.index, message: 'Directives other than `%YAML 1.2` are not allowed.' })
  }
  // One mistake can cause many errors after it. The first error is the real one.
  if (faults.length > 0) throw refusal('yaml_invalid', text, file, firstOfLines(faults, text).slice(0, mostFaults))
  const converted = convert(document.contents as Document['contents'], limits, (node, message, large) => {
    throw refusal(large ? 'yaml_too_large' : 'yaml_invalid', text, file, [{ offset: node.range?.[0] ?? 0, message }])
  })
  return { file, text, ...converted }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the expression looks for control characters
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g

/**
 * Finds control characters that YAML allows only as escapes. The parser lets them pass, and in an editor or a review nobody sees them.
 * Those beyond ASCII are allowed in quotes, as in JSON.
 */
function controlCharacters(text: string): readonly SyntaxFault[] {
  const faults: SyntaxFault[] = []
  for (const { 0: found, index } of text.matchAll(controls)) {
    const code = found.charCodeAt(0).toString(16).padStart(2, '0')
    faults.push({
      offset: index,
      message: `YAML does not allow the character U+00${code.toUpperCase()} as it is; in double quotes, write it as \`\\x${code}\`.`,
    })
    if (faults.length === mostFaults) break
  }
  return faults
}

function withinLimits(text: string, file: string, work: () => Document): Document {
  try {
    return work()
  } catch (error) {
    if (error instanceof TooLarge) throw refusal('yaml_too_large', text, file, [{ offset: error.offset, message: error.message }])
    throw error
  }
}

function refusal(code: ErrorCode, text: string, file: string, faults: readonly Pick<SyntaxFault, 'offset' | 'message'>[]): TocsinError {
  const lines = new Lines(text)
  const places = faults.map(({ offset, message }) => ({ field: '', message, file, ...lines.at(offset) }))
  const first = places[0]
  const detail = first === undefined ? file : `${file}:${first.line}:${first.column}: ${first.message}`
  return new TocsinError(code, detail, places)
}

/** Later errors on a line follow from its first error. */
function firstOfLines(faults: readonly SyntaxFault[], text: string): readonly SyntaxFault[] {
  const lines = new Set<number>()
  const alone = faults.find((fault) => fault.alone === true)
  if (alone !== undefined) return [alone]
  return faults
    .toSorted((a, b) => a.offset - b.offset)
    .filter(({ offset }) => {
      const start = text.lastIndexOf('\n', offset - 1)
      return lines.has(start) ? false : lines.add(start) !== undefined
    })
}
