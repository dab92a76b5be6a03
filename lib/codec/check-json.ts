import { cost, mostMemory } from './memory-cost'
import { deepest, tooDeep } from './nesting'

/**
 * Looks over a JSON text before it is parsed, which cannot be interrupted: what is nested too deep, or would take many
 * times the memory of its text, is refused. One pass over the bytes, which makes nothing.
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
