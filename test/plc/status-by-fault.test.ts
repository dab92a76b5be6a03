import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import should from 'should'
import { startS7Server } from '../../lib/plc/s7'
import { startSlmpServer } from '../../lib/plc/slmp'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { listening } from '../support/listening'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { root } from '../support/root'

const onTab = { z: 'tab', x: 100, y: 100 }

/** A virtual PLC of one protocol, and what it does wrong. */
interface Plc {
  port: number
  fail: (faults: Readonly<Record<string, unknown>>) => void
  cut: () => void
  close: () => Promise<void>
}

/** A fault of the PLC, or of the settings: what is there instead of it, or nothing. */
type Fault = Readonly<Record<string, unknown>> | 'a web server' | 'nothing'

interface Protocol {
  start: () => Promise<Plc>
  healthy: Readonly<Record<string, unknown>>
  fields: (port: number) => object
  /** By what the status says in English and German. */
  faults: readonly (readonly [fault: Fault, en: string, de: string])[]
}

const protocols: Readonly<Record<string, Protocol>> = {
  SLMP: {
    start: () => startSlmpServer({ port: 0 }),
    healthy: { writesInRun: true, endCode: 0, isSilent: false, connections: 8 },
    fields: (slmpPort) => ({ connection: 'slmp', slmpPort, firstDevice: 'D100' }),
    faults: [
      [{ writesInRun: false }, 'PLC refuses writes', 'SPS schreibgeschützt'],
      [{ endCode: 0x4031 }, 'PLC memory missing', 'SPS-Speicher fehlt'],
      [{ endCode: 0xc050 }, 'PLC uses ASCII', 'SPS sendet ASCII'],
      [{ isSilent: true }, 'PLC does not answer', 'SPS antwortet nicht'],
      [{ connections: 0 }, 'PLC connection taken', 'Verbindung belegt'],
      ['a web server', 'other protocol', 'anderes Protokoll'],
      ['nothing', 'PLC port closed', 'SPS-Port geschlossen'],
    ],
  },
  S7: {
    start: () => startS7Server({ port: 0, blocks: { 1: 40 } }),
    healthy: { putGet: true, block: 'present', access: 'full', connections: 8 },
    fields: (s7Port) => ({ connection: 's7-client', s7Port, block: 1 }),
    faults: [
      [{ putGet: false }, 'PUT/GET not allowed', 'PUT/GET gesperrt'],
      [{ block: 'missing' }, 'data block missing', 'Baustein fehlt'],
      [{ block: 'short' }, 'data block too short', 'Baustein zu kurz'],
      [{ access: 'read' }, 'PLC refuses writes', 'SPS schreibgeschützt'],
      [{ connections: 0 }, 'PLC connection taken', 'Verbindung belegt'],
      ['a web server', 'other protocol', 'anderes Protokoll'],
      ['nothing', 'PLC port closed', 'SPS-Port geschlossen'],
    ],
  },
}

type Texts = Readonly<Record<string, string>>

const statusTexts = (language: string): Texts => {
  const file = join(root, 'nodes', 'device-config', 'locales', language, 'device-config.json')
  const catalogue = JSON.parse(readFileSync(file, 'utf8')) as { 'device-config': { status: Texts } }
  return catalogue['device-config'].status
}

describe('the status of a PLC that does something wrong', function () {
  this.timeout(120_000)
  let red: NodeRed
  before(async () => {
    red = await startNodeRed()
  })
  after(() => red.stop())

  const flow = (fields: object) => [
    { id: 'tab', type: 'tab', label: 'Cell' },
    {
      ...{ id: 'plc', type: 'vision-plc-handshake', name: '', host: '127.0.0.1', poll: 10 },
      ...{ answerWithin: 300, ...fields },
    },
    { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: 'plc', wires: [['result'], []] },
    { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
    { ...onTab, id: 'status', type: 'status', scope: ['trigger'], wires: [['log']] },
    {
      ...{ ...onTab, id: 'log', type: 'debug', active: true, console: true, tosidebar: false },
      ...{ complete: 'status.text', targetType: 'msg', wires: [] },
    },
  ]
  /** Statuses since a place in the log, without their times. */
  const statuses = (from: number) =>
    [
      ...red
        .output()
        .slice(from)
        .matchAll(/\[debug:log\] (.*?)(?: \d\d:\d\d:\d\d)?$/gm),
    ].map(([, text]) => text)
  const isReady = (from: number) => eventually(() => void should(statuses(from).at(-1)).match(/^ready/))

  for (const [name, { start, healthy, fields, faults }] of Object.entries(protocols)) {
    it(`tells each fault apart, shows nothing green meanwhile, and ends with it: ${name}`, async () => {
      const plc = await start()
      try {
        for (const [fault, expected] of faults) {
          const from = red.output().length
          if (typeof fault === 'object') {
            await red.deploy(flow(fields(plc.port)))
            await isReady(from)
            plc.fail(fault)
            plc.cut()
            await eventually(() => void should(statuses(from).at(-1)).equal(expected))
            const since = red.output().length
            // Two beats of the cell.
            await new Promise((resolve) => setTimeout(resolve, 2200))
            should(statuses(since).filter((text) => text !== expected)).be.empty()
            plc.fail(healthy)
            await isReady(since)
            continue
          }
          const [free = 0] = await freePorts(1)
          const other = createServer((socket) =>
            socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
          )
          const web = fault === 'a web server' ? await listening(other) : undefined
          try {
            await red.deploy(flow(fields(web?.port ?? free)))
            await eventually(() => void should(statuses(from).at(-1)).equal(expected))
          } finally {
            await web?.stop()
          }
        }
      } finally {
        await plc.close()
      }
    })

    it(`has another text for each fault, in German too: ${name}`, () => {
      const [en, de] = ['en-US', 'de'].map(statusTexts) as [Texts, Texts]
      for (const [, shown, german] of faults) {
        const word = Object.keys(en).find((each) => en[each] === shown) ?? ''
        should(de[word]).equal(german)
      }
      for (const place of [1, 2])
        new Set(faults.map((fault) => fault[place])).size.should.equal(faults.length)
      faults.length.should.be.aboveOrEqual(6)
    })
  }
})
