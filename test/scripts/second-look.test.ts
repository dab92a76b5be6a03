import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import should from 'should'
import { root } from '../support/root'

interface Looked {
  unstable: string[]
  faulty: string[]
}
type SecondLook = (
  failed: string[],
  runAlone: (group: string) => Promise<boolean>,
  wanted: boolean,
) => Promise<Looked>

describe('the second look at failed tests', () => {
  let secondLook: SecondLook
  const asked: string[] = []
  const passes = (group: string) => {
    asked.push(group)
    return Promise.resolve(group === 'racing')
  }

  before(async () => {
    const script = pathToFileURL(join(root, 'scripts', 'second-look.mjs')).href
    ;({ secondLook } = (await import(script)) as { secondLook: SecondLook })
  })
  beforeEach(() => {
    asked.length = 0
  })

  it('tells a race from a fault', async () => {
    const looked = await secondLook(['racing', 'wrong'], passes, true)
    looked.should.deepEqual({ unstable: ['racing'], faulty: ['wrong'] })
    asked.should.deepEqual(['racing', 'wrong'])
  })

  it('is not taken unless asked for', async () => {
    const looked = await secondLook(['racing', 'wrong'], passes, false)
    looked.should.deepEqual({ unstable: [], faulty: ['racing', 'wrong'] })
    should(asked).be.empty()
  })
})
