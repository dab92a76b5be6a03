import { createSocket } from 'node:dgram'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import ModbusRTU from 'modbus-serial'
import should from 'should'
import { families, familyIds, type Family } from '../../lib/plc/families'
import { writeProgram } from '../../lib/plc/program'
import { startS7Server } from '../../lib/plc/s7'
import { startSlmpServer } from '../../lib/plc/slmp'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'
import { modbusServer, type RegisterServer } from '../support/modbus-server'
import { startNodeRed, type NodeRed } from '../support/node-red'
import { randomOf, type Random } from './handshake/model/random'
import { numberedMap } from './support/spread-exchange'
import { watchStarts } from './support/start-ledger'
import { runProgram } from './support/structured-text'

/**
 * A campaign: a real Node-RED, a PLC that runs the generated function block over Modbus TCP by a library that is not ours, and
 * whatever happens in a plant between them. Both sides keep a ledger; at the end these are compared.
 *
 * CAMPAIGN_FAMILY, CAMPAIGN_MODE (one of `modes`), CAMPAIGN_CYCLES, CAMPAIGN_SEED and CAMPAIGN_APART (cycles between two
 * disturbances) choose others than all and the usual ones.
 */
const isLong = Boolean(process.env['CELLSIGHT_LONG'])
const { CAMPAIGN_FAMILY, CAMPAIGN_MODE, CAMPAIGN_CYCLES, CAMPAIGN_SEED, CAMPAIGN_APART } = process.env
const cycles = Number(CAMPAIGN_CYCLES ?? (isLong ? 2000 : 6))
const seed = Number(CAMPAIGN_SEED ?? 1)
const modes = ['server', 'client', 's7', 'slmp-tcp', 'slmp-udp', 'messages'] as const
type Mode = (typeof modes)[number]

/** How many cycles lie between two disturbances, on average. A short campaign has some that are quick. */
const apart = Number(CAMPAIGN_APART ?? (cycles < 50 ? 3 : 20))

const onTab = { z: 'tab', x: 100, y: 100 }

/** The exchange of the PLC with the cell: its words, once per scan. */
interface Wire {
  /** One exchange. @returns whether it went well */
  exchange: (to: readonly number[], from: number[]) => Promise<boolean>
  /** The connection ends. */
  cut: () => Promise<void>
  /** What happens to this kind of PLC alone. @param forget the program begins anew */
  more?: Record<string, (forget: () => void) => Promise<void>>
  stop: () => Promise<void>
}

/** The PLC is the client: it writes its words one by one sometimes, otherwise in one request, then reads all. */
function plcAsClient(port: number, first: { to: number; from: number }, random: Random): Wire {
  let client: ModbusRTU | undefined
  const close = () => {
    const old = client
    client = undefined
    old?.close(() => undefined)
  }
  const ended = () => {
    close()
    return Promise.resolve()
  }
  const connected = async () => {
    if (client?.isOpen) return client
    close()
    const fresh = new ModbusRTU()
    fresh.setTimeout(500)
    await fresh.connectTCP('127.0.0.1', { port })
    return (client = fresh)
  }
  return {
    exchange: async (to, from) => {
      try {
        const plc = await connected()
        if (random.chance(0.7)) await plc.writeRegisters(first.to, [...to])
        else {
          // Job and argument before the request, as our page has it: the request is word 0 or near it.
          const order = to.map((_, word) => word).reverse()
          for (const word of order) await plc.writeRegister(first.to + word, to[word] ?? 0)
        }
        const { data } = await plc.readHoldingRegisters(first.from, from.length)
        data.forEach((value, word) => (from[word] = value))
        return true
      } catch {
        close()
        return false
      }
    },
    cut: ended,
    stop: ended,
  }
}

