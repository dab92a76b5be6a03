import should from 'should'
import { connect } from 'node:net'
import { once } from 'node:events'
import { PlcCell, type CellEvents } from '../../lib/plc/handshake/cell'
import { openServerPort, type ServerPortOptions } from '../../lib/plc/handshake/ports'
import { openMap } from '../../lib/plc/data'
import { families, familyIds, type FamilyId } from '../../lib/plc/families'
import { startPlcClient } from '../../lib/plc/client'
import { modbusProtocol } from '../../lib/plc/modbus'
import type { PlcError } from '../../lib/plc/plc-error'
import { VirtualPlc } from '../../lib/plc/virtual/virtual-plc'
import { eventually } from '../support/eventually'

describe('a virtual PLC and a cell over Modbus TCP', () => {
  const open: { close: () => Promise<void> }[] = []
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close()
  })

  async function cellOf(
    id: FamilyId,
    events: Partial<CellEvents> = {},
    options: Partial<ServerPortOptions> = {},
  ) {
    const family = families[id]
    const map = openMap({ lines: family.map })
    let tokens = 0
    const cell = await PlcCell.open(
      {
        family,
        newToken: () => `token-${++tokens}`,
        openPort: (portEvents) => openServerPort({ port: 0, ...options }, map, portEvents),
      },
      {
        onStart: ({ token, job = 0 }) =>
          void (job < 0 ? cell.fail(token, 999) : cell.answer(token, { count: job })),
        ...events,
      },
    )
    open.push(cell)
    cell.hear({ type: 'device', ready: true })
    const port = cell.port?.figures.port ?? 0
    return { cell, map, family, port }
  }

  for (const id of familyIds)
    it(`complete trigger after trigger, with the answer of each, by ${id}`, async () => {
      const { cell, map, family, port } = await cellOf(id, {
        onStart: ({ token, acquisitionId }) => void cell.answer(token, { count: acquisitionId }),
      })
      const plc = new VirtualPlc({ host: '127.0.0.1', port, unit: 1, family, map, order: 'ABCD', cycle: 1 })
      open.push(plc)
      const signal = AbortSignal.timeout(50_000)
      for (const number of [1, 2, 3]) {
        const { code, done, read } = await plc.trigger(number, signal)
        should({ code, done }).eql({ code: 0, done: true })
        if (read.count !== undefined) should(read.count).equal(number)
      }
      should(cell.counts).containEql({ accepted: 3, done: 3, failed: 0, missed: 0 })
      should(cell.lastDuration).be.aboveOrEqual(0)
    })

  it('asks between its triggers too, so that the cell knows that it is there', async () => {
    const { cell, map, family, port } = await cellOf('four-phases')
    const plc = new VirtualPlc({ host: '127.0.0.1', port, unit: 1, family, map, order: 'ABCD' })
    open.push(plc)
    await plc.trigger(1, AbortSignal.timeout(50_000))
    const triggered = cell.port?.figures.heardAt ?? Infinity
    await eventually(() => should(cell.port?.figures.heardAt).be.above(triggered + 500))
    cell.isHeard.should.be.true()
  })

  it('triggers although the cell is not ready for long, and gets the reason', async () => {
    const { cell, map, family, port } = await cellOf('four-phases')
    cell.hear({ type: 'device', ready: false, code: 201, reason: 'unreachable' })
    const plc = new VirtualPlc({ host: '127.0.0.1', port, unit: 1, family, map, order: 'ABCD', patience: 20 })
    open.push(plc)
    const { code, done } = await plc.trigger(1, AbortSignal.timeout(50_000))
    should({ code, done }).eql({ code: 201, done: false })
  })

  it('takes no answer that stands from before for its own', async () => {
    const { cell, map, family, port } = await cellOf('four-phases', {
      onStart: ({ token, acquisitionId }) =>
        void (acquisitionId === 1 ? cell.answer(token, {}) : cell.fail(token, 300 + acquisitionId)),
    })
    const client = startPlcClient({ protocol: modbusProtocol(), host: '127.0.0.1', port })
    open.push(client)
    await eventually(() => should(client.isOpen).equal(true))
    const write = (value: number) =>
      client.request({ kind: 'write', area: 'registers', address: 0, values: [value] })
    // A pulse that ends before its answer: done stays beside ready.
    cell.hear({ type: 'device', ready: true })
    await write(0)
    await eventually(() => should(cell.phase).equal('ready'))
    await Promise.all([write(1), write(0)])
    await eventually(() => should(cell.counts.done).equal(1))
    const plc = new VirtualPlc({ host: '127.0.0.1', port, unit: 1, family, map, order: 'ABCD', patience: 20 })
    open.push(plc)
    should((await plc.trigger(1, AbortSignal.timeout(50_000))).code).equal(302)
  })

  it('yields to whoever sets manual allowed, and leaves that bit alone', async () => {
    const { cell, map, family, port } = await cellOf('sequence')
    const plc = new VirtualPlc({
      host: '127.0.0.1',
      port,
      unit: 1,
      family,
      map,
      order: 'ABCD',
      automatic: true,
    })
    const panel = startPlcClient({ protocol: modbusProtocol(), host: '127.0.0.1', port })
    open.push(plc, panel)
    const signal = AbortSignal.timeout(50_000)
    should((await plc.trigger(1, signal, { yields: true })).done).equal(true)
    const byHand = (value: number) =>
      panel.request({ kind: 'write', area: 'registers', address: 3, values: [value] })
    await eventually(() => should(panel.isOpen).equal(true))
    await byHand(2)
    await plc.trigger(1, signal, { yields: true }).should.be.rejectedWith({ name: 'YieldedToHand' })
    should(cell.counts.accepted).equal(1)
    // A message to the node triggers all the same.
    should((await plc.trigger(1, signal)).done).equal(true)
    should(await panel.request({ kind: 'read', area: 'registers', address: 3, count: 1 })).eql([2])
    await byHand(0)
    should((await plc.trigger(1, signal, { yields: true })).done).equal(true)
  })

  it('waits for the PLC while none is connected, and after it has gone', async () => {
    const links: boolean[] = []
    const { cell, map, family, port } = await cellOf(
      'four-phases',
      { onLink: (up) => links.push(up) },
      { absence: 20 },
    )
    should(cell.phase).equal('unknown')
    should(links).eql([])
    const plc = new VirtualPlc({ host: '127.0.0.1', port, unit: 1, family, map, order: 'ABCD' })
    should((await plc.trigger(1, AbortSignal.timeout(50_000))).done).equal(true)
    should(links).eql([true])
    await plc.close()
    await eventually(() => Promise.resolve(should(links).eql([true, false])))
    should(cell.phase).equal('unknown')
    const next = new VirtualPlc({ host: '127.0.0.1', port, unit: 1, family, map, order: 'ABCD' })
    open.push(next)
    should((await next.trigger(1, AbortSignal.timeout(50_000))).done).equal(true)
  })

  it('reports a host that is not allowed, once', async () => {
    const troubles: unknown[] = []
    const { port } = await cellOf(
      'sequence',
      { onTrouble: (error) => troubles.push(error) },
      { allow: ['127.0.0.9'] },
    )
    for (let count = 0; count < 3; count++) {
      const socket = connect({ host: '127.0.0.1', port }).on('error', () => undefined)
      await once(socket, 'close')
    }
    const [trouble] = troubles as PlcError[]
    should(troubles).have.length(1)
    should(trouble?.message).match(/^127\.0\.0\.1 tried to connect and is not among the allowed PLCs\./)
    should(trouble?.code).equal('INVALID_INPUT')
  })
})
