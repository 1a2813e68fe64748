/** Dates and times. */
export { date } from './date.ts'
export { dateToLongString } from './date-to-long-string.ts'
export { dateToRfc822 } from './date-to-rfc822.ts'
export { dateToString } from './date-to-string.ts'
export { dateToXmlschema } from './date-to-xmlschema.ts'
