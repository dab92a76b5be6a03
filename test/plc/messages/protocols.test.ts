import fc from 'fast-check'
import should from 'should'
import { openMap } from '../../../lib/plc/data'
import { families, type FamilyId } from '../../../lib/plc/families'
import { messageForm, messageProtocols, presetLines, type MessageProtocolId } from '../../../lib/plc/messages'
import { rows } from '../../../lib/plc/rows'
import { cellOutputs } from '../support/cell-outputs'

const opened = (id: MessageProtocolId, family: FamilyId = 'sequence') => {
  const protocol = messageProtocols[id]
  const map = openMap({ by: protocol.by, lines: presetLines(families[family], protocol) })
  const form = messageForm(map, protocol.by)
  const wanted = [...form.plcKeys, ...form.cellKeys]
  return {
    form,
    map,
    read: (message: object) => protocol.read(message, wanted),
    says: (message: object) => {
      const values = protocol.read(message, wanted)?.values
      return form.inputs((key) => values?.get(key))
    },
    write: (isChanged: (key: string) => boolean = () => true) =>
      protocol.write(
        form.items(cellOutputs({ ready: true, done: true, code: -8, sequenceEcho: 7 })),
        (item) => isChanged(item.key),
      ),
  }
}
const ids = Object.keys(messageProtocols) as MessageProtocolId[]
const familyIds = Object.keys(families) as FamilyId[]
const messagesOf = (steps: ReturnType<ReturnType<typeof opened>['write']>) =>
  steps.map(({ message }) => message) as Record<string, unknown>[]

