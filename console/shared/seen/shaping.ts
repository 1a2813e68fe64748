// The console imports no code of the runtime, so `console/shared/seen/` and `runtime/domain/text/` each have this file. A test keeps them equal.

/** What makes an emoji of other characters: its colours, the frame around a digit, and the joiner between two pictograms, as in a family. */
const emoji = [
  '(?<=\\p{Extended_Pictographic})\\ufe0f',
  '\\ufe0f(?=\\u20e3)',
  '\\u200d(?<=\\p{Extended_Pictographic}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?\\u200d)(?=\\p{Extended_Pictographic})',
]

/** The letters of Arabic and Syriac that join the next letter (their `Joining_Type` is D). */
const joinsNext =
  '\\u0620\\u0626\\u0628\\u062a-\\u062e\\u0633-\\u063f\\u0641-\\u0647\\u0649\\u064a\\u066e\\u066f\\u0678-\\u0687\\u069a-\\u06bf\\u06c1\\u06c2\\u06cc\\u06ce\\u06d0\\u06d1\\u06fa-\\u06fc\\u06ff\\u0712-\\u0714\\u071a-\\u071d\\u071f-\\u0727\\u0729\\u072b\\u072d\\u072e\\u074e-\\u0758\\u075c-\\u076a\\u076d-\\u0770\\u0772\\u0775-\\u0777\\u077a-\\u077f'
/** Those that join only the letter before them (`Joining_Type` R). */
const joinsBefore =
  '\\u0622-\\u0625\\u0627\\u0629\\u062f-\\u0632\\u0648\\u0671-\\u0673\\u0675-\\u0677\\u0688-\\u0699\\u06c0\\u06c3-\\u06cb\\u06cd\\u06cf\\u06d2\\u06d3\\u06d5\\u06ee\\u06ef\\u0710\\u0715-\\u0719\\u071e\\u0728\\u072a\\u072c\\u072f\\u074d\\u0759-\\u075b\\u076b\\u076c\\u0771\\u0773\\u0774\\u0778\\u0779'
/** Signs above or below a letter. They change nothing about how it joins. */
const signs = '[\\u064b-\\u065f\\u0670\\u0711\\u0730-\\u074a]*'

/** Scripts whose letters merge around a virama, with that sign, and the dot that may come before it. */
const merging = [
  ['Devanagari', '\\u094d', '\\u093c'],
  ['Bengali', '\\u09cd', '\\u09bc'],
  ['Gurmukhi', '\\u0a4d', '\\u0a3c'],
  ['Gujarati', '\\u0acd', '\\u0abc'],
  ['Oriya', '\\u0b4d', '\\u0b3c'],
  ['Telugu', '\\u0c4d', '\\u0c3c'],
  ['Kannada', '\\u0ccd', '\\u0cbc'],
  ['Malayalam', '\\u0d4d', '\\u0d4d'],
  ['Sinhala', '\\u0dca', '\\u0dca'],
] as const

/**
 * Where a joiner changes how the letters beside it look. These are the rules of RFC 5892, A.1 and A.2, made narrower: after a virama, a letter of
 * the same script must follow. At the end of a word, only letters with a form of their own there may have a joiner. Anywhere else a joiner would
 * show nothing, so that two names could look the same. Tamil is left out: its virama always shows, with or without a joiner.
 */
const letters = [
  `\\u200c(?<=[${joinsNext}]${signs}\\u200c)(?=${signs}[${joinsNext}${joinsBefore}])`,
  ...merging.map(([script, virama, dot]) => {
    const letter = `(?=\\p{L})\\p{Script=${script}}`
    return `[\\u200c\\u200d](?<=${letter}${dot}?${virama}[\\u200c\\u200d])(?=${letter})`
  }),
  '\\u200d(?<=(?:[\\u0d15\\u0d23\\u0d28\\u0d30\\u0d32\\u0d33]\\u0d4d|\\u09a4\\u09cd)\\u200d)',
]

/** A pattern for characters that show nothing themselves, but change how their neighbours look, in places where they do. Needs the flag `u`. */
export const shaping = [...emoji, ...letters].join('|')
