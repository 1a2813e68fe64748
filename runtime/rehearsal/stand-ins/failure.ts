import type { Effect } from '../../domain/index.ts'
import { registry } from '../../errors/index.ts'
import type { CallFailure, Plugin, Skill } from '../../plugin/index.ts'

/** What a call did outside if it fails with this code. Any other code means that the call was refused. */
const effects: Readonly<Record<string, Effect>> = {
  network: 'not_sent',
  call_timeout: 'unknown',
  skill_output_invalid: 'done',
  answer_not_json: 'done',
}

interface Meaning {
  readonly cause: string
  readonly remedy: string | null
  readonly effect: Effect
}

function meaningOf(code: string, { manifest }: Plugin, { does }: Skill): Meaning {
  const row = manifest.errors.find((one) => one.code === code)
  if (row) return { ...row, effect: row.effect === 'none' ? 'refused' : 'unknown' }
  const own = does.kind === 'handler' ? does.plan.errors[code] : undefined
  if (own) return { ...own, effect: 'refused' }
  const entry = Object.hasOwn(registry, code) ? registry[code as keyof typeof registry] : null
  return { cause: entry?.cause ?? code, remedy: entry?.remedy ?? null, effect: effects[code] ?? 'refused' }
}

/** Returns the failure for a code, with the texts of the manifest, the skill or the error registry. */
export function failedCall(
  code: string,
  plugin: Plugin,
  skill: Skill,
  message: string | null,
): { readonly failure: CallFailure; readonly effect: Effect } {
  const { cause, remedy, effect } = meaningOf(code, plugin, skill)
  return { failure: { code, message: message ?? cause, remedy, retryAfter: null }, effect }
}
