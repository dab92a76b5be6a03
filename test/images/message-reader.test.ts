import 'should'
import { MessageMemory, MessageReader } from '../../lib/images/message-reader'
import { framed } from './raw-server'
import { pixels } from './messages'

/** Counts what is taken. */
class CountedMemory extends MessageMemory {
  taken = 0

  override take(bytes: number): Buffer {
    this.taken++
    return super.take(bytes)
  }
}

const limit = 64 * 1024 * 1024
const long = 5 * 1024 * 1024
/** What is read from a connection at once. */
const readBytes = 256 * 1024

describe('the messages of an image stream', () => {
  const reading = () => {
    const memory = new CountedMemory()
    const messages: Buffer[] = []
    const reader = new MessageReader(limit, memory, (message) => messages.push(message))
    return { memory, messages, reader }
  }

  it('are put together, short or long, however they are cut', () => {
    const sizes = [0, 1, 300_000, long, 0, 4 * 1024 * 1024, 4 * 1024 * 1024 - 1, long + 1]
    const sent = sizes.map((size, index) => pixels(size, index))
    const all = Buffer.concat(sent.map((message) => framed(message)))
    for (const step of [readBytes, 272 * 1024, 272 * 1024 + 5, 999_983, all.length]) {
      const { messages, reader } = reading()
      for (let at = 0; at < all.length; at += step) {
        // Other bytes around it, which are not to be taken.
        const piece = Buffer.concat([
          Buffer.alloc(3, 0xee),
          all.subarray(at, at + step),
          Buffer.alloc(3, 0xee),
        ])
        reader.take(piece, 3, piece.length - 3)
        piece.fill(0xdd)
      }
      messages.length.should.equal(sent.length)
      for (const [index, message] of messages.entries())
        message.equals(sent[index] ?? Buffer.alloc(1)).should.be.true()
      reader.isWithin.should.be.false()
    }
  })

  it('take memory for a long one only after the consumer has got the one before', () => {
    const { memory, messages, reader } = reading()
    const bytes = Buffer.concat([framed(pixels(long, 1)), framed(pixels(long, 2))])
    const first = framed(pixels(long, 1)).length
    // With the end of the first, as much of the second as can be read with it.
    reader.take(bytes, 0, first - 1)
    reader.take(bytes, first - 1, first - 1 + readBytes)
    messages.length.should.equal(1)
    memory.taken.should.equal(1)
    reader.take(bytes, first - 1 + readBytes, first - 1 + 2 * readBytes)
    memory.taken.should.equal(2)
    reader.take(bytes, first - 1 + 2 * readBytes, bytes.length)
    messages.length.should.equal(2)
    memory.taken.should.equal(2)
  })
})
