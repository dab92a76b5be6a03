import { writeDurably } from '../../lib/files/write-durably'

/** A program that replaces a file again and again, and tells each time. */
const [file = ''] = process.argv.slice(2)

async function run() {
  for (let round = 0; ; round++) {
    await writeDurably(file, JSON.stringify({ round, padding: 'x'.repeat(50_000) }))
    process.send?.(round)
  }
}
void run()
