/** The value of a field. */
export type Value = string | number | boolean | null

/** A record: its values by the names of its fields. */
export type Row = Readonly<Record<string, Value>>
