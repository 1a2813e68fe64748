import { expect, test } from 'vitest'
import { tokensOf } from '../../../runtime/domain/index.ts'
import { hasWord } from './has-word.ts'

test.each(['(', ' - ', '', '…', '🙂', 'ⅷ', '™', '(a', '7', 'é', 'ñ', '名', '_', '\u0301', '²'])(
  '%j has a word if the API finds one in it',
  (text) => {
    expect(hasWord(text)).toBe(tokensOf(text).length > 0)
  },
)
