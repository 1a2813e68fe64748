import type { SettingStore } from '../port.ts'
import type { Collections } from './collections.ts'
import { isDuplicate } from './faults.ts'

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
  }
}
