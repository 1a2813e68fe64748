import { Context as LiquidContext } from 'liquidjs'
import { ofKeys } from '../operators/cost.ts'
import type { Meter } from '../work.ts'

type Options = LiquidContext['opts']
type Limits = NonNullable<ConstructorParameters<typeof LiquidContext>[3]>
type Limiter = NonNullable<Limits['memoryLimit']>

/** What reading a property takes, and what it takes where that is missing: an error is made, also when it is caught. */
const ofRead = 50
const ofMissing = 1_300

/** Liquid tells these of what it makes; of time it only asks. */
function limiterOf(meter: Meter): Limiter {
  const limiter = { use: (count: number) => void (count > 0 && meter.charge(count)), check: () => undefined }
  return limiter as unknown as Limiter
}

/** The values that a template names, each reading of them paid for. */
export class MeteredContext extends LiquidContext {
  readonly meter: Meter

  constructor(values: object, options: Options, settings: ConstructorParameters<typeof LiquidContext>[2], liquid: unknown, meter: Meter) {
    const limiter = limiterOf(meter)
    super(values, options, settings, { memoryLimit: limiter, renderLimit: limiter, liquid })
    this.meter = meter
  }

  override readProperty(...[values, key]: Parameters<LiquidContext['readProperty']>): unknown {
    this.meter.charge(ofRead)
    if (key === 'size' && typeof values === 'object' && values !== null && !Array.isArray(values))
      this.meter.charge(ofKeys(Object.keys(values).length))
    const value: unknown = super.readProperty(values, key)
    if (value === undefined && this.strictVariables) this.meter.charge(ofMissing)
    return value
  }

  /** For a filter that reads each item as a context of its own. */
  override spawn(item: object = {}): LiquidContext {
    const { sync, globals, strictVariables, ownPropertyOnly } = this
    return new MeteredContext(item, this.opts, { sync, globals, strictVariables, ownPropertyOnly }, this.liquid, this.meter)
  }
}

/** Who pays for what is done in a context. All contexts of templates are metered. */
export function meterOf(context: LiquidContext): Meter {
  return (context as MeteredContext).meter
}
