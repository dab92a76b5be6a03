import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { appendFile, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import should from 'should'
import { families } from '../../lib/plc/families'
import { createHandshake, type JournalEntry } from '../../lib/plc/handshake'
import { openJournal } from '../../lib/plc/handshake/journal'
import { smallDisk } from '../support/damages'
import { eventually } from '../support/eventually'

describe('the journal of a handshake', () => {
  let [folder, file] = ['', '']
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handshake-journal-'))
    file = join(folder, 'node.journal.jsonl')
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
      // The old file is replaced once the disk has the new one.
      if (number % 100 === 0) await eventually(async () => (await sizes()).should.be.below(140_000))
    }
    await journal.close()
    const again = await open()
    again.memory.should.match({ counter: 5000, acquisitionId: 5000, owed: { token: 'token 5000' } })
    await again.close()
  })

  it('has in its file at once what was sent, and the rest of a turn at its end', async () => {
    const journal = await open()
    const kinds = () =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { kind: string }).kind)
    journal.append({ kind: 'ended', token: 'token 1', code: 0, counter: 1 })
    should(kinds()).eql(['memory'])
    journal.memory.should.match({ counter: 1 })
    journal.append(sent(1))
    should(kinds()).eql(['memory', 'ended', 'sent'])
    journal.append({ kind: 'ended', token: 'token 1', code: 0, counter: 2 })
    journal.append({ kind: 'settled', token: 'token 1' })
    should(kinds()).have.length(3)
    await Promise.resolve()
    should(kinds().slice(3)).eql(['ended', 'settled'])
    await journal.close()
  })

  it('is read from the two files of version 0.1, once', async () => {
    const lineOf = (value: object) => `${JSON.stringify(value)}\n`
    const [older, newer] = [0, 1].map((part) => join(folder, `node.${part}.handshake.jsonl`))
    const memory = { counter: 5, acquisitionId: 5 }
    writeFileSync(older ?? '', lineOf({ kind: 'memory', generation: 2, memory }) + lineOf(sent(6)))
    writeFileSync(
      newer ?? '',
      `${lineOf({ kind: 'memory', generation: 3, memory: { counter: 8, acquisitionId: 8 } })}\n` +
        `${lineOf(sent(9))}{"kind":"sent","tok`,
    )
    const journal = await open()
    journal.memory.should.match({ counter: 8, acquisitionId: 9, owed: { token: 'token 9' } })
    journal.append(sent(10))
    await journal.close()
    should(await readdir(folder)).eql(['node.journal.jsonl'])
    const again = await open()
    again.memory.should.match({ counter: 8, acquisitionId: 10 })
    await again.close()
  })

  it('on a full disk says so once, remembers everything, and brings it along when there is room', async function () {
    const disk = smallDisk()
    if (!disk) return this.skip()
    try {
      const errors: unknown[] = []
      const failed = (error: unknown) => errors.push(error)
      const journal = await openJournal(disk.folder, 'node', { failed })
      disk.fill()
      for (let number = 1; number <= 1000; number += 1) journal.append(sent(number))
      should(errors).match([{ code: 'NOT_WRITTEN', message: /disk is full/ }])
      journal.memory.should.match({ acquisitionId: 1000 })
      disk.free()
      journal.append({ kind: 'ended', token: 'token 1000', code: 0, counter: 3 })
      await journal.close()
      const again = await openJournal(disk.folder, 'node', { failed })
      again.memory.should.match({ acquisitionId: 1000, counter: 3 })
      await again.close()
      should(errors).have.length(1)
    } finally {
      disk.remove()
    }
  })

  it('reads past a line that was cut off', async () => {
    const journal = await open()
    journal.append(sent(3))
    await journal.close()
    await appendFile(file, '{"kind":"sent","tok')
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
      const { openJournal } = require(${JSON.stringify(require.resolve('../../lib/plc/handshake/journal'))})
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
    const effects = machine.handle({ type: 'sample', inputs: { trigger: true } }, 0)
    effects.filter(({ type }) => type === 'start').should.eql([])
    effects.should.matchAny({ type: 'write', outputs: { error: true, code: 206 } })
    await journal.close()
  })

  it('lets the handshake go on where it cannot be written at all, and says so once', async () => {
    const errors: unknown[] = []
    const place = join(folder, 'below')
    writeFileSync(place, '')
    const journal = await openJournal(place, 'node', { failed: (error) => errors.push(error) })
    for (let number = 1; number <= 2000; number += 1) journal.append(sent(number))
    should(errors).match([{ code: 'NOT_WRITTEN' }])
    journal.memory.should.match({ acquisitionId: 2000 })
    await journal.close()
  })
})
