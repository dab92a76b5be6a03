import { mostMemory } from '../codec/json'
import { inSlices } from '../kernel/timers'
import type { HttpAnswer } from './attempt'
import { bodySteps } from './read-body'

/**
 * Memory, in bytes, that the long answers of all clients together may take while they are decoded: the largest one and a
 * shorter one beside it. More at a time would not end earlier, and a gateway computer with 512 MB has a heap of 256 MB.
 */
const allTogether = 48 * 1024 * 1024

interface WaitingAnswer {
  memory: number
  isOver: () => boolean
  begin: () => void
  giveUp: () => void
}

let taken = 0
/** Shortest first, so that a device with huge answers does not hold up the others. */
const waiting: WaitingAnswer[] = []

/**
 * Decodes a long answer in slices, as soon as there is memory for it.
 * @param isOver whether nobody waits for it any more @throws AbortError in that case, and what decoding throws
 */
export async function readLongAnswer(answer: HttpAnswer, isOver: () => boolean): Promise<unknown> {
  const memory = mostMemory(answer.body.length)
  await new Promise<void>((begin, reject) => {
    const longer = waiting.findIndex((other) => other.memory > memory)
    const giveUp = () => reject(new DOMException('Nobody waits for the answer any more.', 'AbortError'))
    waiting.splice(longer < 0 ? waiting.length : longer, 0, { memory, isOver, begin, giveUp })
    beginNext()
  })
  try {
    return await inSlices(bodySteps(answer), isOver)
  } finally {
    taken -= memory
    beginNext()
  }
}

function beginNext() {
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (next.isOver()) next.giveUp()
    else if (taken + next.memory > allTogether) return
    else {
      taken += next.memory
      next.begin()
    }
    waiting.shift()
  }
}
