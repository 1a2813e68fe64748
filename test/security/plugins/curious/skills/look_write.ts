import { lookWith } from '../lib/look.ts'

export default lookWith(false)
