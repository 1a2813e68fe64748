/** A small fact about the installation. */
export interface SettingDocument {
  readonly _id: string
  readonly value: string
}
