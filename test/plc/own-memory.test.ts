import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ModbusRTU from 'modbus-serial'
import should from 'should'
import { PlcCell } from '../../lib/plc/handshake/cell'
import { openServerPort } from '../../lib/plc/handshake/ports'
import { openMap } from '../../lib/plc/data'
import { families, type FamilyId } from '../../lib/plc/families'
import type { HandshakeOptions, Told } from '../../lib/plc/handshake'
import { openJournal, type HandshakeJournal } from '../../lib/plc/handshake/journal'
import { eventually } from '../support/eventually'
import { freePorts } from '../support/free-ports'

/** Registers of the families. */
const sequence = { request: 0, job: 1, code: 8, state: 27, echo: 28 }
const exe = { request: 0, command: 3, code: 18, state: 35 }
const four = { request: 0, state: 1, code: 2 }
const commands = { request: 0, job: 1, code: 8, jobEcho: 11, state: 27, echo: 28 }

describe('a cell whose registers the PLC writes', () => {
  let folder = ''
  let port = 0
  const open: { close: () => unknown }[] = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'own-memory-'))
    ;[port = 0] = await freePorts(1)
  })
  afterEach(async () => {
    for (const each of open.splice(0).reverse()) await each.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** One cell after the other, on the same port and with the same journal: the flow answers at once. */
  function cellOf(id: FamilyId, options: Partial<HandshakeOptions> & { absence?: number } = {}) {
    const { absence = 60_000, ...handshake } = options
    const map = openMap({ lines: families[id].map })
    const started: (number | undefined)[] = []
    const told: Told[] = []
    const answered: Promise<unknown>[] = []
    let answers = true
    let tokens = 0
    let running: { cell: PlcCell; journal: HandshakeJournal; isKilled: boolean } | undefined
    const start = async () => {
      const journal = await openJournal(folder, id)
      const cell: PlcCell = await PlcCell.open(
        {
          family: families[id],
          newToken: () => `token-${++tokens}`,
          openPort: (events, known) => openServerPort({ port, absence }, map, events, known),
          journal: journal.memory,
          keep: (entry) => {
            if (running?.isKilled !== true) journal.append(entry)
          },
          quiet: 60_000,
          unasked: 60_000,
          ...handshake,
        },
        {
          onStart: ({ token, job }) => {
            started.push(job)
            if (answers) answered.push(cell.answer(token, {}))
          },
          onTold: ({ what }) => told.push(what),
        },
      )
      cell.hear({ type: 'device', ready: true })
      running = { cell, journal, isKilled: false }
    }
    const stop = async (isKilled: boolean) => {
      if (!running) return
      const { cell, journal } = running
      // A killed program says nothing any more: neither to the PLC nor to its journal.
      running.isKilled = isKilled
      if (isKilled) await cell.port?.close()
      await cell.close()
      await journal.close()
      running = undefined
    }
    open.push({ close: () => stop(false) })
    return {
      started,
      told,
      start,
      restart: async (isKilled: boolean) => {
        await stop(isKilled)
        await start()
      },
      answer: (does: boolean) => (answers = does),
      isUp: () => running?.cell.isUp,
      phase: () => running?.cell.phase,
    }
  }

  async function plc() {
    const client = new ModbusRTU()
    client.setTimeout(5000)
    await client.connectTCP('127.0.0.1', { port })
    client.setID(1)
    open.push({ close: () => client.close(() => undefined) })
    const word = async (address: number) => (await client.readHoldingRegisters(address, 1)).data[0] ?? -1
    return {
      word,
      write: (address: number, value: number) => client.writeRegister(address, value),
      is: (address: number, value: number) =>
        eventually(async () => should(await word(address)).equal(value)),
      close: () => new Promise<void>((resolve) => client.close(() => resolve())),
    }
  }

  for (const isKilled of [false, true]) {
    const by = isKilled ? 'a kill' : 'a deploy'

    it(`executes no number twice after ${by}, in whatever order the PLC writes its words`, async () => {
      const cell = cellOf('sequence')
      await cell.start()
      let client = await plc()
      await client.write(sequence.request, 0)
      for (const number of [1, 2]) {
        await client.write(sequence.job, number)
        await client.write(sequence.request, number)
        await client.is(sequence.echo, number)
      }
      await client.close()
      await cell.restart(isKilled)
      client = await plc()
      // Nothing is known before the number itself has been written: ready is off, and the life counter stands.
      await client.write(sequence.job, 2)
      should((await client.word(sequence.state)) & 1).equal(0)
      await client.write(sequence.request, 2)
      should(cell.started).eql([1, 2])
      await client.is(sequence.echo, 2)
      await client.write(sequence.job, 3)
      await client.write(sequence.request, 3)
      await client.is(sequence.code, 0)
      should(cell.started).eql([1, 2, 3])
    })

    it(`knows the last number after ${by} from its journal, and waits for no word of a PLC that writes changes alone`, async () => {
      const cell = cellOf('sequence', { quiet: 30 })
      await cell.start()
      let client = await plc()
      await client.write(sequence.request, 0)
      await client.write(sequence.job, 7)
      await client.write(sequence.request, 1)
      await client.is(sequence.echo, 1)
      await client.close()
      await cell.restart(isKilled)
      client = await plc()
      await eventually(async () => should((await client.word(sequence.state)) & 1).equal(1))
      await client.write(sequence.request, 1)
      should(cell.started).eql([7])
      // The job of before stands, too.
      await client.write(sequence.request, 2)
      await client.is(sequence.echo, 2)
      should(await client.word(sequence.code)).equal(0)
      should(cell.started).eql([7, 7])
    })

    it(`executes no EXE twice after ${by}, where the command comes before it`, async () => {
      const cell = cellOf('exe-busy-flg')
      await cell.start()
      let client = await plc()
      await client.write(exe.request, 0)
      await client.write(exe.command, 5)
      await client.write(exe.request, 1)
      await eventually(async () => should((await client.word(exe.state)) & 1).equal(1))
      await client.close()
      await cell.restart(isKilled)
      client = await plc()
      await client.write(exe.command, 6)
      await client.write(exe.request, 1)
      // FLG and error, beside BUSY.
      await client.is(exe.state, 0b1_0011)
      should(await client.word(exe.code)).equal(206)
      should(cell.started).have.length(1)
      await client.write(exe.request, 0)
      await eventually(async () => should((await client.word(exe.state)) & 7).equal(4))
      await client.write(exe.request, 1)
      await client.is(exe.code, 0)
      should(cell.started).have.length(2)
    })

    it(`does not leave an error beside ready where the trigger was reset during ${by}`, async () => {
      const cell = cellOf('four-phases', { unasked: 30 })
      await cell.start()
      cell.answer(false)
      let client = await plc()
      await client.write(four.request, 0)
      await client.write(four.request, 1)
      await client.close()
      await cell.restart(isKilled)
      client = await plc()
      await client.write(four.request, 0)
      // The interrupted cycle may still be under way in the flow: ready waits for it, the error does not.
      await client.is(four.code, 206)
      await eventually(async () => should((await client.word(four.state)) & 0b1110).equal(0))
    })

    it(`refuses the job that was prepared before ${by}, until one is prepared again`, async () => {
      const cell = cellOf('command-echo')
      await cell.start()
      let client = await plc()
      const command = async (code: number) => {
        await client.write(commands.request, 0)
        await client.is(commands.echo, 0)
        await client.write(commands.request, code)
        await client.is(commands.echo, code)
        await eventually(async () => should((await client.word(commands.state)) & 0b1100).not.equal(0))
        return client.word(commands.code)
      }
      await client.write(commands.job, 8)
      should(await command(2)).equal(0)
      await client.write(commands.job, 0)
      should(await command(4)).equal(0)
      should(await client.word(commands.jobEcho)).equal(8)
      await client.write(commands.request, 0)
      await client.close()
      await cell.restart(isKilled)
      client = await plc()
      should(await command(4)).equal(211)
      await client.write(commands.job, 9)
      should(await command(2)).equal(0)
      should(await command(4)).equal(0)
      // Another connection may be that of a PLC that has restarted.
      await client.close()
      client = await plc()
      should(await command(4)).equal(211)
      should(await command(3)).equal(0)
      should(await command(4)).equal(0)
      should(cell.started).eql([8, 9, 9])
    })
  }

  it('is not ready before the request has been written once, and says so', async () => {
    const cell = cellOf('four-phases', { quiet: 5 })
    await cell.start()
    const client = await plc()
    await eventually(() => Promise.resolve(should(cell.told).eql(['request-unknown'])))
    should(cell.phase()).equal('unknown')
    should(await client.word(four.state)).equal(0)
    await client.write(four.request, 0)
    should(await client.word(four.state)).equal(1)
  })

  for (const id of ['sequence', 'four-phases'] as const)
    it(`answers a PLC that comes back after a while and triggers at once, by ${id}`, async () => {
      const cell = cellOf(id, { absence: 1 })
      await cell.start()
      let client = await plc()
      const { request, state, code } = id === 'sequence' ? sequence : four
      for (const number of [1, 2]) {
        await client.write(request, id === 'sequence' ? number : 1)
        const error = id === 'sequence' ? 0b1001 : 0b1000
        const done = id === 'sequence' ? 0b101 : 0b100
        await client.is(state, number === 1 ? error : done)
        should(await client.word(code)).equal(number === 1 ? 205 : 0)
        await client.write(request, id === 'sequence' ? number : 0)
        if (number === 1) await eventually(async () => should((await client.word(state)) & 1).equal(1))
      }
      await client.close()
      await eventually(() => Promise.resolve(should(cell.isUp()).be.false()))
      client = await plc()
      await client.write(request, id === 'sequence' ? 3 : 1)
      await client.is(state, id === 'sequence' ? 5 : 4)
      should(await client.word(code)).equal(0)
      should(cell.started).have.length(2)
    })

  it('keeps the answer to a pulse until the PLC has read it', async () => {
    const cell = cellOf('four-phases', { minimumDone: 0 })
    await cell.start()
    const client = await plc()
    await client.write(four.request, 0)
    should(await client.word(four.state)).equal(1)
    await client.write(four.request, 1)
    await client.write(four.request, 0)
    // The code alone is no look at the flags.
    should(await client.word(four.code)).equal(0)
    should(await client.word(four.state)).equal(4)
    should(await client.word(four.state)).equal(1)
  })

  it('keeps the answer for a PLC that was away when it came', async () => {
    const cell = cellOf('four-phases', { absence: 1 })
    await cell.start()
    cell.answer(false)
    let client = await plc()
    await client.write(four.request, 0)
    await client.write(four.request, 1)
    await client.close()
    await eventually(() => Promise.resolve(should(cell.isUp()).be.false()))
    client = await plc()
    should(await client.word(four.state)).equal(2)
    should(cell.started).have.length(1)
    await client.write(four.request, 1)
    should(await client.word(four.state)).equal(2)
  })
})
