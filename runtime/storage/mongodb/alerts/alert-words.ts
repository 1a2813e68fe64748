import type { Collection, Filter } from 'mongodb'
import type { NewAlert } from '../../../domain/index.ts'
import { insertEach } from '../client/index.ts'
import type { AlertDocument } from './alert-documents.ts'

/**
 * The words of a block of alerts, each once. The index of free text search is on these and not on the alerts: alerts that come
 * together share most of their words, so that a block costs a fraction of the index entries (measured: an index on the alerts'
 * own tokens made an insert three times as dear). A search finds the blocks, and then the alerts in them.
 */
export interface WordsDocument {
  readonly _id: string
  readonly words: readonly string[]
}

/** Alerts of a block: more would share more words and make a rare word's search read more alerts in vain. */
const blockSize = 64
/** A word that is in more blocks than this is so common that walking the alerts in order meets it soon. */
const rareBlocks = 500
const wordPattern = /^[\p{L}\p{N}\p{M}]+$/u

export interface Block {
  readonly block: WordsDocument
  readonly members: readonly NewAlert[]
}

/** Puts alerts into blocks. Alerts are in the order given; each block gets a new id. */
export function blocksOf(alerts: readonly NewAlert[], newId: () => string): readonly Block[] {
  const blocks: Block[] = []
  for (let from = 0; from < alerts.length; from += blockSize) {
    const members = alerts.slice(from, from + blockSize)
    const words = new Set(members.flatMap(({ tokens }) => tokens))
    blocks.push({ block: { _id: newId(), words: [...words] }, members })
  }
  return blocks
}

/** Must be durable before an alert of the block is acknowledged, else a search could miss it. */
export async function writeBlocks(alertWords: Collection<WordsDocument>, blocks: readonly WordsDocument[]): Promise<void> {
  const fault = (await insertEach(alertWords, blocks)).find((inserted) => inserted instanceof Error)
  if (fault) throw fault
}

/** Adds an alert's words to its block, for an alert whose own insert may have died before it wrote the block. */
export async function addToBlock(alertWords: Collection<WordsDocument>, { block, words }: AlertDocument): Promise<void> {
  await alertWords.updateOne({ _id: block }, { $addToSet: { words: { $each: words.split(' ').filter(Boolean) } } }, { upsert: true })
}

/** How to find the alerts that have a token for each word's beginning. Null: there can be none. */
export interface WordSearch {
  readonly filter: Filter<AlertDocument>
  /** Whether the filter names few blocks, so that their index is the way to walk. */
  readonly rare: boolean
}

export async function searchFor(alertWords: Collection<WordsDocument>, words: readonly string[]): Promise<WordSearch | null> {
  // A token is made of nothing else, so that what has another character begins no token (and nothing needs escaping below).
  if (!words.every((word) => wordPattern.test(word))) return null
  const blocks = await alertWords
    .find({ $and: words.map((word) => ({ words: { $elemMatch: { $gte: word, $lt: `${word}\u{10ffff}` } } })) }, { projection: { _id: 1 } })
    .limit(rareBlocks + 1)
    .toArray()
  if (blocks.length === 0) return null
  const rare = blocks.length <= rareBlocks
  const each: Filter<AlertDocument>[] = words.map((word) => ({ words: { $regex: ` ${word}` } }))
  return { rare, filter: { $and: rare ? [{ block: { $in: blocks.map(({ _id }) => _id) } }, ...each] : each } }
}
