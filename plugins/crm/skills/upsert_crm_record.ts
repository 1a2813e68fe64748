import type { CallError, Handler, Json } from '@tocsin/plugin'

interface Input {
  readonly object: string
  readonly external_id_field: string
  readonly external_id: string
  readonly fields: Readonly<Record<string, Json>>
  readonly update_only: boolean
}

/**
 * 200 and 201 have a body. 204 has none and means that a record was changed. Before API version 46.0 the body
 * does not say whether a record was created or changed, but the status does.
 */
export default (async ({ input, http, path, fail }) => {
  const to = path`/sobjects/${input.object}/${input.external_id_field}/${input.external_id}`
  try {
    const { status, body } = await http.patch<{ readonly id?: string; readonly created?: boolean } | '' | null>(to, input.fields, {
      ...(input.update_only && { query: { updateOnly: true } }),
    })
    const answer = typeof body === 'object' && body !== null ? body : {}
    return { record_id: answer.id ?? null, created: answer.created ?? status === 201 }
  } catch (error) {
    const { code, body } = error as Partial<CallError>
    if (code !== 'external_id_ambiguous') throw error
    fail('external_id_ambiguous', Array.isArray(body) ? `The records are ${body.join(', ')}.` : '')
  }
}) satisfies Handler<Input>