describe('messages of other nodes', () => {
  for (const id of ids)
    for (const family of familyIds)
      it(`have a preset of ${family} for ${id}, and write results before the state that makes them valid`, () => {
        const { map, write, form } = opened(id, family)
        const steps = write()
        const written = steps.flatMap(({ items }) => items.map(({ key }) => key))
        should([...written].sort()).eql([...form.cellKeys, ...reservedIn(written, form.cellKeys)].sort())
        const last = steps.at(-1)?.items ?? []
        const groups = new Set(
          map.slots.filter(({ meaning }) => meaning.from === 'cell').map(({ meaning }) => meaning.group),
        )
        const final = groups.has('echo') ? 'echo' : 'state'
        if (steps.length > 1 && final !== 'state')
          should(last.some(({ group }) => group === final || group === 'life')).be.true()
        should(write(() => false)).eql([])
      })

  it('are read from an S7 reader that sends all variables, or one', () => {
    const { says, read } = opened('s7')
    should(says({ topic: '', payload: { sequence: 4, job: 2, plcLife: 9, control: 3, x: true } })).eql({
      sequence: 4,
      job: 2,
      plcLife: 9,
      abort: true,
      manualAllowed: true,
    })
    should(read({ topic: 'sequence', payload: 4 })).eql({
      values: new Map([['sequence', 4]]),
      complete: false,
    })
    should(read({ topic: 'pressure', payload: 4 })).be.undefined()
  })

  it('are written by one S7 request: names, values, the echo last', () => {
    const [message, ...others] = messagesOf(opened('s7').write((key) => key !== 'counter'))
    should(others).eql([])
    const { variable, payload } = message as { variable: string[]; payload: unknown[] }
    should(variable[0]).equal('code')
    should(payload[0]).equal(-8)
    should(variable.slice(-3)).eql(['state', 'echo', 'life'])
    should(payload.slice(-3)).eql([5, 7, 0])
    should(variable).not.containEql('counter')
  })

  it('split an S7 request after an odd number of bytes, which the node cannot fill', () => {
    const protocol = messageProtocols.s7
    const item = (key: string, type: 'bit' | 'INT' | 'STRING', value: boolean | number | string) =>
      ({ key, type, value, group: 'result' }) as const
    const steps = protocol.write(
      [item('text', 'STRING', 'abc'), item('code', 'INT', 1), item('done', 'bit', true), item('n', 'INT', 2)],
      () => true,
    )
    should(messagesOf(steps).map(({ variable }) => variable)).eql([['text'], ['code', 'done'], ['n']])
  })

  it('are read from the third output of an OPC UA client, without what the server calls bad', () => {
    const good = (value: unknown) => ({ value: { dataType: 5, value }, statusCode: { value: 0 } })
    const { says, read } = opened('opcua')
    const topic = ['sequence', 'job', 'plcLife'].map((name) => ({
      nodeId: { toString: () => `ns=2;s=Cell.${name}` },
    }))
    const bad = { value: { value: 3 }, statusCode: { value: 2150891520 } }
    should(says({ topic, payload: [good(5), bad, good(1)] })).eql({ sequence: 5, plcLife: 1 })
    should(read({ topic: 'subscriptionId', payload: 12 })).be.undefined()
    should(
      read({ topic: 'ns=2;s=Cell.sequence', payload: 6, statusCode: { value: 0 } })?.values.get(
        'ns=2;s=Cell.sequence',
      ),
    ).equal(6)
    const withStatus = (value: number) => ({
      topic: 'ns=2;s=Cell.sequence',
      payload: 6,
      statusCode: { value },
    })
    // GoodClamped, GoodLocalOverride: the severity is good.
    for (const status of [0x00300000, 0x00960000])
      should(read(withStatus(status))?.values.get('ns=2;s=Cell.sequence')).equal(6)
    should(() => read(withStatus(0x40900000))).throw(/sequence as uncertain \(0x40900000\)/)
    should(() => read(withStatus(2150891520))).throw(/sequence as bad/)
    should(() => read({ topic, payload: [bad, bad, bad] })).throw(/sequence as bad/)
    should(
      says({ topic, payload: [{ value: { value: 5 }, statusCode: { value: 0x00960000 } }, bad, bad] }),
    ).eql({ sequence: 5 })
    should(read({ payload: [{ value: 0 }] })).be.undefined()
  })

  it('are written to OPC UA as one list with types, and ask for what asks first', () => {
    const { write, form } = opened('opcua')
    const [message] = messagesOf(write())
    const { payload, topic, action } = message as { payload: object[]; topic: string; action: string }
    should({ topic, action }).eql({ topic: 'cell', action: 'writemultiple' })
    should(payload[0]).eql({ nodeId: 'ns=2;s=Cell.code', datatype: 'Int16', value: -8 })
    should(payload.at(-2)).eql({ nodeId: 'ns=2;s=Cell.echo', datatype: 'UInt16', value: 7 })
    const asked = messageProtocols.opcua.ask?.(form.plcKeys) as { payload: string[] }
    should(asked.payload[0]).equal('ns=2;s=Cell.sequence')
  })

  it('have the quoted names of an S7-1500 behind a quoted prefix of OPC UA', () => {
    const names = (prefix: string) =>
      presetLines(families.sequence, messageProtocols.opcua, prefix).map(({ name }) => name)
    for (const prefix of ['ns=3;s="Cell".', 'ns=3;s="Cell"."'])
      names(prefix).should.matchAny('ns=3;s="Cell"."sequence"')
    names('ns=4;s=Cell.').should.matchAny('ns=4;s=Cell.sequence')
  })

  it('are resolved by the birth where a Sparkplug metric has only an alias, or the alias is named', () => {
    const { read } = opened('sparkplug')
    const message = (metric: object) => ({
      topic: 'spBv1.0/plant/DCMD/node/cell',
      payload: { metrics: [metric] },
    })
    should(() => read(message({ alias: 7, value: 3 }))).throw(/alias 7/)
    read(message({ name: 'Cell/sequence', alias: 7n, value: 2 }))
    should(read(message({ alias: 7, value: 3 }))?.values.get('Cell/sequence')).equal(3)
    should(() => read(message({ alias: 8, value: 3 }))).throw(/alias 8/)
  })

  it('are read from MQTT as JSON, text or bytes, and a retained one was there before', () => {
    const { says, read } = opened('mqtt')
    for (const payload of [
      { sequence: 3, abort: true },
      '{"sequence":3,"abort":true}',
      Buffer.from('{"sequence":3,"abort":true}'),
    ])
      should(says({ topic: 'cell/plc', payload })).eql({ sequence: 3, abort: true })
    should(read({ payload: { sequence: 3 }, retain: true })?.fresh).be.true()
    for (const payload of ['{"sequence":', '"text"', '[1]', { other: 1 }, null, 5])
      should(read({ topic: 'cell/plc', payload })).be.undefined()
  })

  it('are one whole object for MQTT and any other nodes', () => {
    for (const id of ['mqtt', 'any'] as const) {
      const [message] = messagesOf(opened(id).write((key) => key === 'life'))
      should(message?.['payload']).match({ code: -8, ready: true, done: true, busy: false, echo: 7, life: 0 })
    }
  })

  it('are commands to a Sparkplug device, and all its metrics in one message', () => {
    const { says, read, write } = opened('sparkplug')
    const command = (...metrics: unknown[]) => ({
      topic: 'spBv1.0/plant/DCMD/node/cell',
      payload: { timestamp: 1, metrics, seq: 0 },
    })
    const sequence = { name: 'Cell/sequence', type: 'UInt16', value: 3 }
    should(says(command(sequence, { name: 'Cell/abort', type: 'Boolean', value: true }))).eql({
      sequence: 3,
      abort: true,
    })
    should(read(command(sequence))?.complete).be.false()
    should(read(command({ ...sequence, isHistorical: true }))).be.undefined()
    for (const odd of [
      command(),
      command(null, 5, { name: 7 }),
      { payload: { metrics: {} } },
      { payload: 5 },
    ])
      should(read(odd)).be.undefined()
    const [message, ...others] = messagesOf(write((key) => key === 'Cell/life'))
    should(others).eql([])
    const { metrics } = message?.['payload'] as { metrics: { name: string; value: unknown }[] }
    const value = (name: string) => metrics.find((metric) => metric.name === `Cell/${name}`)?.value
    should([value('code'), value('ready'), value('echo'), value('pose1_6')]).eql([-8, true, 7, 0])
  })

  it('are read from ADS structures in any letter case, and written as one', () => {
    const { says, write } = opened('ads')
    const payload = { sequence: 3, job: 1, plcLife: 4, abort: false, manualAllowed: true }
    const read = { sequence: 3, job: 1, plcLife: 4, abort: false, manualAllowed: true }
    should(says({ symbol: { name: 'GVL_CELL.FROMPLC' }, payload })).eql(read)
    should(says({ symbol: 'GVL_Cell.fromPlc', payload })).eql(read)
    const [message, ...others] = messagesOf(write((key) => key.endsWith('life')))
    should(others).eql([])
    should(message?.['topic']).equal('GVL_Cell.toPlc')
    should(message?.['payload']).match({ code: -8, ready: true, echo: 7 })
  })

  it('are read from modbus-read with its address, and written as one block', () => {
    const { says, read, write } = opened('modbus')
    const request = { fc: 3, unitid: 1, address: 0, quantity: 4 }
    should(says({ topic: 'polling', payload: [9, 2, 7, 1], modbusRequest: request })).eql({
      sequence: 9,
      job: 2,
      plcLife: 7,
      abort: true,
      manualAllowed: false,
    })
    should(says({ payload: [9, 2, 7, 0], input: { payload: request } }).sequence).equal(9)
    should(read({ payload: [1, 2], modbusRequest: { fc: 3, address: 500 } })).be.undefined()
    const [message, ...others] = messagesOf(write())
    should(others).eql([])
    const { payload } = message as { payload: { fc: number; address: number; value: number[] } }
    should({ ...payload, value: payload.value.length }).eql({ fc: 16, address: 8, quantity: 21, value: 21 })
    should(payload.value[0]).equal(65528)
    should(payload.value.at(-1)).equal(7)
  })

  it('are one tag after the other for EtherNet/IP, state and echo last', () => {
    const { says, write } = opened('ethernet-ip')
    should(says({ topic: '', payload: { Cell_sequence: 3, Cell_job: null, Cell_control: 0 } })).match({
      sequence: 3,
      abort: false,
    })
    const messages = messagesOf(write())
    should(messages[0]).eql({ topic: 'Cell_code', payload: -8 })
    should(messages.slice(-3).map(({ topic }) => topic)).eql(['Cell_state', 'Cell_echo', 'Cell_life'])
  })

  it('never take what objects have by themselves for a value', () => {
    for (const id of ['any', 'mqtt', 's7'] as const) {
      const { read } = opened(id)
      should(read({ topic: 'constructor', payload: 1 })).be.undefined()
      should(read({ payload: JSON.parse('{"__proto__":{"sequence":1}}') as object })?.values.size ?? 0).equal(
        0,
      )
    }
  })

  it('may hold anything, and are then no values of the map', () => {
    const part = fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true, maxDepth: 3 })
    const message = fc.record(
      {
        payload: part,
        topic: part,
        symbol: part,
        statusCode: part,
        modbusRequest: part,
        input: part,
        retain: part,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.constantFrom(...ids), message, (id, given) => {
        should(opened(id).read(given)).be.undefined()
      }),
      { seed: 15, numRuns: 2000 },
    )
  })

  it('have a name for each row', () => {
    for (const id of ids.filter((each) => messageProtocols[each].by === 'name'))
      for (const row of Object.keys(rows) as (keyof typeof rows)[])
        should(messageProtocols[id].preset({ row, address: 0, type: 'UINT' }).name).not.be.empty()
  })
})

/** Registers between those of the map, which are the cell's too. */
const reservedIn = (written: readonly string[], keys: readonly string[]) =>
  written.filter((key) => !keys.includes(key))
