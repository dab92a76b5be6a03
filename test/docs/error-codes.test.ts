import 'should'
import { errorCodes } from '../../lib'
import { isDefinitiveStatus } from '../../lib/client/error-answer'
import { documents } from './documents'

const textOf = (name: string) => documents.find(({ path }) => path === name)?.text ?? ''

/** The rows of the table below that heading, as cells. */
function rowsBelow(name: string, heading: string): string[][] {
  const [, after = ''] = textOf(name).split(`\n| ${heading} |`)
  const [table = ''] = after.split('\n\n')
  return table
    .split('\n')
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '))
}

describe('the table of error codes', () => {
  for (const [name, heading] of [
    ['docs/failures.md', 'Code | What happened'],
    ['docs/client.md', 'Code | Meaning'],
  ] as const)
    it(`in ${name} has a row for each, and no others`, () => {
      const codes = rowsBelow(name, heading).map(([code = '']) => code.replaceAll('`', ''))
      codes.toSorted().should.deepEqual(Object.keys(errorCodes).toSorted())
    })

  it('in docs/client.md agrees with the code', () => {
    const rows = rowsBelow('docs/client.md', 'Code | Meaning')
    rows.should.deepEqual(Object.entries(errorCodes).map(([code, meaning]) => [`\`${code}\``, meaning]))
  })
})

describe('the table of answers to a write in docs/failures.md', () => {
  const bodies: Record<string, unknown> = {
    'with a `return_code`': { return_code: { value: -8, message: 'starting' } },
    'without a `return_code`': { message: 'bad gateway' },
    'with a JSON object': { message: 'failed' },
    'with a page': '<html></html>',
  }
  const rows = rowsBelow('docs/failures.md', 'Answer to a write or a service').filter(([answer = '']) =>
    /^[3-5]\d\d/.test(answer),
  )

  it('says for each status from 300 what the client does', () => {
    rows.length.should.be.above(8)
    for (const [answer = '', ending = ''] of rows) {
      const body = bodies[Object.keys(bodies).find((words) => answer.includes(words)) ?? '']
      for (const [status] of answer.matchAll(/\b\d\d\d\b/g))
        isDefinitiveStatus(Number(status), body).should.equal(!ending.includes('OUTCOME_UNKNOWN'), answer)
    }
  })
})
