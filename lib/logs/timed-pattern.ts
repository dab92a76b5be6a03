import { createContext, Script } from 'node:vm'

/**
 * Milliseconds for one text, and for all texts of one call; even a busy computer reaches neither with ordinary
 * patterns.
 */
const longest = { text: 100, call: 500 }

/** Continues where it was interrupted: each text is tested once. */
const script = new Script(
  'for (; work.next < work.texts.length; work.next++) work.fits[work.next] = work.pattern.test(work.texts[work.next])',
)

/**
 * Tests texts against a user's regular expression. One that takes too long for some text (as `(a+)+$` does) is
 * interrupted and not used again: from that text on, everything matches.
 * @param tooSlow called when that happens
 */
export function timedPattern(pattern: RegExp, tooSlow: () => void): (texts: readonly string[]) => boolean[] {
  const work = { pattern, texts: [] as readonly string[], fits: [] as boolean[], next: 0 }
  const context = createContext({ work })
  let isOff = false

  return (texts) => {
    if (isOff || texts.length === 0) return texts.map(() => true)
    Object.assign(work, { texts, fits: [], next: 0 })
    const end = performance.now() + longest.call
    for (let tried = -1; work.next < texts.length;) {
      try {
        script.runInContext(context, { timeout: longest.text })
      } catch {
        // Tries again, with the whole time for this text alone.
        if (tried < work.next && performance.now() < end) tried = work.next
        else {
          isOff = true
          tooSlow()
          break
        }
      }
    }
    return texts.map((_, index) => work.fits[index] ?? true)
  }
}
