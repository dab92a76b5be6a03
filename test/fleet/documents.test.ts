import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'mqtt'
import should from 'should'
import { agentCodes } from '../../lib/fleet/agent/agent'
import {
  Ack,
  Answer,
  CellState,
  cellTopics,
  Command,
  commandKinds,
  FleetEvent,
  readMessage,
} from '../../lib/fleet/messages'
import { RolloutOrder } from '../../lib/fleet/centre'
import { eventually } from '../support/eventually'
import { newBroker, type TestBroker } from '../support/mosquitto'
import { root } from '../support/root'

const guide = readFileSync(join(root, 'docs', 'fleet.md'), 'utf8')
const blocks = (language: string) =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, 'gm'))].map(([, text = '']) => text)

describe('the guide to many cells', () => {
  it('shows messages that the readers take', () => {
    // The centre's part begins with an order.
    const schemas = [RolloutOrder, CellState, Command, Answer, Ack, FleetEvent]
    const shown = blocks('json')
    should(shown).have.length(schemas.length)
    for (const [index, schema] of schemas.entries())
      should(readMessage(schema, shown[index])).deepEqual({
        value: JSON.parse(shown[index] ?? '') as unknown,
      })
  })

  it('names every field, topic, kind and code', () => {
    const fields = [CellState, Command, Answer, Ack, FleetEvent].flatMap(({ properties }) =>
      Object.keys(properties),
    )
    const ordered = Object.keys(RolloutOrder.properties).filter((field) => field !== 'name')
    const wanted = [
      ...ordered.map((field) => `\`${field}\``),
      ...cellTopics.map((topic) => `{cell}/${topic}\``),
      ...commandKinds.map((kind) => `| \`${kind}\` |`),
      ...Object.keys(agentCodes).map((code) => `\`${code}\``),
    ]
    should(wanted.filter((text) => !guide.includes(text))).deepEqual([])
    should(
      fields.filter((field) => !guide.includes(`"${field}"`) && !guide.includes(`\`${field}\``)),
    ).deepEqual([])
  })

  describe('and its access list, in Mosquitto', () => {
    let broker: TestBroker
    const folder = mkdtempSync(join(tmpdir(), 'cellsight-acl-'))
    before(async () => {
      const [, acl = ''] = /^```\n(user [^]*?)^```/m.exec(guide) ?? []
      writeFileSync(join(folder, 'acl'), acl, { mode: 0o600 })
      for (const [index, user] of ['north-cell-1', 'hq'].entries())
        spawnSync('mosquitto_passwd', [
          '-b',
          ...(index === 0 ? ['-c'] : []),
          join(folder, 'users'),
          user,
          'pw',
        ])
      broker = await newBroker(
        `allow_anonymous false\npassword_file ${join(folder, 'users')}\nacl_file ${join(folder, 'acl')}\n`,
      )
      await broker.start()
    })
    after(async () => {
      await broker.stop()
      rmSync(folder, { recursive: true, force: true })
    })
    const opened = (username: string) =>
      connect({
        ...{ host: '127.0.0.1', port: broker.port, protocolVersion: 5, username, password: 'pw' },
        ...{ reconnectPeriod: 0 },
      })
    /** The reason code of a publication: 0 or 16 (nobody listens) if it was taken. */
    const publishes = (username: string, topic: string) =>
      new Promise<number>((resolve) => {
        const client = opened(username)
        client.on('connect', () =>
          client.publish(topic, '{}', { qos: 1 }, (error, packet) => {
            client.end(true)
            const { reasonCode = 0 } = (packet ?? {}) as { reasonCode?: number }
            resolve((error as { code?: number } | undefined)?.code ?? reasonCode)
          }),
        )
      })

    it('lets a cell tell of itself, and neither command nor speak for another', async () => {
      for (const last of ['state', 'answer', 'event', 'here', 'gone'])
        should(await publishes('north-cell-1', `vision/north/cell-1/${last}`)).be.below(128)
      should(await publishes('north-cell-1', 'vision/centre/hq/answer')).be.below(128)
      for (const topic of ['vision/north/cell-2/state', 'vision/north/cell-1/command', 'vision/centre'])
        should(await publishes('north-cell-1', topic)).equal(135)
    })

    it('lets the centre command, and hear what cells tell', async () => {
      for (const topic of ['vision/north/cell-1/command', 'vision/north/cell-1/ack', 'vision/centre'])
        should(await publishes('hq', topic)).be.below(128)
      should(await publishes('hq', 'vision/north/cell-1/state')).equal(135)
      const centre = opened('hq')
      const heard: string[] = []
      try {
        centre.on('message', (topic) => heard.push(topic))
        await centre.subscribeAsync('vision/+/+/event', { qos: 1 })
        await publishes('north-cell-1', 'vision/north/cell-1/event')
        await eventually(() => should(heard).deepEqual(['vision/north/cell-1/event']))
      } finally {
        await centre.endAsync(true)
      }
    })
  })
})
