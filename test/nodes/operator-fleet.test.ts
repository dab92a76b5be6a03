import should from 'should'
import type { NodeMessage } from 'node-red'
import { once } from 'node:events'
import { useBench } from '../support/bench'

// With Mosquitto, two cells and a real Dashboard: test/operator.
const device = { seen: true, age: 0, link: 'ready', firmware: 'v1', working: '', problems: [], severity: 0 }
const away = {
  ...{ ...device, device: 'right', link: 'unreachable', severity: 2 },
  ...{ problems: ['not-ready', 'UNREACHABLE', 'fallback-booted'], working: 'update-firmware 40 %' },
}
const rollout = {
  ...{ id: 'r1', name: 'Bildrate', do: 'set-parameters', state: 'waits-for-approval', wave: 2, waves: 3 },
  ...{ devices: 4, done: 1, working: 0, waiting: 3, failed: 0, unknown: 0, notReached: 0, skipped: 0 },
  ...{ percent: 25, startedAt: '2026-11-27T07:00:00Z', endedAt: null, stopped: '' },
}
const fleet = (more: object = {}) => ({
  centre: { name: 'hq', role: 'acting', acting: 'hq', orders: true },
  ...{ cells: { all: 1, seen: 1, notSeen: 0 }, devices: { all: 5, problems: 1 }, plants: [], problems: [] },
  rollouts: [],
  map: [
    {
      ...{ plant: 'nord', devices: 5, problems: 1 },
      cells: [{ cell: 'eins', devices: 5, problems: 1, shown: [away, { ...device, device: 'left' }] }],
    },
  ],
  ...more,
})

describe('operator-fleet', () => {
  const plans = JSON.stringify([{ name: 'Bildrate', do: 'set-parameters', where: { plant: 'nord' } }])
  const wires = [['out0'], ['out1'], ['out2'], ['out2'], ['out2']]
  const bench = useBench({ type: 'vision-operator-fleet', language: 'de', plans, wires }, {})

  /** What the page shows for a state of the fleet: map, rollout and buttons, as far as they have changed. */
  const shown = async (state: object) => {
    const seen: Record<string, unknown>[] = []
    const note = (message: NodeMessage) => seen.push(message.payload as Record<string, unknown>)
    bench.helperNode('out2').on('input', note)
    const { message } = await bench.sendAndSee({ topic: 'fleet', payload: state })
    bench.helperNode('out2').removeListener('input', note)
    return { message, seen }
  }

  it('says in the language of the page what is wrong, and each thing once', async () => {
    const { message, seen } = await shown(fleet())
    should(message).match({
      payload: 'Zellen: 1 · Geräte: 5 · Mit Problem: 1',
      reason: 'hq hat die Steuerung.',
      notice: '',
    })
    const [map, none, buttons] = seen
    should(map).match({
      plants: [{ name: 'nord', severity: 2, text: 'Geräte: 5 · Mit Problem: 1' }],
      more: 'und 3 weitere Geräte ohne Problem',
    })
    const [plant] = map?.['plants'] as [{ cells: [{ devices: object[] }] }]
    should(plant.cells[0].devices).match([
      {
        ...{ name: 'right', severity: 2, working: 'Firmware aktualisieren 40 %' },
        text: 'Gerät antwortet nicht, Ersatz-Firmware läuft',
      },
      { name: 'left', text: 'kein Problem', working: '' },
    ])
    should(none).match({ name: 'Noch kein Rollout', parts: [] })
    should(buttons?.['buttons']).match([{ label: 'Starten: Bildrate', sure: 'Jetzt starten', enabled: true }])
    should((await shown(fleet())).seen).deepEqual([])
  })

  it('offers what can be ordered now, and nothing while another centre gives the orders', async () => {
    const { seen } = await shown(fleet({ rollouts: [rollout] }))
    const [progress, buttons] = seen
    should(progress).match({ name: 'Bildrate', text: 'Gruppe 2 von 3 wartet auf Freigabe', percent: 25 })
    should(progress?.['parts']).match([
      { text: 'erledigt', count: 1, share: 25 },
      { text: 'ausstehend', count: 3, share: 75 },
    ])
    should(buttons?.['buttons']).match([
      { order: { topic: 'approve', rollout: 'r1', wave: 2 }, label: 'Nächste Gruppe freigeben' },
      { order: { topic: 'stop', rollout: 'r1' }, label: 'Stopp' },
    ])
    const centre = { name: 'hq', role: 'reading', acting: 'b', orders: true }
    const other = await shown(fleet({ rollouts: [rollout], centre }))
    should(other.message).match({ reason: 'b hat die Steuerung; diese Seite zeigt nur an.' })
    should(other.seen[0]?.['buttons']).match([{ enabled: false }, { enabled: false }])
  })

  it('orders what was pressed, for the wave that the page showed only', async () => {
    await shown(fleet({ rollouts: [rollout] }))
    const press = (message: object) => bench.sendAndSee(message as NodeMessage)
    const { output, message } = await press({ topic: 'approve', rollout: 'r1', wave: 2 })
    should(output).equal(0)
    should(message).match({ action: 'approve', payload: true, rollout: 'r1' })
    should((await press({ topic: 'stop', rollout: 'r1' })).message).match({ action: 'stop', rollout: 'r1' })
    should((await press({ topic: 'start', plan: 'Bildrate' })).message).match({
      action: 'rollout',
      payload: { name: 'Bildrate', do: 'set-parameters', where: { plant: 'nord' } },
    })
    for (const stale of [
      { topic: 'approve', rollout: 'r1', wave: 1 },
      { topic: 'pause', rollout: 'r0' },
    ])
      await press(stale).should.be.rejectedWith({ message: /seit die Seite angezeigt wurde/ })
    await press({ topic: 'start', plan: 'x' }).should.be.rejectedWith({ message: /Rollout „x“/ })
  })

  it('says why fleet has refused an order, until the next one', async () => {
    const refused = { error: { message: 'Das Gerät ist belegt.' } } as unknown as NodeMessage
    should(await bench.send(refused)).match({ notice: 'Letzter Auftrag: Das Gerät ist belegt.' })
    should((await shown(fleet({ rollouts: [rollout] }))).message).match({ notice: /belegt/ })
    await bench.sendAndSee({ topic: 'pause', rollout: 'r1' })
    should((await shown(fleet())).message).match({ notice: '' })
  })

  it('takes no state that it cannot show', async () => {
    for (const payload of [undefined, {}, fleet({ map: [{ cells: [{ shown: [{}] }] }] })])
      await bench.send({ topic: 'fleet', payload }).should.be.rejectedWith({ message: /dritten Ausgang/ })
  })

  it('asks for the state of the fleet after a deploy, and names prepared rollouts that are not valid', async () => {
    const asked = once(bench.helperNode('out0'), 'input')
    await bench.deploy({ plans: '[{"name":"x","do":"fly","where":{}}]' })
    should(await Promise.race([asked, once(bench.helperNode('out0'), 'input')])).match([{ action: 'state' }])
    should(bench.logged('vision-operator-fleet').join(' ')).match(/do/)
  })
})
