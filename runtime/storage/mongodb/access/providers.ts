import { foldCode, type Provider } from '../../../domain/index.ts'
import type { ProviderStore } from '../../port/index.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'
import { pageOf } from '../database/index.ts'
import type { ProviderDocument } from './provider-documents.ts'

function toProvider({ _id: _, ...provider }: ProviderDocument): Provider {
  return provider
}

/** Providers belong to the platform, so scopes do not matter here. */
export function providerStore({ providers }: Collections): ProviderStore {
  return {
    async create(_scope, provider) {
      try {
        await providers.insertOne({ _id: foldCode(provider.code), ...provider })
        return 'created'
      } catch (error) {
        if (isDuplicate(error)) return 'exists'
        throw error
      }
    },
    async byCode(_scope, codes) {
      return (await providers.find({ _id: { $in: codes.map(foldCode) } }).toArray()).map(toProvider)
    },
    async list(_scope, { after, limit }) {
      const found = await providers
        .find(after === null ? {} : { _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit + 1)
        .toArray()
      return pageOf(found.map(toProvider), limit)
    },
  }
}