/** The PLC is the server: the cell reads and writes its memory. */
async function plcAsServer(port: number, first: { to: number; from: number }): Promise<Wire> {
  const words = new Map<number, number>()
  const memory = {
    get: (address: number) => words.get(address) ?? 0,
    set: (address: number, value: number) => void words.set(address, value),
  }
  let server: RegisterServer | undefined = await modbusServer(memory, { port })
  return {
    exchange: (to, from) => {
      to.forEach((value, word) => words.set(first.to + word, value))
      from.forEach((_, word) => (from[word] = words.get(first.from + word) ?? 0))
      return Promise.resolve(true)
    },
    cut: async () => {
      await server?.stop()
      server = await eventually(() => modbusServer(memory, { port }))
    },
    stop: async () => server?.stop(),
  }
}

/** What a server of ours that stands for a PLC can do, whatever it speaks. */
interface OwnServer {
  read: (area: 'registers', address: number) => number | undefined
  set: (words: { area: 'registers'; address: number; value: number }[]) => void
  fail: (faults: Record<string, unknown>) => void
  cut: () => void
  restart: (options: { keepsMemory: boolean }) => Promise<void>
  close: () => Promise<void>
}

/** A protocol whose PLC is such a server. */
interface OwnProtocol {
  /** In which the PLC has 32 bit. */
  order: 'ABCD' | 'CDAB'
  start: (port: number) => Promise<OwnServer>
  /** Fields of the handshake. */
  fields: (port: number) => object
}

const slmp = (transport: 'tcp' | 'udp'): OwnProtocol => ({
  order: 'CDAB',
  start: (port) => startSlmpServer({ port, transport }),
  fields: (slmpPort) => ({ connection: 'slmp', slmpPort, transport, firstDevice: 'D0' }),
})

const ownProtocols: Partial<Record<Mode, OwnProtocol>> = {
  s7: {
    order: 'ABCD',
    start: (port) => startS7Server({ port, blocks: { 1: 400 } }),
    fields: (s7Port) => ({ connection: 's7-client', s7Port }),
  },
  'slmp-tcp': slmp('tcp'),
  'slmp-udp': slmp('udp'),
}

/** The PLC is a server that is slow, silent or restarted as well. */
function plcAsOwnServer(server: OwnServer, first: { to: number; from: number }, random: Random): Wire {
  const area = 'registers'
  const slowFor = async (delayed: number, time: number) => {
    server.fail({ delay: delayed })
    await delay(time)
    server.fail({ delay: 0 })
  }
  return {
    exchange: (to, from) => {
      server.set(to.map((value, word) => ({ area, address: first.to + word, value })))
      from.forEach((_, word) => (from[word] = server.read(area, first.from + word) ?? 0))
      return Promise.resolve(true)
    },
    cut: () => {
      server.cut()
      return Promise.resolve()
    },
    more: {
      slow: () => slowFor(random.between(100, 2000), 3000),
      halfOpen: async () => {
        await slowFor(60_000, random.between(500, 2500))
        server.cut()
      },
      restart: () => server.restart({ keepsMemory: true }),
      clear: async (forget) => {
        await server.restart({ keepsMemory: false })
        forget()
      },
    },
    stop: () => server.close(),
  }
}

/**
 * Other nodes read and write the memory of the PLC: the reader sends it every 20 ms, and a writer loses a message now and then
 * without an error.
 */
