import type { Json } from '../../../domain/index.ts'
import { messageOf } from '../../../errors/index.ts'
import { parseDuration } from '../../../formats/index.ts'
import { type Bundle, compileForeignSchema } from '../../../plugin/index.ts'
import type { DocumentPath } from '../../../yaml/index.ts'
import type { ScriptStepDocument } from '../../grammar/index.ts'
import { mostScripts, scriptLength } from '../../limits.ts'
import type { ScriptStep } from '../../plan.ts'
import type { CompilerCode } from '../codes/index.ts'
import type { Compilation } from '../compilation.ts'
import type { StepAt } from './step-at.ts'

const defaultTimeout = '5s'
/** Takes the place of a script that cannot run. The playbook is refused anyway. */
const noBundle: Bundle = { digest: '' as Bundle['digest'], text: '' }
const codes = { invalid: 'script_invalid', import: 'script_import', no_default: 'script_default_missing' } as const satisfies Record<
  string,
  CompilerCode
>

/** Compiles a step that runs code: bundles it, and compiles the schema of its result. */
export function compileScript(compilation: Compilation, { step, path, scope, base }: StepAt<ScriptStepDocument>): ScriptStep {
  return {
    ...base,
    kind: 'script',
    bundle: bundleOf(compilation, step.script, [...path, 'script']),
    with: compilation.value(step.with ?? {}, [...path, 'with'], scope),
    output: step.output ?? null,
    timeout: parseDuration(step.timeout ?? defaultTimeout),
    checkOutput: checkOf(compilation, step.output, [...path, 'output']),
  }
}

/** Bundles a script. If it cannot run, reports its faults at their places in the script. */
function bundleOf(compilation: Compilation, source: string, path: DocumentPath): Bundle {
  compilation.scripts += 1
  if (compilation.scripts > mostScripts) {
    if (compilation.scripts === mostScripts + 1) compilation.fault('playbook_too_large', path, `a playbook has at most ${mostScripts} scripts`)
    return noBundle
  }
  if (source.length > scriptLength) {
    compilation.fault('playbook_too_large', path, `this script has ${source.length} characters; ${scriptLength} are allowed`)
    return noBundle
  }
  if (/^\S+\.[cm]?[jt]s$/.test(source)) {
    compilation.fault('script_invalid', path, 'write the code of the module here, not the name of its file')
    return noBundle
  }
  const bundled = compilation.lookup.script(source)
  if ('bundle' in bundled) return bundled.bundle
  for (const { kind, message, offset } of bundled.faults) compilation.faultInside(codes[kind], path, offset, message)
  return noBundle
}

function checkOf(compilation: Compilation, schema: { readonly [key: string]: Json } | undefined, path: DocumentPath): ScriptStep['checkOutput'] {
  if (schema === undefined) return () => null
  try {
    const firstFault = compileForeignSchema(schema)
    return (value) => firstFault(value)?.message ?? null
  } catch (error) {
    compilation.fault('script_output_invalid', path, `this is not a valid JSON Schema: ${messageOf(error)}`)
    return () => null
  }
}
