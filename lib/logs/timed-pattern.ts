import { createContext, Script } from 'node:vm'

/** Milliseconds for the texts of one call together. */
const longest = 100

/** Goes on where it was interrupted: each text is tested once. */
const script = new Script(
  'for (; work.next < work.texts.length; work.next++) work.fits[work.next] = work.pattern.test(work.texts[work.next])',
)

/**
 * Tests texts against a regular expression that somebody wrote. One that takes too long for some text (as
 * `(a+)+$` does) is interrupted and not used again: from that text on, everything fits.
 * @param tooSlow told when that happens
 */
export function timedPattern(pattern: RegExp, tooSlow: () => void): (texts: readonly string[]) => boolean[] {
  const work = { pattern, texts: [] as readonly string[], fits: [] as boolean[], next: 0 }
  const context = createContext({ work })
  let isOff = false

  return (texts) => {
    if (isOff || texts.length === 0) return texts.map(() => true)
    Object.assign(work, { texts, fits: [], next: 0 })
    try {
      script.runInContext(context, { timeout: longest })
    } catch {
      isOff = true
      tooSlow()
    }
    return texts.map((_, index) => work.fits[index] ?? true)
  }
}
