import { CaseTag, evalToken, ForTag, IfTag, isTruthy, type Context as LiquidContext, toValue, UnlessTag } from 'liquidjs'
import { ofItems, ofKeys } from '../cost.ts'
import { WorkExceeded } from '../work.ts'
import { meterOf } from './context.ts'
import { operators } from './operators.ts'
import type { Emitter } from './render.ts'

/** Work units for a branch, in addition to its condition. */
const ofBranch = 60

type Rendering = Generator<unknown, void, never>

/** `if` that charges for each branch. A missing value is false. */
export class MeteredIf extends IfTag {
  override *render(context: LiquidContext, emitter: Emitter): Rendering {
    for (const { value, templates } of this.branches) {
      meterOf(context).charge(ofBranch)
      if (!isTruthy(toValue(yield value.value(context, true)), context)) continue
      yield this.liquid.renderer.renderTemplates(templates, context, emitter)
      return
    }
    yield this.liquid.renderer.renderTemplates(this.elseTemplates ?? [], context, emitter)
  }
}

/** `unless` that charges for each branch that it tests. */
export class MeteredUnless extends UnlessTag {
  override *render(context: LiquidContext, emitter: Emitter): Rendering {
    for (const { value, test, templates } of this.branches) {
      meterOf(context).charge(ofBranch)
      if (!test(toValue(yield value.value(context, true)), context)) continue
      yield this.liquid.renderer.renderTemplates(templates, context, emitter)
      return
    }
    yield this.liquid.renderer.renderTemplates(this.elseTemplates, context, emitter)
  }
}

/** `case` that charges for each comparison. As in Liquid, several branches may be taken. */
export class MeteredCase extends CaseTag {
  override *render(context: LiquidContext, emitter: Emitter): Rendering {
    const equals = operators['=='] as (left: unknown, right: unknown, context: LiquidContext) => unknown
    const target: unknown = toValue(yield this.value.value(context, true))
    let taken = false
    for (const { values, templates } of this.branches) {
      for (const token of values) {
        meterOf(context).charge(ofBranch)
        const value: unknown = yield evalToken(token, context, true)
        if (!(yield equals(target, value, context))) continue
        yield this.liquid.renderer.renderTemplates(templates, context, emitter)
        taken = true
        break
      }
    }
    if (!taken) yield this.liquid.renderer.renderTemplates(this.elseTemplates, context, emitter)
  }
}

/** `for` that charges for the copy of its list. Each iteration charges when its parts are rendered. */
export class MeteredFor extends ForTag {
  override *render(context: LiquidContext, emitter: Emitter): ReturnType<ForTag['render']> {
    const list: unknown = toValue((yield evalToken(this.collection, context)) as unknown)
    const meter = meterOf(context)
    if (Array.isArray(list)) meter.charge(ofItems(list.length))
    else if (typeof list === 'object' && list !== null) meter.charge(2 * ofKeys(Object.keys(list).length))
    try {
      yield* super.render(context, emitter)
    } catch (error) {
      throw error instanceof WorkExceeded ? error.within('`for`') : error
    }
  }
}
