import type { Collection, Filter } from 'mongodb'
import type { Ids, Millis, NewAlert } from '../../../domain/index.ts'
import type { AlertConditions } from '../../port/index.ts'
import { insertEach } from '../client/index.ts'
import type { AlertDocument } from './alert-documents.ts'

/**
 * The words of a block of new alerts, each once. The index for text search is on these documents, not on the
 * alerts. Alerts that arrive together share most of their words, so a block needs a fraction of the index
 * entries. (Measured: with an index on the tokens of the alerts, an insert took three times as long.) A
 * search finds the blocks, and then the alerts in them. Later, segments take the place of blocks (`Sealing`).
 */
export interface WordsDocument {
  readonly _id: string
  readonly words: readonly string[]
  /** When the first and the last of its alerts were created. Absent in blocks of versions before 101. */
  readonly from?: Millis
  readonly to?: Millis
}

interface WordCollections {
  readonly alerts: Collection<AlertDocument>
  readonly alertWords: Collection<WordsDocument>
}

/** How many alerts a block has. With more alerts, the search for a rare word would read more alerts in vain. */
export const blockSize = 64
const wordPattern = /^[\p{L}\p{N}\p{M}]+$/u

interface Block<Member> {
  readonly block: WordsDocument
  readonly members: readonly Member[]
}

/** Puts alerts into blocks, in the given order. Each block gets a new id. */
export function blocksOf<Member extends Pick<NewAlert, 'tokens' | 'createdAt'>>(
  alerts: readonly Member[],
  newId: () => string,
): readonly Block<Member>[] {
  const blocks: Block<Member>[] = []
  for (let from = 0; from < alerts.length; from += blockSize) {
    const members = alerts.slice(from, from + blockSize)
    const words = new Set(members.flatMap(({ tokens }) => tokens))
    const times = members.map(({ createdAt }) => createdAt)
    blocks.push({ block: { _id: newId(), words: [...words], from: Math.min(...times), to: Math.max(...times) }, members })
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

/**
 * Gives alerts new blocks. For alerts whose block may be gone, or was never written. The ids are new, because a deleted block must not come
 * back.
 */
export async function giveBlocks(
  { alerts, alertWords }: WordCollections,
  documents: readonly Pick<AlertDocument, '_id' | 'words' | 'createdAt'>[],
  ids: Ids,
): Promise<void> {
  if (documents.length === 0) return
  const blocks = blocksOf(
    documents.map(({ _id, words, createdAt }) => ({ uuid: _id, createdAt, tokens: words.split(' ').filter(Boolean) })),
    () => ids.uuid(),
  )
  await writeBlocks(
    alertWords,
    blocks.map(({ block }) => block),
  )
  await alerts.bulkWrite(
    blocks.map(({ block, members }) => ({
      updateMany: { filter: { _id: { $in: members.map(({ uuid }) => uuid) } }, update: { $set: { block: block._id } } },
    })),
  )
}

/**
 * Conditions on an alert: a token for each word. The longest words come first. MongoDB checks them in this order, and few alerts have a long
 * word. (Measured: twenty words in 2,240 alerts took a third of the time.)
 */
export function hasWords({ words = [], contains }: AlertConditions): Filter<AlertDocument>[] {
  const longestFirst = (some: readonly string[]): readonly string[] => [...some].sort((a, b) => b.length - a.length)
  return [
    ...longestFirst(contains?.words ?? []).map((word) => ({ words: { $regex: ` ${word}( |$)` } })),
    ...longestFirst(words).map((word) => ({ words: { $regex: ` ${word}` } })),
  ]
}

/** If more blocks than this have the words, it takes less time to follow the alerts in the order of the list. */
const mostBlocksFound = 5_000

/** A block that has words, and the times that its alerts are between. */
export interface BlockFound {
  readonly id: string
  readonly from: Millis
  readonly to: Millis
}

/**
 * Returns the blocks that have these words, or all blocks if there are none, alerts of which no segment has. Null: so many that the caller should not use them. This happens
 * only while many blocks wait to become segments. `nowhere`: no alert can have the words.
 */
export async function blocksWith(
  alertWords: Collection<WordsDocument>,
  { words = [], contains }: AlertConditions,
): Promise<readonly BlockFound[] | null | 'nowhere'> {
  const whole = contains?.words ?? []
  // Tokens have only letters, marks and digits. A word with another character matches no token. So nothing
  // else needs escaping.
  if (![...words, ...whole].every((word) => wordPattern.test(word))) return 'nowhere'
  const begun: Filter<WordsDocument>[] = words.map((word) => ({ words: { $elemMatch: { $gte: word, $lt: `${word}\u{10ffff}` } } }))
  const blocks = await alertWords
    .find({ $and: [{}, ...begun, ...whole.map((word) => ({ words: word }))] }, { projection: { from: 1, to: 1 } })
    .limit(mostBlocksFound + 1)
    .toArray()
  if (blocks.length > mostBlocksFound) return null
  return blocks.map(({ _id, from = 0, to = Number.MAX_SAFE_INTEGER }) => ({ id: _id, from, to }))
}
