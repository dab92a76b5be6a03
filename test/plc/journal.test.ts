import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { lineFiles, type LineFiles } from '../../lib/files/line-files'
import { families } from '../../lib/plc/families'
import { createHandshake, type JournalEntry } from '../../lib/plc/handshake'
import { openJournal } from '../../lib/plc/journal'
import { journalOf } from '../../nodes/plc/journal-of'
import { eventually } from '../support/eventually'

describe('the journal of a handshake', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handshake-journal-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const sent = (number: number): JournalEntry => ({
    kind: 'sent',
    token: `token ${number}`,
    request: number,
    acquisitionId: number,
  })
  const open = () => openJournal(folder, 'node')

  it('knows after a restart what was sent and not taken', async () => {
    const first = await open()
    first.append(sent(1))
    first.append({ kind: 'ended', token: 'token 1', code: 0, counter: 7 })
    await first.close()
    const second = await open()
    const { unsettled, ...others } = second.memory
    others.should.eql({
      counter: 7,
      acquisitionId: 1,
      owed: { token: 'token 1', request: 1, sent: true },
    })
    should(unsettled).match({ token: 'token 1', request: 1 })
    should(Date.now() - (unsettled?.at ?? 0)).be.within(0, 60_000)
    second.append({ kind: 'settled', token: 'token 1' })
    second.append({ kind: 'taken', token: 'token 1' })
    await second.close()
    const third = await open()
    third.memory.should.eql({ counter: 7, acquisitionId: 1 })
    await third.close()
  })

  it('keeps the journals of two nodes apart', async () => {
    const one = await open()
    one.append(sent(1))
    const other = await openJournal(folder, 'other/node')
    other.memory.should.eql({ counter: 0, acquisitionId: 0 })
    await Promise.all([one.close(), other.close()])
  })

  it('does not grow without end, and forgets nothing meanwhile', async () => {
    const journal = await open()
    const sizes = async () => {
      const files = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))))
      return files.reduce((sum, { size }) => sum + size, 0)
    }
    for (let number = 1; number <= 5000; number += 1) {
      journal.append(sent(number))
      journal.append({ kind: 'ended', token: `token ${number}`, code: 0, counter: number })
      // The old file is emptied once the disk has the new one.
      if (number % 100 === 0) await eventually(async () => (await sizes()).should.be.below(140_000))
    }
    await journal.close()
    const again = await open()
    again.memory.should.match({ counter: 5000, acquisitionId: 5000, owed: { token: 'token 5000' } })
    await again.close()
  })

  it('has on the disk what was sent, and empties no file before the disk has the next one', async () => {
    const real = lineFiles(folder)
    const done: string[] = []
    const file = (name: string) => name.split('.')[1] ?? ''
    const files: LineFiles = {
      ...real,
      replace: async (name, line) => {
        await real.replace(name, line)
        done.push(`replaced ${file(name)}`)
      },
      append: (name, line) => {
        real.append(name, line)
        const { kind } = JSON.parse(line.trim().split('\n')[0] ?? '') as { kind: string }
        done.push(`${kind} ${file(name)}`)
      },
      sync: async (name) => {
        await real.sync(name)
        done.push(`synced ${file(name)}`)
      },
      spoil: (name) => {
        real.spoil(name)
        done.push(`emptied ${file(name)}`)
      },
    }
    const journal = await openJournal(folder, 'node', { files })
    should(done).eql(['replaced 1', 'emptied 0'])
    journal.append(sent(1))
    await eventually(() => should(done.slice(2)).eql(['sent 1', 'synced 1']))
    // Together, at the end of the turn.
    journal.append({ kind: 'ended', token: 'token 1', code: 0, counter: 1 })
    journal.append({ kind: 'settled', token: 'token 1' })
    should(done.slice(4)).eql([])
    await Promise.resolve()
    should(done.slice(4)).eql(['ended 1'])
    const long = 'x'.repeat(70_000)
    journal.append({ kind: 'settled', token: long })
    await eventually(() => should(done.slice(5)).eql(['memory 0', 'synced 0', 'emptied 1']))
    await journal.close()
  })

  it('tells what a power failure would take, and goes on', async () => {
    const errors: unknown[] = []
    const files: LineFiles = { ...lineFiles(folder), sync: () => Promise.reject(new Error('no disk')) }
    const journal = await openJournal(folder, 'node', { files, failed: (error) => errors.push(error) })
    journal.append(sent(1))
    await journal.close()
    should(errors).match([{ message: 'no disk' }])
    const again = await open()
    again.memory.should.match({ acquisitionId: 1 })
    await again.close()
  })

  it('reads past a line that was cut off', async () => {
    const journal = await open()
    journal.append(sent(3))
    await journal.close()
    const names = (await readdir(folder)).sort()
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
    const current = names[texts.findIndex((text) => text !== '')] ?? ''
    await appendFile(join(folder, current), '{"kind":"sent","tok')
    const again = await open()
    again.memory.should.match({ acquisitionId: 3 })
    again.append(sent(4))
    await again.close()
    const last = await open()
    last.memory.should.match({ acquisitionId: 4 })
    await last.close()
  })

  it('survives a kill in the middle of a cycle, which is told and not repeated', async () => {
    const program = `
      const { openJournal } = require(${JSON.stringify(require.resolve('../../lib/plc/journal'))})
      openJournal(${JSON.stringify(folder)}, 'node').then((journal) => {
        journal.append({ kind: 'sent', token: 'token 1', request: 1, acquisitionId: 1 })
        process.kill(process.pid, 'SIGKILL')
      })`
    await new Promise((resolve) => spawn(process.execPath, ['-e', program]).once('close', resolve))
    const journal = await open()
    const machine = createHandshake({
      family: families['four-phases'],
      newToken: () => 'token 2',
      now: 0,
      journal: journal.memory,
    })
    machine.handle({ type: 'device', ready: true }, 0)
    machine.handle({ type: 'link', up: true }, 0)
    const effects = machine.handle({ type: 'sample', says: { trigger: true } }, 0)
    effects.filter(({ type }) => type === 'start').should.eql([])
    effects.should.matchAny({ type: 'write', says: { error: true, code: 206 } })
    await journal.close()
  })

  it('lets the handshake go on where it cannot be written any more, and tells so once', async () => {
    const errors: unknown[] = []
    const place = join(folder, 'below')
    const journal = await journalOf(place, 'node', (error) => errors.push(error))
    await rm(place, { recursive: true })
    for (let number = 1; number <= 2000; number += 1) journal.append(sent(number))
    errors.length.should.equal(1)
    journal.memory.should.match({ acquisitionId: 2000 })
    await journal.close()
  })
})
