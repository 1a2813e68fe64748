/** A setting that the store itself keeps. */
export interface SettingDocument {
  readonly _id: string
  readonly value: string
}
