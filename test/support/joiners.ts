/** Texts in which each joiner shapes what is beside it: nothing of them is marked. */
export const shapedTexts: readonly string[] = [
  'می\u200cخواهم', // Persian: "I want"
  'خانه\u200cای', // the second letter joins only the letter before it
  'مُ\u200cمِ', // with signs above and below
  'ܒ\u200cܐ', // Syriac
  'क्\u200dष क्\u200cष', // Devanagari: the half letter, and the letter with a virama
  'ज़्\u200dय', // with a dot
  'শ্রী ক্\u200cষ', // Bengali
  'ශ්\u200dරී', // Sinhala: "Sri"
  'ന്\u200d ൻ', // Malayalam: a letter that has its own form at the end of a word
  'ത്\u200cത ಕ್\u200cಷ క్\u200cష ક્\u200cષ ਕ੍\u200cਹ କ୍\u200cଷ',
  '👩\u200d👧\u200d👦 👩🏽\u200d💻 🏳\ufe0f\u200d🌈 1\ufe0f\u20e3 ⚠\ufe0f',
]

/** Texts in which a joiner shows nothing, each with how many characters must be marked: they look like a name without them. */
export const fakedTexts: readonly (readonly [text: string, marks: number])[] = [
  ['ad\u200cmin a\u200dda', 2],
  ['می\u200c', 1], // at the end of a word
  ['\u200cمی', 1],
  ['دا\u200cر', 1], // a letter that never joins the next one
  ['ء\u200cب', 1],
  ['می\u200c\u200cخ', 2],
  ['م\u200dی', 1], // letters join without it
  ['می\u200cada', 1],
  ['क\u200dष', 1], // no virama
  ['क्\u200c', 1], // at the end of a word
  ['क्\u200d', 1],
  ['क्\u200c\u200dष', 2],
  ['क्\u200dada', 1],
  ['क्\u200dষ', 1], // the next letter is of another script
  ['ada्\u200dक', 1],
  ['க்\u200cஷ', 1], // Tamil
  ['ಕ್\u200d ශ්\u200d', 2],
  ['กา\u200cนา', 1], // Thai
  ['א\u200cב', 1], // Hebrew
  ['👩\u200dx \u200d👩 👩\u200d\u200d👩 ad\ufe0fmin', 5],
]
