import { compileValue, type TextTemplate } from '../../expressions/index.ts'
import { parseDuration } from '../../formats/index.ts'
import type { ManifestDocument } from '../grammar/index.ts'
import { compileRequest } from '../request/request.ts'
import type { Detection } from '../types.ts'
import type { FaultPlaces } from './fault-places.ts'

/** Compiles the manifest's `detect`. Inconsistencies are added to `places`. */
export function compileDetections(
  { detect = {}, credentials }: ManifestDocument,
  plain: readonly string[],
  basePath: TextTemplate,
  places: FaultPlaces,
): readonly Detection[] {
  const wanted = new Set(basePath.reads.flatMap(([root, name]) => (root === 'detected' && name !== undefined ? [name] : [])))
  return Object.entries(detect).flatMap(([name, { pinned, request, select, keep }]): Detection[] => {
    const path = ['detect', name]
    const field = pinned?.credential
    if (field !== undefined && !plain.includes(field)) {
      const secret = credentials.some((one) => one.name === field)
      if (secret) places.add([...path, 'pinned', 'credential'], 'a secret must not be part of a path; name a plain field')
      else places.unknown([...path, 'pinned', 'credential'], 'credential field', field, plain)
    }
    const { auth, ...asked } = request
    const plan = compileRequest({ ...asked, base: 'none' }, {}, {}, (at, compile) => places.attempt([...path, 'request', ...at], compile))
    const reads = [...(plan?.path.reads ?? []), ...(plan?.query ?? []).flatMap(([, value]) => value.reads)]
    places.reads([...path, 'request'], reads, { credentials: plain })
    const chosen = places.attempt([...path, 'select'], () => compileValue(select))
    if (chosen) places.reads([...path, 'select'], chosen.reads, { body: null })
    if (!wanted.has(name)) places.add(path, `nothing uses \`detected.${name}\`; use it in \`request.base_path\` or remove it`, 'key')
    return plan && chosen ? [{ name, pinned: field ?? null, request: plan, auth: auth ?? null, select: chosen, keep: parseDuration(keep) }] : []
  })
}