async function plcBehindNodes(
  ports: { reader: number; writer: number },
  first: { to: number; from: number },
  random: Random,
): Promise<Wire> {
  const words = new Map<number, number>()
  const socket = createSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(ports.writer, '127.0.0.1', resolve))
  let isCut = false
  let scans = 0
  socket.on('message', (text) => {
    if (isCut || random.chance(0.02)) return
    const { address, value } = JSON.parse(text.toString()) as { address: number; value: number[] }
    value.forEach((each, word) => words.set(address + word, each))
  })
  // A reader that does not run receives nothing.
  socket.on('error', () => undefined)
  const read = (address: number, count: number) =>
    JSON.stringify({
      modbusRequest: { fc: 3, address },
      payload: Array.from({ length: count }, (_, word) => words.get(address + word) ?? 0),
    })
  return {
    exchange: (to, from) => {
      to.forEach((value, word) => words.set(first.to + word, value))
      from.forEach((_, word) => (from[word] = words.get(first.from + word) ?? 0))
      if (!isCut && scans++ % 2 === 0)
        for (const text of [read(first.to, to.length), read(first.from, from.length)])
          socket.send(text, ports.reader, '127.0.0.1')
      return Promise.resolve(true)
    },
    cut: async () => {
      isCut = true
      await delay(random.between(50, 2500))
      isCut = false
    },
    stop: () => new Promise((resolve) => socket.close(resolve)),
  }
}

/** The nodes between a PLC behind nodes and the handshake. */
const nodesBetween = (handshake: string, ports: { reader: number; writer: number }) => [
  {
    ...onTab,
    id: 'reader',
    type: 'udp in',
    port: String(ports.reader),
    datatype: 'utf8',
    multicast: 'false',
    ipv: 'udp4',
    iface: '',
    wires: [['reading']],
  },
  {
    ...onTab,
    id: 'reading',
    type: 'function',
    func: 'return JSON.parse(msg.payload)',
    outputs: 1,
    wires: [['messages']],
  },
  { ...onTab, id: 'messages', type: 'vision-plc-messages', handshake, wires: [['writing']] },
  {
    ...onTab,
    id: 'writing',
    type: 'json',
    property: 'payload',
    action: 'str',
    pretty: false,
    wires: [['writer']],
  },
  {
    ...onTab,
    id: 'writer',
    type: 'udp out',
    addr: '127.0.0.1',
    port: String(ports.writer),
    outport: '',
    ipv: 'udp4',
    iface: '',
    base64: false,
    multicast: 'false',
    wires: [],
  },
]

