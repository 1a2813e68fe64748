import type { Handler } from '@tocsin/plugin'

export default (async () => ({})) satisfies Handler
