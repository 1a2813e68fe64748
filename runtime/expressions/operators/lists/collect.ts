import type { Json } from '../../../domain/index.ts'
import type { Compile } from '../part.ts'
import { compileLoop } from './loop.ts'

/** Compiles a loop that makes a list. */
export function compileCollection(name: string, take: (items: Json[], value: Json, item: Json) => void): Compile {
  return compileLoop(name, () => {
    const items: Json[] = []
    return {
      take: (value, item) => {
        take(items, value, item)
        return true
      },
      result: () => items,
    }
  })
}
