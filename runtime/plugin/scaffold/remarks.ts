import type { SkillDocument } from '../grammar/index.ts'
import type { JsonObject } from './document.ts'
import { objectAt } from './document.ts'
import type { ListSigns } from './paging.ts'

/** A comment in a file, before the key at this path. */
export interface Remark {
  readonly before: readonly string[]
  readonly text: string
}

/** Returns what the author of a skill must still say, or check, because the document does not say it. */
export function remarksOf(skill: SkillDocument, listing: ListSigns | null): readonly Remark[] {
  return [...ofPages(listing), ...ofWrite(skill), ...ofInputs(skill)]
}

function ofPages(listing: ListSigns | null): readonly Remark[] {
  if (listing === null) return []
  if (listing.paging !== null)
    return [{ before: ['request', 'paginate'], text: 'Taken from the names in the document. Check that all pages arrive, each item once.' }]
  return [
    {
      before: ['request'],
      text: 'A list, and the document does not say clearly how it goes on. If it has more pages, add `paginate`: without it, only the first page is read.',
    },
  ]
}

function ofWrite(skill: SkillDocument): readonly Remark[] {
  if (skill.impact === 'read') return []
  const settled =
    'A write whose answer is lost goes to people. Correct `idempotent`, or add `verify`, if it need not. Add `inverse` if another write takes it back.'
  const impact = 'If this changes nothing, as a search does, it is a `read`. If little harm can come of it, it is a `write`.'
  const target =
    "Add `target`: what a call acts on, such as '{{ input.user_id }}'. Policies protect targets, and people see them when they are asked."
  return [
    { before: ['impact'], text: impact },
    { before: ['idempotent'], text: settled },
    ...(skill.target === undefined ? [{ before: ['input'], text: target }] : []),
  ]
}

/** What generated playbooks could give an input, by its format and by its name. */
const byFormat: Readonly<Record<string, string>> = { email: 'email_address', ipv4: 'ip_address', ipv6: 'ip_address' }
const byName: Readonly<Record<string, string>> = {
  email: 'email_address',
  email_address: 'email_address',
  ip: 'ip_address',
  ip_address: 'ip_address',
  username: 'user_name',
  user_name: 'user_name',
  domain: 'domain',
  url: 'url',
  md5: 'file_hash',
  sha1: 'file_hash',
  sha256: 'file_hash',
  file_hash: 'file_hash',
}

/** Only proposed: with a semantic, generated playbooks call the skill without being asked. Its author must know that it only reads. */
function ofInputs({ impact, input }: SkillDocument): readonly Remark[] {
  if (impact !== 'read') return []
  return Object.entries(objectAt(input as JsonObject, 'properties')).flatMap(([name, schema]) => {
    const { format, type } = schema as JsonObject
    const semantic = byFormat[String(format)] ?? (type === 'string' || type === undefined ? byName[name] : undefined)
    if (semantic === undefined) return []
    const text = `If alerts have such values, add \`x-semantic: ${semantic}\`: generated playbooks then call the skill with them.`
    return [{ before: ['input', 'properties', name], text }]
  })
}
