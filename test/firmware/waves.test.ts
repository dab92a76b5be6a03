import should from 'should'
import { firmware } from '../../lib'

/** Works on items whose names determine their outcome, and records which were worked on together. */
function team() {
  const working = new Set<string>()
  const together: string[][] = []
  return {
    together,
    work: async (item: string) => {
      working.add(item)
      await new Promise((resolve) => setImmediate(resolve))
      together.push([...working].sort())
      await new Promise((resolve) => setImmediate(resolve))
      working.delete(item)
      if (item.startsWith('error')) throw new Error(item)
      return item
    },
  }
}
const items = ['a', 'b', 'c', 'd', 'e']
const succeeded = (result: string) => !result.startsWith('bad')

describe('several devices in waves', () => {
  it('update as many at once as configured, and each wave waits for the previous one', async () => {
    const { together, work } = team()
    const results = await firmware.inWaves({ items, atOnce: 2, work })
    results
      .map(({ item, wave, state }) => [item, wave, state])
      .should.eql([
        ['a', 1, 'done'],
        ['b', 1, 'done'],
        ['c', 2, 'done'],
        ['d', 2, 'done'],
        ['e', 3, 'done'],
      ])
    together.should.eql([['a', 'b'], ['a', 'b'], ['c', 'd'], ['c', 'd'], ['e']])
  })

  it('update one after the other by default', async () => {
    const { together, work } = team()
    await firmware.inWaves({ items, work })
    together.should.eql(items.map((item) => [item]))
  })

  it('stop at the configured number of failures; the rest is skipped', async () => {
    const failing = ['bad 1', 'a', 'error 2', 'b', 'c']
    const { work } = team()
    const results = await firmware.inWaves({ items: failing, stopAfter: 2, work, succeeded })
    results
      .map(({ state, ok }) => [state, ok])
      .should.eql([
        ['done', false],
        ['done', true],
        ['failed', false],
        ['skipped', false],
        ['skipped', false],
      ])
    const bold = await firmware.inWaves({ items: failing, stopAfter: 3, work, succeeded })
    bold.filter(({ state }) => state === 'skipped').should.be.empty()
  })

  it('ask for approval between waves, with the results so far', async () => {
    const { work } = team()
    const asked: [number, readonly string[], number][] = []
    const results = await firmware.inWaves({
      items,
      atOnce: 2,
      work,
      approve: ({ wave, items: next, results: sofar }) => {
        asked.push([wave, next, sofar.length])
        return Promise.resolve(wave < 3)
      },
    })
    asked.should.eql([
      [2, ['c', 'd'], 2],
      [3, ['e'], 4],
    ])
    should(results.at(-1)).containDeep({ item: 'e', state: 'skipped' })
  })
})
