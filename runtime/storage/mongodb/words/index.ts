/** What the indexes of words of alerts and of cases share: the pages of segments, the way through segments, and the work in the background. */
export { Background } from './background.ts'
export { type PageDocument, PageReader, pageId, splitIntoPages, unitsInPage } from './pages.ts'
export { segmentSources } from './segment-sources.ts'
