import type { Collection, Filter } from 'mongodb'
import type { NewAlert } from '../../../domain/index.ts'
import { insertEach } from '../client/index.ts'
import type { AlertDocument } from './alert-documents.ts'

/**
 * The words of a block of alerts, each once. The index for text search is on these documents, not on the
 * alerts. Alerts that arrive together share most of their words, so a block needs a fraction of the index
 * entries. (Measured: with an index on the tokens of the alerts, an insert took three times as long.) A
 * search finds the blocks, and then the alerts in them.
 */
export interface WordsDocument {
  readonly _id: string
  readonly words: readonly string[]
}

/** How many alerts a block has. With more alerts, the search for a rare word would read more alerts in vain. */
const blockSize = 64
/** If more blocks than this have a word, the word is so common that reading the alerts in order finds it soon. */
const rareBlocks = 500
const wordPattern = /^[\p{L}\p{N}\p{M}]+$/u

export interface Block {
  readonly block: WordsDocument
  readonly members: readonly NewAlert[]
}

/** Puts alerts into blocks, in the given order. Each block gets a new id. */
export function blocksOf(alerts: readonly NewAlert[], newId: () => string): readonly Block[] {
  const blocks: Block[] = []
  for (let from = 0; from < alerts.length; from += blockSize) {
    const members = alerts.slice(from, from + blockSize)
    const words = new Set(members.flatMap(({ tokens }) => tokens))
    blocks.push({ block: { _id: newId(), words: [...words] }, members })
  }
  return blocks
}

/**
 * Writes the words of blocks. They must be durable before an alert of the block is acknowledged. Otherwise a
 * search could miss it.
 */
export async function writeBlocks(alertWords: Collection<WordsDocument>, blocks: readonly WordsDocument[]): Promise<void> {
  const fault = (await insertEach(alertWords, blocks)).find((inserted) => inserted instanceof Error)
  if (fault) throw fault
}

/** Adds an alert's words to its block. For an alert whose insert may have died before it wrote the block. */
export async function addToBlock(alertWords: Collection<WordsDocument>, { block, words }: AlertDocument): Promise<void> {
  await alertWords.updateOne({ _id: block }, { $addToSet: { words: { $each: words.split(' ').filter(Boolean) } } }, { upsert: true })
}

/** How to find the alerts that have a token for each word. */
export interface WordSearch {
  readonly filter: Filter<AlertDocument>
  /** Whether the filter names only a few blocks, so that MongoDB should use their index. */
  readonly rare: boolean
}

/**
 * Returns how to find the alerts that have these words. Null if there are none.
 * @param words beginnings of tokens
 * @param whole whole tokens
 */
export async function searchFor(
  alertWords: Collection<WordsDocument>,
  words: readonly string[],
  whole: readonly string[] = [],
): Promise<WordSearch | null> {
  // Tokens have only letters, marks and digits. A word with another character matches no token. So nothing
  // below needs escaping.
  if (![...words, ...whole].every((word) => wordPattern.test(word))) return null
  const begun: Filter<WordsDocument>[] = words.map((word) => ({ words: { $elemMatch: { $gte: word, $lt: `${word}\u{10ffff}` } } }))
  const blocks = await alertWords
    .find({ $and: [...begun, ...whole.map((word) => ({ words: word }))] }, { projection: { _id: 1 } })
    .limit(rareBlocks + 1)
    .toArray()
  if (blocks.length === 0) return null
  const rare = blocks.length <= rareBlocks
  const each: Filter<AlertDocument>[] = [
    ...words.map((word) => ({ words: { $regex: ` ${word}` } })),
    ...whole.map((word) => ({ words: { $regex: ` ${word}( |$)` } })),
  ]
  return { rare, filter: { $and: rare ? [{ block: { $in: blocks.map(({ _id }) => _id) } }, ...each] : each } }
}
