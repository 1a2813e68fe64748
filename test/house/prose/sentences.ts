import type { Nodes, Paragraph, Root, Sentence } from 'nlcst'
import { toString as textOf } from 'nlcst-to-string'
import { SKIP, visit } from 'unist-util-visit'
import type { VFile } from 'vfile'

/** The most words of a sentence. A piece of code and a number count as one word each. */
const longest = 30
/** How many passive sentences in a row are reported. */
const passiveRun = 3

const participles =
  'begun|bound|broken|brought|built|chosen|cut|done|drawn|found|given|held|kept|known|left|lost|made|met|paid|put|read|run|said|seen|sent|set|shown|stored|taken|thrown|told|turned|understood|withdrawn|written'
const passive = new RegExp(`\\b(?:is|are|was|were|be|been|being)(?: not| never| also| only| \\w+ly)* (?:\\w+ed|${participles})\\b`, 'i')

/** Reports long sentences, and several passive sentences in a row. */
export function sentenceRules() {
  return (tree: Root, file: VFile): void => {
    visit(tree, 'ParagraphNode', (paragraph: Paragraph) => {
      let run = 0
      for (const sentence of paragraph.children.filter((node): node is Sentence => node.type === 'SentenceNode')) {
        const words = wordsOf(sentence)
        if (words > longest) tell(file, sentence, 'sentence-length', `The sentence has ${words} words; ${longest} is the most. Split it.`)
        run = passive.test(textOf(sentence)) ? run + 1 : 0
        if (run === passiveRun) tell(file, sentence, 'passive-run', `${passiveRun} passive sentences in a row. Say who does it.`)
      }
    })
  }
}

/** The words of the longest part of a sentence. The parser joins a sentence that begins with code or a lower-case letter to the one before it. */
function wordsOf(sentence: Sentence): number {
  let [words, most] = [0, 0]
  sentence.children.forEach((child, at) => {
    visit(child, (node: Nodes) => {
      if (node.type === 'WordNode' || node.type === 'SourceNode') words++
      return node.type === 'WordNode' ? SKIP : undefined
    })
    most = Math.max(most, words)
    if (/[.?!]$/.test(textOf(child)) && sentence.children[at + 1]?.type === 'WhiteSpaceNode') words = 0
  })
  return most
}

function tell(file: VFile, node: Nodes, rule: string, reason: string): void {
  file.message(reason, { place: node.position, ruleId: rule, source: 'prose' })
}
