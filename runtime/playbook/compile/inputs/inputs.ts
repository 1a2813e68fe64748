import type { Json } from '../../../domain/index.ts'
import { messageOf } from '../../../errors/index.ts'
import { compilePattern } from '../../../expressions/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { InputDocument, InputShape } from '../../grammar/index.ts'
import type { InputSource, PlanInput } from '../../plan.ts'
import { scalarAdvice } from '../advice/index.ts'
import type { Compilation } from '../compilation.ts'
import { shapeFaults } from './shape.ts'

/** @param sub whether the playbook is a sub-playbook, which gets its inputs from another playbook */
export function compileInput(compilation: Compilation, name: string, input: InputDocument, sub: boolean): PlanInput {
  const path = ['inputs', name]
  const { from = [], required = false, default: standard, unfit = 'error', description, ...shape } = input
  checkShape(compilation, shape, path)
  const check = (value: Json): readonly string[] => shapeFaults(value, shape)
  if (standard !== undefined) {
    for (const fault of check(standard)) {
      const at = [...path, 'default']
      const span = compilation.document.span(at)
      const advice = scalarAdvice(standard, fault, span === null ? '' : compilation.document.text.slice(span.start, span.end))
      compilation.fault('input_default_invalid', at, `${fault}${advice.told}`, 'value', advice.misspelt)
    }
    if (required) compilation.fault('input_required_invalid', [...path, 'required'], 'an input with a default is never missing; remove `required`')
  }
  const sources = from.map((source, index): InputSource => {
    if (typeof source === 'string') return { path: source.split('.').slice(1) }
    try {
      const pattern = compilePattern(source.pattern)
      return { find: (text, meter) => pattern.find(text, meter) }
    } catch (error) {
      compilation.fault('pattern_invalid', [...path, 'from', index, 'pattern'], `the pattern cannot be used: ${messageOf(error)}`)
      return { find: () => null }
    }
  })
  if (required && from.length === 0 && !sub)
    compilation.fault('input_required_invalid', [...path, 'required'], 'a required input needs `from`: nothing else can fill it')
  return {
    name,
    schema: { ...shape, ...(description !== undefined && { description }) } as unknown as Json,
    from: sources,
    required,
    default: standard,
    unfit,
    check,
  }
}

/** Reports keys that do not apply to the type. */
function checkShape(compilation: Compilation, shape: InputShape, path: DocumentPath): void {
  if (shape.format !== undefined && shape.type !== 'string')
    compilation.fault('input_shape_invalid', [...path, 'format'], '`format` is only for the type string', 'key')
  const { type } = shape
  for (const [index, value] of (type === undefined ? [] : (shape.enum ?? [])).entries()) {
    const [fault] = type === undefined ? [] : shapeFaults(value, { type })
    if (fault !== undefined)
      compilation.fault('input_shape_invalid', [...path, 'enum', index], `${JSON.stringify(value)} is never a value of this input, which ${fault}`)
  }
  if (shape.items === undefined) return
  if (shape.type !== 'array') compilation.fault('input_shape_invalid', [...path, 'items'], '`items` is only for the type array', 'key')
  checkShape(compilation, shape.items, [...path, 'items'])
}
