import { cost, mostMemory } from './memory-cost'
import { deepest, tooDeep } from './nesting'

/**
 * Checks a JSON text before it is parsed, because parsing cannot be interrupted: refuses a text that is nested too deep
 * or would take many times its size in memory. One pass over the bytes, without allocation.
 * @throws RangeError
 */
export function checkJson(text: Uint8Array): void {
  const limit = mostMemory(text.length)
  let depth = 0
  let memory = 0
  let isText = false
  for (let at = 0; at < text.length; at++) {
    const byte = text[at]
    if (isText) {
      if (byte === 0x5c /* \ */) at++
      else if (byte === 0x22 /* " */) isText = false
      continue
    }
    switch (byte) {
      case 0x22 /* " */:
        isText = true
        break
      case 0x5b /* [ */:
      case 0x7b /* { */:
        if (++depth > deepest) throw tooDeep()
        memory += cost.container
        break
      case 0x5d /* ] */:
      case 0x7d /* } */:
        depth--
        break
      case 0x2c /* , */:
        memory += cost.value
        break
      case 0x3a /* : */:
        memory += cost.field
        break
    }
    if (memory > limit) throw new RangeError(`The value would take more than ${limit} bytes of memory.`)
  }
}
