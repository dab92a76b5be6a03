import 'should'
import { documents } from './documents'

const text = documents.find(({ path }) => path === 'CHANGELOG.md')?.text ?? ''
const releases = text
  .split(/^(?=## )/m)
  .slice(1)
  .filter((release) => !release.startsWith('## Unreleased'))
const titleOf = (release: string) => release.split('\n')[0]

describe('the changelog', () => {
  it('begins each release with five lines', () => {
    releases.length.should.be.above(1)
    releases
      .filter((release) => {
        const [summary = ''] = release.split(/^### /m)
        const lines = summary.split('\n').slice(1).filter(Boolean)
        return lines.length !== 5 || lines.some((line, at) => !line.startsWith(`${at + 1}. `))
      })
      .map(titleOf)
      .should.deepEqual([])
  })

  it('is read in a minute: five lines have fewer than 150 words', () => {
    releases
      .filter((release) => (release.split(/^### /m)[0] ?? '').split(/\s+/).length >= 150)
      .map(titleOf)
      .should.deepEqual([])
  })

  it('has details by subject, each in a few lines', () => {
    const details = releases.flatMap((release) => release.split(/^### .*\n/m).slice(1))
    details.length.should.be.above(5)
    const entries = details.flatMap((part) => part.split(/^- /m).slice(1))
    entries.filter((entry) => entry.trim().split('\n').length > 3).should.deepEqual([])
  })
})
