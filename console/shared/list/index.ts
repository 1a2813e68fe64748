/** A list of any length with columns that people choose: `DataList`, what loads its rows, and what keeps it fresh. */
export type { Column } from './column.ts'
export { ColumnChooser } from './column-chooser.tsx'
export { DataList } from './data-list.tsx'
export { NewRows } from './new-rows.tsx'
export { useBackToList } from './place.ts'
export { useLongList } from './use-long-list.ts'
