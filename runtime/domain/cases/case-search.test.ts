import { describe, expect, it, test } from 'vitest'
import { foldCase, saysAll } from './case-search.ts'

describe('foldCase', () => {
  it.each([
    ['Mail 100% SURE', 'mail 100% sure'],
    ['Über ÄRGER', 'über ärger'],
    ['STRASSE', 'strasse'],
    ['straße', 'straße'],
    ['STRAẞE', 'straße'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['İSTANBUL', 'İstanbul'],
    ['ısı', 'ısı'],
    ['ſo', 'so'],
    ['\u212aelvin', 'kelvin'],
    ['日本', '日本'],
  ])('%s', (text, folded) => {
    expect(foldCase(text)).toBe(folded)
  })

  test('a part of a text stays a part, wherever it is cut, and in either case', () => {
    const texts = ['Straßen ΟΔΟΣ ΟΔΟΣ, İi\u0307 ŉ ﬃ 🦊e\u0301', 'ΣΑΣ']
    for (const text of texts) {
      const characters = [...text]
      for (let from = 0; from < characters.length; from += 1)
        for (let to = from + 1; to <= characters.length; to += 1) {
          const part = characters.slice(from, to).join('')
          expect([part, foldCase(text).includes(foldCase(part))]).toEqual([part, true])
        }
    }
  })
})

describe('saysAll', () => {
  const texts = ['ACME-12', 'Mail 100% sure_thing', 'Über Ärger']
  it.each([
    [['acme-1', 'URE_'], true],
    [['ÄRGER', '0%'], true],
    [['acme-12mail'], false],
    [['mail', 'nothing'], false],
    [[], true],
  ])('%j', (words, expected) => {
    expect(saysAll(words.map(foldCase), texts)).toBe(expected)
  })
})
