/** Alerts: numbering and storing them, their lists, which wait for a run, and which repeat an earlier one. */
export { alertTable } from './alerts.ts'
