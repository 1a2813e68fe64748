import { describe, expect, test } from 'vitest'
import { foldCase, saysAll } from '../../../domain/index.ts'
import { segmentSize } from '../bits.ts'
import { Page } from '../page.ts'
import { CaseBuilder } from './build.ts'
import { type CaseHead, type CasePages, casesWith, wantedCases } from './find.ts'
import { gramsOf, rangesOf } from './grams.ts'

describe('grams', () => {
  test('each part of a word is found by its ranges', () => {
    for (const word of [
      'suspended',
      'acme-10423',
      '203.0.113.77',
      'a1b2c3d4',
      'x',
      '7',
      '77',
      '777',
      '7777',
      'über🦊x',
      'ab1',
      '1ab',
      'abc1',
      'bananana',
    ]) {
      const grams = [...gramsOf(word)]
      const characters = [...word]
      for (let from = 0; from < characters.length; from += 1)
        for (let to = from + 1; to <= characters.length; to += 1) {
          const part = characters.slice(from, to).join('')
          for (const range of rangesOf(part)) {
            const found = grams.some((gram) => (range.to === null ? gram === range.from : gram >= range.from && gram < range.to))
            expect([word, part, range, found]).toEqual([word, part, range, true])
          }
        }
    }
  })

  test.each([
    ['ab', ['ab…']],
    ['abc', ['abc']],
    ['abcd', ['abc', 'bcd']],
    ['abcdef', ['abc', 'def']],
    ['777', ['777…']],
    ['7777', ['7777']],
    ['77777', ['7777', '7777']],
    ['.17.12', ['.17.', '7.12']],
    ['user77@', ['use', 'r77@']],
  ])('%s has the ranges %j', (part, expected) => {
    expect(rangesOf(part).map(({ from, to }) => (to === null ? from : `${from}…`))).toEqual(expected)
  })
})

describe('a segment of cases', () => {
  const says = (n: number): string =>
    `case-${n} Banana ${n % 2 ? 'odd' : 'even'} ${n % 3 ? 'sign-in of' : 'Suspended'} user${n % 800}@acme.example ${(n * 2_654_435_761).toString(16)}`
  const builder = new CaseBuilder()
  for (let n = 0; n < segmentSize; n += 1) builder.add({ createdAt: n, uuid: String(n) }, n % 100 ? 'large' : 'small', [says(n)])
  const building = builder.build()
  let step = building.next()
  while (!step.done) step = building.next()
  const { head: built, always, pages, summaries, frequent, frequentPages } = step.value
  const head: CaseHead = { ...built, always, segment: 1 }
  const of = (all: readonly Uint8Array[], index: number): Page => {
    reads += 1
    return new Page(all[index]!)
  }
  let reads = 0
  const stored: CasePages = {
    page: (index) => of(pages, index),
    summary: (index) => of(summaries, index),
    frequent: () => Buffer.from(frequent).toString(),
    frequentPage: (index) => of(frequentPages, index),
  }
  const find = (...texts: string[]): number[] => casesWith(head, stored, wantedCases(texts, undefined, 0, 1e9))

  test.each([
    ['banana'],
    ['ANA'],
    ['odd'],
    ['n-in'],
    ['case-77'],
    ['-777'],
    ['user17@'],
    ['r799@ac'],
    ['e'],
    ['q'],
    ['x'],
    ['de'],
    ['7f'],
    ['suspended', '31'],
    ['3', '7', 'e'],
  ])('finds %j, and few others', (...texts) => {
    const expected = Array.from({ length: segmentSize }, (_, n) => n).filter((n) => saysAll(texts.map(foldCase), [says(n)]))
    const found = find(...texts)
    expect(expected.filter((n) => !found.includes(n))).toEqual([])
    expect(found.length).toBeLessThanOrEqual(expected.length * 1.5 + 40)
  })

  test('a word that repeats the grams of a frequent word is in no case', () => {
    expect(find('bananana')).toEqual([])
    expect(find('odd', 'even')).toEqual([])
  })

  test('a letter that all cases have takes few pages', () => {
    reads = 0
    expect(find('a')).toHaveLength(segmentSize)
    expect(reads).toBeLessThan(20)
  })

  test('finds within a time and organizations', () => {
    expect(casesWith(head, stored, wantedCases(['banana'], ['small'], 300, 700)).filter((n) => n >= 300 && n <= 700)).toEqual([
      300, 400, 500, 600, 700,
    ])
    expect(casesWith(head, stored, wantedCases(['banana'], ['nobody'], 0, 1e9))).toEqual([])
    expect(casesWith(head, stored, wantedCases(['banana'], undefined, -9, -1))).toEqual([])
  })
})
