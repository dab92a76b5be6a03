import 'should'
import { documents } from './documents'

const page = documents.find(({ path }) => path === 'docs/troubleshooting.md')?.text ?? ''
const entries = page.split(/^(?=<!-- message: )/m).slice(1)
const keyOf = (entry: string) => /^<!-- message: (\S+ \S+) -->/.exec(entry)?.[1] ?? entry

// That the headings are the present messages, test/docs/reference.test.ts checks.
describe('the page about troubleshooting', () => {
  it('has an entry for the messages that people meet first, each once', () => {
    entries.length.should.be.above(30)
    const keys = entries.map(keyOf)
    keys.filter((key, at) => keys.indexOf(key) !== at).should.deepEqual([])
  })

  it('has the message in both languages, its cause and what to do, for each entry', () => {
    entries
      .filter(
        (entry) =>
          !/^<!--.*-->\n### \S.*\n\nGerman: \*\S.*\*\n\n\*\*Cause\.\*\* \S.*\n\n\*\*What to do\.\*\* \S.*\n(\n|$)/.test(
            entry,
          ),
      )
      .map(keyOf)
      .should.deepEqual([])
  })

  it('has no heading that is not a message', () => {
    const headings = [...page.matchAll(/^### .*$/gm)].length
    headings.should.equal(entries.length)
  })
})

describe('the glossary', () => {
  const rows = (documents.find(({ path }) => path === 'docs/glossary.md')?.text ?? '')
    .split('\n')
    .filter((line) => /^\| (?!English|---|Outcome|Prereq|Duration|Audience)/.test(line))
    .map((line) => line.slice(2, -2).split(' | '))

  it('has each English term once, with a German one and one sentence', () => {
    rows.length.should.be.above(60)
    const terms = rows.map(([english = '']) => english)
    terms.filter((term, at) => terms.indexOf(term) !== at).should.deepEqual([])
    rows
      .filter(([, german = '', meaning = '']) => !german || !/^[A-Z][^.]*\.$/.test(meaning))
      .should.deepEqual([])
  })
})
