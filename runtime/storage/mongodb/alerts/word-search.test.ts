import { describe, expect, test } from 'vitest'
import type { AlertUuid } from '../../../domain/index.ts'
import { type FoundAlert, searchSegments } from './word-search.ts'
import type { SegmentReader } from './word-segments.ts'

/** The newest alert is in the first block. */
const blocks = Array.from({ length: 60 }, (_, index) => ({ id: `block ${index}`, from: 1_000 - index, to: 1_000 - index }))
const noSegments = { segments: async () => [] } as unknown as SegmentReader

/** Lists alerts of which every `oneIn`th block has one. Returns what was found, and how many blocks each read had, as they began. */
async function search(parts: { readonly few: boolean; readonly direction?: 1 | -1; readonly oneIn: number; readonly limit?: number }) {
  const { few, direction = -1, oneIn, limit = 3 } = parts
  const begun: number[] = []
  let answer: () => void = () => {}
  const first = new Promise<void>((resolve) => {
    answer = resolve
  })
  const loadBlocks = async (ids: readonly string[]): Promise<readonly FoundAlert[]> => {
    begun.push(ids.length)
    await first
    return ids.flatMap((id) => {
      const place = Number(id.slice('block '.length))
      return place % oneIn === 0 ? [{ _id: id as AlertUuid, createdAt: 1_000 - place }] : []
    })
  }
  const unused = async (): Promise<readonly FoundAlert[]> => []
  const wanted = { terms: [], from: 0, to: 2_000 }
  const found = searchSegments<FoundAlert>({
    reader: noSegments,
    wanted,
    states: null,
    direction,
    limit,
    few,
    load: unused,
    blocks: [...blocks],
    loadBlocks,
    loadNoted: unused,
  })
  const together = [...begun]
  answer()
  return { found: (await found)?.map(({ _id }) => _id), together, begun }
}

describe('a list that begins with the newest alerts', () => {
  test('reads the first blocks at once, and others only if it needs them', async () => {
    const enough = await search({ few: false, oneIn: 4 })
    expect(enough).toEqual({ found: ['block 0', 'block 4', 'block 8'], together: [16], begun: [16] })
    const more = await search({ few: false, oneIn: 20 })
    expect(more).toEqual({ found: ['block 0', 'block 20', 'block 40'], together: [16], begun: [16, 32] })
  })

  test('reads two groups of blocks at the same time if few alerts match, each once and in order', async () => {
    const { found, together, begun } = await search({ few: true, oneIn: 20 })
    expect({ found, together, begun }).toEqual({ found: ['block 0', 'block 20', 'block 40'], together: [16, 32], begun: [16, 32] })
    expect((await search({ few: true, oneIn: 50 })).begun).toEqual([16, 32, 12])
  })
})

test('a list that begins with the oldest alerts reads no blocks ahead', async () => {
  const { found, together } = await search({ few: true, direction: 1, oneIn: 20 })
  expect({ found, together }).toEqual({ found: ['block 40', 'block 20', 'block 0'], together: [] })
})
