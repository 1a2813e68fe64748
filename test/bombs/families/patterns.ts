import { type Bomb, lintBomb, runBomb } from '../bomb.ts'

const long = 'ab'.repeat(400_000)

/** Makes a bomb with a condition that searches a long text of the alert. */
function matchBomb(name: string, pattern: string, text: string, ...comes: readonly string[]): Bomb {
  const rule = JSON.stringify({ matches: [{ var: 'inputs.text' }, pattern] })
  const playbook = `inputs: { text: { type: string, from: [content.text], required: true } }\nsteps:\n  - id: it\n    if: ${rule}\n    case: { note: x }\n`
  return runBomb(`pattern: ${name}`, () => ({ playbook, content: { text } }), ...comes)
}

/** Makes a bomb with an input that a pattern extracts from the alert's whole text. */
function inputBomb(name: string, pattern: string, text: string, ...comes: readonly string[]): Bomb {
  const playbook = `inputs: { it: { type: string, from: [{ pattern: ${JSON.stringify(pattern)} }] } }\nsteps:\n  - id: it\n    case: { note: x }\n`
  return runBomb(`pattern of an input: ${name}`, () => ({ playbook, content: text }), ...comes)
}

const exceeded = 'failed evaluation_exceeded'
const invalid = 'refused playbook_invalid pattern_invalid'

export const patterns: readonly Bomb[] = [
  matchBomb('a repeat of a repeat', '^(a+)+$', 'a'.repeat(800_000), exceeded),
  matchBomb('many ways at every place', '(a|b|ab|ba|aba|bab)*c', long, 'completed'),
  matchBomb('a long way back', '(.*)(.*)(.*)(.*)(.*)x', long, 'completed'),
  matchBomb('repeats that the compiler expands', '(a?){300}a{300}', 'a'.repeat(100_000), invalid),
  matchBomb('repeats of repeats', '((a{30}){30}){30}', long, invalid),
  matchBomb('Unicode classes', '(?i)[\\p{L}\\p{N}]*\\p{Lu}+x', 'ÄÖÜ'.repeat(100_000), exceeded),
  matchBomb('every letter, whatever its case', '(?i)(k|s|ſ|K)*x', 'ſK'.repeat(150_000), exceeded),
  matchBomb('a thousand words', `(${Array.from({ length: 150 }, (_, at) => `w${at}`).join('|')})+x`, 'w1w2'.repeat(200_000), 'completed'),
  inputBomb('a repeat of a repeat', '(?P<value>(a+)+)$x', 'a'.repeat(800_000), 'completed'),
  inputBomb('many ways at every place', '(?P<value>(a|b|ab)*)c', long, 'completed'),
  lintBomb(
    'patterns, linted: many of them',
    () =>
      `format: 1\nplaybook: it\nalert_type: it\nsteps:\n${Array.from({ length: 900 }, (_, at) => `  - id: s${at}\n    if: ${JSON.stringify({ matches: ['ab'.repeat(100), `(a|b|ab){${100 + (at % 90)}}`] })}\n    set: { x: 1 }\n`).join('')}`,
    'answered',
    'refused checks_exceeded',
  ),
]
