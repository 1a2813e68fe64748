import { Context as LiquidContext, toValue } from 'liquidjs'
import { ofKeys } from '../cost.ts'
import type { Meter } from '../work.ts'
import { memberOfText } from './text-member.ts'

type Options = LiquidContext['opts']
type Limits = NonNullable<ConstructorParameters<typeof LiquidContext>[3]>
type Limiter = NonNullable<Limits['memoryLimit']>

/** Work units to read a property, and more if it is missing: Liquid makes an error then, even if it catches it. */
const ofRead = 50
const ofMissing = 1_300

/** Returns a limiter for Liquid that charges the meter. Liquid calls `use` for what it creates, and `check` for its time limit. */
function limiterOf(meter: Meter): Limiter {
  const limiter = { use: (count: number) => void (count > 0 && meter.charge(count)), check: () => undefined }
  return limiter as unknown as Limiter
}

/** A Liquid context that charges each read of a value. */
export class MeteredContext extends LiquidContext {
  readonly meter: Meter

  constructor(values: object, options: Options, settings: ConstructorParameters<typeof LiquidContext>[2], liquid: unknown, meter: Meter) {
    const limiter = limiterOf(meter)
    super(values, options, settings, { memoryLimit: limiter, renderLimit: limiter, liquid })
    this.meter = meter
  }

  override readProperty(...[values, key]: Parameters<LiquidContext['readProperty']>): unknown {
    this.meter.charge(ofRead)
    if (typeof values === 'string') return this.#ofText(values, key)
    if (key === 'size' && typeof values === 'object' && values !== null && !Array.isArray(values))
      this.meter.charge(ofKeys(Object.keys(values).length))
    const value: unknown = super.readProperty(values, key)
    if (value === undefined && this.strictVariables) this.meter.charge(ofMissing)
    return value
  }

  #ofText(text: string, key: unknown): unknown {
    const value = memberOfText(this.meter, text, toValue(key))
    if (value === undefined && this.strictVariables) this.meter.charge(ofMissing)
    return value
  }

  /** Liquid calls this for filters that evaluate a path on each item. */
  override spawn(item: object = {}): LiquidContext {
    const { sync, globals, strictVariables, ownPropertyOnly } = this
    return new MeteredContext(item, this.opts, { sync, globals, strictVariables, ownPropertyOnly }, this.liquid, this.meter)
  }
}

/** Returns the meter of a context. All contexts of our templates have one. */
export function meterOf(context: LiquidContext): Meter {
  return (context as MeteredContext).meter
}
