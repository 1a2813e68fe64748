import type { SettingStore } from '../../port/index.ts'
import { isDuplicate } from '../client/index.ts'
import type { Collections } from '../database/index.ts'

/** The `SettingStore` of the port on MongoDB. */
export function settingStore({ settings }: Collections): SettingStore {
  return {
    async settle(_scope, name, value) {
      try {
        await settings.insertOne({ _id: name, value })
        return value
      } catch (error) {
        if (!isDuplicate(error)) throw error
        return (await settings.findOne({ _id: name }))?.value ?? value
      }
    },
    async replace(_scope, name, from, to) {
      const { matchedCount } = await settings.updateOne({ _id: name, value: from }, { $set: { value: to } })
      return matchedCount > 0
    },
  }
}
