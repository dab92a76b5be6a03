import { once } from 'node:events'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import should from 'should'
import { slowLink, type SlowLink } from '../support/slow-link'

const script = join(__dirname, 'over-slow-link.js')

describe('a host name with several addresses over a link of 150 ms one way', function () {
  this.timeout(120_000)
  let link: SlowLink | undefined
  const children: ChildProcess[] = []
  before(async function () {
    link = await slowLink(0.15)
    if (!link) this.skip()
  })
  after(async () => {
    for (const child of children) child.kill()
    await link?.remove()
  })

  const said = async (end: 'near' | 'far', given: readonly string[]) => {
    const child = (link as SlowLink).run(end, script, [end, ...given])
    children.push(child)
    const [message] = (await once(child, 'message')) as [Record<string, unknown>]
    return message
  }

  it('is reached by HTTP, for images, PLC and robot, whichever address answers; Node.js itself does not reach it', async () => {
    const { answering, silent } = link as SlowLink
    const { http, picture, rtde } = await said('far', [answering])
    const ports = [http, picture, rtde].map(String)
    const all = { http: 'connected', images: 'connected', plc: 'connected', robot: 'connected' }
    const { node, ...outcomes } = await said('near', [answering, silent, ...ports])
    should(outcomes).eql(all)
    // It gives each address but the last 250 ms.
    should(node).not.equal('connected')
    should(await said('near', [silent, answering, ...ports])).containEql(all)
  })
})
