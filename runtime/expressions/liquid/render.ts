import type { Context as LiquidContext, Template } from 'liquidjs'
import type { Meter } from '../work.ts'
import { meterOf } from './context.ts'
import { textLength } from './cost.ts'

/** What a list of parts takes, and each of them, besides what they do. */
const ofParts = 80
const ofPart = 90

export type Emitter = Parameters<Template['render']>[1]

/** Puts a text together, each piece of it paid for. */
export class MeteredEmitter {
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

/** As Liquid writes a value: nothing of null, the items of a list one after the other. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

/** Renders the parts of a template, of a branch or of a turn of a loop one after the other. */
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
