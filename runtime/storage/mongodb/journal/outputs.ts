import { Binary } from 'mongodb'
import type { RunId } from '../../../domain/index.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import type { OutputPartDocument } from './output-documents.ts'

/** Half of the largest document, in bytes. */
const partSize = 8 * 1024 * 1024

/**
 * Stores outputs that are too large for the journal. The parts of a very large one are written first, with an
 * id of this attempt alone, and then the document that names them. So parts of two attempts are never mixed,
 * and every output that is found is complete.
 */
export function outputStore({ outputs, outputParts }: Collections, newId: () => string) {
  return {
    async put(run: RunId, name: string, json: string): Promise<void> {
      const bytes = Buffer.from(json)
      const whole = bytes.length <= partSize
      const parts = { of: newId(), count: whole ? 0 : Math.ceil(bytes.length / partSize) }
      for (let part = 0; part < parts.count; part++) {
        const slice = bytes.subarray(part * partSize, (part + 1) * partSize)
        await outputParts.insertOne({ _id: { of: parts.of, part }, bytes: new Binary(slice) })
      }
      try {
        await outputs.insertOne({ _id: { run, name }, ...(whole ? { json } : { parts }) })
      } catch (error) {
        if (!isDuplicate(error)) throw error
        if (!whole) await outputParts.deleteMany({ _id: { $in: partIds(parts) } })
      }
    },
    async get(run: RunId, name: string): Promise<string | null> {
      const found = await outputs.findOne({ _id: { run, name } })
      if (!found) return null
      if (!found.parts) return found.json ?? null
      const parts = await outputParts
        .find({ _id: { $in: partIds(found.parts) } })
        .sort({ _id: 1 })
        .toArray()
      return Buffer.concat(parts.map(({ bytes }) => bytes.value())).toString()
    },
  }
}

function partIds({ of, count }: { readonly of: string; readonly count: number }): OutputPartDocument['_id'][] {
  return Array.from({ length: count }, (_, part) => ({ of, part }))
}
