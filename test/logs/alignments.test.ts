import 'should'
import { alignments } from '../../lib/logs/read-new'
import { seededRandom } from '../../virtual-device/values'

/** The same, straight from the definition. */
const slow = (tail: readonly number[], shown: readonly number[]) =>
  Array.from({ length: shown.length }, (_, index) => shown.length - index).filter((known) => {
    const overlap = Math.min(known, tail.length)
    const end = shown.slice(known - overlap, known)
    return tail.length > 0 && tail.slice(-overlap).every((mark, index) => mark === end[index])
  })

describe('possible positions of known entries in what a device shows', () => {
  it('match the definition, even if entries repeat', () => {
    const random = seededRandom(1)
    const some = (most: number, kinds: number) =>
      Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * kinds))
    for (let round = 0; round < 3000; round++) {
      const kinds = 1 + Math.floor(random() * 3)
      const tail = some(12, kinds)
      const shown =
        random() < 0.5 ? some(12, kinds) : [...tail.slice(Math.floor(random() * 6)), ...some(6, kinds)]
      alignments(tail, shown).should.eql(slow(tail, shown))
    }
  })

  it('are found in time proportional to the entries, even if all of them are equal', () => {
    const equal = Array<number>(200_000).fill(7)
    // With quadratic cost, this would take minutes.
    alignments(equal, equal).length.should.equal(200_000)
  })
})
