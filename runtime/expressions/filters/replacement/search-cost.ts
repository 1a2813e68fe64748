import { textLength } from '../../liquid/cost.ts'
import type { Cost } from '../definition.ts'

/** For filters of liquidjs that search a text, in the worst case: from the end, or with a partial match at every place. */
export const search: Cost = (meter, value, given) => {
  const [text, part] = [textLength(meter, value), textLength(meter, given[0])]
  for (const one of given.slice(1)) textLength(meter, one)
  meter.charge(text * (3 + part / 8))
}
