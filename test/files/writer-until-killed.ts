import { writeDurably } from '../../lib/files/write-durably'

/** A program that repeatedly replaces a file, and reports each time. */
const [file = ''] = process.argv.slice(2)

async function run() {
  for (let round = 0; ; round++) {
    await writeDurably(file, JSON.stringify({ round, padding: 'x'.repeat(50_000) }))
    process.send?.(round)
  }
}
void run()
