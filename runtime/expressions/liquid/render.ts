import type { Context as LiquidContext, Template } from 'liquidjs'
import type { Meter } from '../work.ts'
import { meterOf } from './context.ts'
import { textLength } from './cost.ts'

/** Work units to render a list of parts, and each part, in addition to what the parts charge. */
const ofParts = 80
const ofPart = 90

export type Emitter = Parameters<Template['render']>[1]

/** Collects the rendered text, and charges for each piece. */
class MeteredEmitter {
  buffer = ''
  readonly #meter: Meter

  constructor(meter: Meter) {
    this.#meter = meter
  }

  write(piece: unknown): void {
    textLength(this.#meter, piece)
    this.buffer += textOf(piece)
  }
}

/** Returns the text of a value, as in Liquid: null is empty, a list is the texts of its items in a row. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

/** Renders the parts of a template, a branch or an iteration, and charges for them. */
export class MeteredRender {
  *renderTemplates(templates: readonly Template[], context: LiquidContext, given?: Emitter): Generator<unknown, unknown, unknown> {
    const meter = meterOf(context)
    const emitter = given ?? new MeteredEmitter(meter)
    meter.charge(ofParts)
    for (const template of templates) {
      meter.charge(ofPart)
      const written = yield template.render(context, emitter)
      if (written) emitter.write(written)
      if (context.breakCalled || context.continueCalled) break
    }
    return emitter.buffer
  }
}
