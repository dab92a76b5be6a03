import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeMessage } from 'node-red'
import should from 'should'
import { EdgeLink } from '../../../nodes/cell-agent/edge-link'
import { eventually } from '../../support/eventually'

/** What a *status* node tells when `mqtt out` is connected. */
const connected: NodeMessage & object = {
  status: { text: 'node-red:common.status.connected', source: { type: 'mqtt out' } },
}

const disconnected: NodeMessage & object = {
  status: { text: 'node-red:common.status.disconnected', source: { type: 'mqtt out' } },
}

describe('the connection of an edge node, asked for in messages to mqtt out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'edge-link-'))
  after(() => rmSync(folder, { recursive: true }))
  let sent: Record<string, unknown>[]
  let link: EdgeLink

  beforeEach(async () => {
    sent = []
    link = await EdgeLink.open({
      ...{ group: 'north', edge: 'cell-1' },
      file: { file: join(folder, 'sparkplug.json'), onDamage: (damage) => should.fail(damage, undefined) },
      send: (msg) => sent.push(msg),
      retry: { first: 40, longest: 10_000, random: () => 1 },
      reportError: (error) => {
        throw error
      },
    })
    link.edge.start()
  })
  afterEach(() => link.close(false))

  const asked = () => sent.map(({ action }) => action)
  /** The node answers the last message, as a *complete* node tells. */
  const completes = () => link.receive({ ...sent.at(-1) })

  it('is made when the old one has ended', async () => {
    should(asked()).eql(['disconnect'])
    completes()
    await eventually(() => should(asked()).eql(['disconnect', 'connect']))
  })

  it('is not asked for while the node has one that it made by itself, which it would not give up: that one ends first', async () => {
    completes()
    link.receive(connected)
    await eventually(() => should(asked()).eql(['disconnect', 'disconnect']))
    completes()
    await eventually(() => should(asked()).eql(['disconnect', 'disconnect', 'connect']))
  })

  it('is asked for ever more rarely while the broker closes each one at once, and at once after a deploy', async () => {
    const lose = () => link.receive(disconnected)
    const pauses: number[] = []
    for (let round = 0; round < 4; round++) {
      completes()
      const since = performance.now()
      const before = sent.length
      await eventually(() => should(sent.length).be.above(before))
      pauses.push(performance.now() - since)
      // The connection is made, and lost before it was of use.
      completes()
      link.receive(connected)
      lose()
    }
    pauses.slice(1).forEach((pause, index) => pause.should.be.aboveOrEqual(40 * 2 ** index - 1))
    link.deployed()
    completes()
    const since = performance.now()
    await eventually(() => should(asked().at(-1)).equal('connect'))
    should(performance.now() - since).be.below(300)
  })
})