describe('a campaign of a PLC and a cell', function () {
  this.timeout(isLong || CAMPAIGN_CYCLES ? 36_000_000 : 120_000)
  let red: NodeRed
  let folder = ''
  const table: string[] = []

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cellsight-campaign-'))
    // The nodes between a PLC and its handshake are *udp in* and *udp out*.
    red = await startNodeRed({ settings: { nodesExcludes: ['node-red-contrib-modbus'] } })
  })
  after(async () => {
    await red.stop()
    rmSync(folder, { recursive: true, force: true })
    if (cycles >= 50) process.stdout.write(`\n${table.join('\n')}\n`)
  })

  for (const id of familyIds)
    for (const mode of modes)
      if ((CAMPAIGN_FAMILY ?? id) === id && (CAMPAIGN_MODE ?? mode) === mode)
        it(`agrees on both sides in each of ${cycles} cycles: ${id}, ${mode}`, async () => {
          const { ledger, faults, row } = await campaign(families[id], mode)
          table.push(row)
          should(faults).eql([])
          // Whatever happened, the cell works afterwards; in a long campaign, most cycles are not disturbed at all.
          should(ledger.ends.at(-1)?.how).equal('done')
          if (cycles >= 50)
            should(ledger.ends.filter(({ how }) => how === 'done').length).be.above(cycles / 3)
        })

  async function campaign(family: Family, mode: Mode) {
    const began = Date.now()
    const random = randomOf(seed)
    const own = ownProtocols[mode]
    const map = { ...numberedMap(family), order: own?.order ?? 'ABCD' }
    const source = writeProgram(map, family, random.oneOf('st', 'scl'))
    const firstOf = (side: string) =>
      Number(new RegExp(`^// ${side}Cell: \\d+ registers from (\\d+)`, 'm').exec(source)?.[1])
    const first = { to: firstOf('to'), from: firstOf('from') }
    const [port = 0, writer = 0] = await freePorts(2)
    const between = { reader: port, writer }
    const executedFile = join(folder, `${family.id}-${mode}.txt`)
    const wire = own
      ? plcAsOwnServer(await own.start(port), first, random)
      : mode === 'server'
        ? plcAsClient(port, first, random)
        : await (mode === 'client' ? plcAsServer(port, first) : plcBehindNodes(between, first, random))
    const work = random.between(0, 40)
    /** Each has a journal of its own. */
    const node = `plc-${family.id}-${mode}`
    let version = 0
    /** @param changed the node that a deploy has changed */
    const flow = (changed: 'plc' | 'work' | 'none') => [
      { id: 'tab', type: 'tab', label: 'Cell' },
      {
        id: node,
        type: 'vision-plc-handshake',
        name: changed === 'plc' ? `v${version}` : '',
        family: family.id,
        map: JSON.stringify(map.lines),
        deadline: 2,
        ...(own
          ? { host: '127.0.0.1', poll: 10, ...own.fields(port) }
          : mode === 'server'
            ? { port }
            : mode === 'client'
              ? { connection: 'client', host: '127.0.0.1', hostPort: port, poll: 10 }
              : { connection: 'modbus', silentAfter: 1 }),
      },
      ...(mode === 'messages' ? nodesBetween(node, between) : []),
      { ...onTab, id: 'trigger', type: 'vision-plc-trigger', handshake: node, wires: [['work'], [], []] },
      {
        ...onTab,
        id: 'work',
        type: 'function',
        name: changed === 'work' ? `v${version}` : '',
        func: 'msg.id = msg.payload.argument[0]; msg.payload = String(msg.id); return msg',
        outputs: 1,
        wires: [['ledger']],
      },
      {
        ...onTab,
        id: 'ledger',
        type: 'file',
        filename: executedFile,
        filenameType: 'str',
        appendNewline: true,
        createDir: false,
        overwriteFile: 'false',
        wires: [['end']],
      },
      {
        ...onTab,
        id: 'end',
        type: 'function',
        func: `msg.payload = { id: msg.id }; setTimeout(() => { node.send(msg); node.done() }, ${work})`,
        outputs: 1,
        wires: [['result']],
      },
      { ...onTab, id: 'result', type: 'vision-plc-result', wires: [[], []] },
    ]
    await red.deploy(flow('none'))

    let plc = runProgram(source)
    const watch = watchStarts(family, () => plc)
    const powerOn = () => {
      plc = runProgram(source)
      // Words that are written one by one belong to no one moment; reads are always one request.
      plc.vars.exchange = mode === 'server' ? 30 : 0
      watch.forget()
    }
    powerOn()
    const running = new AbortController()
    let scans = 0
    const plcRuns = (async () => {
      while (!running.signal.aborted) {
        plc.vars.connected = await wire.exchange(plc.vars.toCell as number[], plc.vars.fromCell as number[])
        plc.call(performance.now())
        watch.look()
        scans += 1
        await delay(mode === 'server' && plc.vars.connected ? 1 : 8)
      }
    })()
    /** The block was called at least once since. */
    const scanned = async () => {
      for (const before = scans; scans === before && !running.signal.aborted;) await delay(4)
    }
    const deployed = async (kind: string, changed: 'plc' | 'work') => {
      version += 1
      const body = kind === 'reload' ? {} : { body: JSON.stringify({ flows: flow(changed) }) }
      await eventually(async () => {
        const { ok } = await fetch(`${red.url}/flows`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'node-red-api-version': 'v2',
            'node-red-deployment-type': kind,
          },
          ...body,
        })
        should(ok).be.true()
      })
    }
    const happens: Record<string, () => Promise<void>> = {
      full: () => deployed('full', 'plc'),
      flows: () => deployed('flows', random.oneOf('plc', 'work')),
      nodes: () => deployed('nodes', random.oneOf('plc', 'work')),
      reload: () => deployed('reload', 'plc'),
      kill: async () => {
        await red.kill()
        red = await startNodeRed({ userDir: red.userDir })
      },
      cut: () => wire.cut(),
      power: () => {
        powerOn()
        return Promise.resolve()
      },
      ...Object.fromEntries(
        Object.entries(wire.more ?? {}).map(([what, happen]) => [what, () => happen(powerOn)]),
      ),
    }
    const [firstKind = '', ...otherKinds] = Object.keys(happens)
    const kinds = [firstKind, ...otherKinds] as const
    const counts = Object.fromEntries(kinds.map((each) => [each, 0]))
    /** Of a cycle from its start to its end, and what happened last before. */
    let longest = { milliseconds: 0, id: 0, after: '' }
    let last = 'nothing'
    /** Milliseconds of the longest disturbance. */
    let slowest = 0

    let startedAt = 0
    const start = async () => {
      startedAt = performance.now()
      plc.vars.start = false
      await scanned()
      // A PLC that is refused because an earlier cycle may be under way waits until the cell is ready.
      const isRefused = watch.ledger.ends.at(-1)?.code === 101
      const isReady = () => (plc.vars.received as Record<string, unknown>).ready === true
      for (const began = Date.now(); isRefused && !isReady() && Date.now() < began + 15_000;) await scanned()
      watch.start()
      await scanned()
    }
    const end = async () => {
      const until = Date.now() + 14_000
      while (watch.isOpen() && Date.now() < until) await scanned()
      watch.mustHaveEnded()
      const milliseconds = Math.round(performance.now() - startedAt)
      if (milliseconds > longest.milliseconds)
        longest = { milliseconds, id: watch.ledger.starts.length, after: last }
    }
    try {
      for (let cycle = 0; cycle < cycles; cycle++) {
        await start()
        await delay(random.between(0, random.chance(0.3) ? 200 : 20))
        // Some starts come before the handshake before has ended.
        if (random.chance(0.1)) continue
        if (random.chance(1 / apart)) {
          const what = random.oneOf(...kinds)
          if (what !== 'kill' || cycles >= 50) {
            counts[what] = (counts[what] ?? 0) + 1
            last = what
            const before = performance.now()
            await happens[what]?.()
            // A cycle takes no longer because Node-RED starts slowly on a busy machine.
            const took = performance.now() - before
            startedAt += took
            slowest = Math.max(slowest, took)
          }
        }
        await end()
      }
      // Undisturbed: the first may still be refused for what happened before it.
      for (let calm = 0; calm < 3; calm++) {
        await start()
        await end()
      }
    } finally {
      running.abort()
      await plcRuns
      await wire.stop()
    }
    const executed = existsSync(executedFile)
      ? readFileSync(executedFile, 'utf8').trim().split('\n').filter(Boolean).map(Number)
      : []
    const faults = watch.settled(executed)
    const { ledger } = watch
    const ends = (['done', 'error', 'timeout', 'missed'] as const).map(
      (how) => `${how} ${ledger.ends.filter((end) => end.how === how).length}`,
    )
    const codes = new Map<number, number>()
    for (const { code } of ledger.ends) codes.set(code, (codes.get(code) ?? 0) + 1)
    const row = [
      family.id.padEnd(14),
      mode.padEnd(8),
      `seed ${seed}`,
      `starts ${ledger.starts.length}`,
      `executed ${executed.length}`,
      ...ends,
      `codes ${[...codes].map(([code, count]) => `${code}×${count}`).join(' ')}`,
      Object.entries(counts)
        .map(([what, count]) => `${what} ${count}`)
        .join(' '),
      `longest ${longest.milliseconds} ms (${longest.id}, after ${longest.after}), disturbances up to ${Math.round(slowest)} ms`,
      `faults ${faults.length}`,
      `${Math.round((Date.now() - began) / 1000)} s`,
    ].join(' | ')
    return { ledger, faults, row }
  }
})
