import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import should from 'should'
import { CellAgent } from '../../lib/fleet/agent/agent'
import {
  openAgentJournal,
  type AgentJournal,
  AgentMemory,
  type Outgoing,
} from '../../lib/fleet/agent/journal'
import { StatePace } from '../../lib/fleet/agent/state-pace'
import { commandKinds, mostBytes, version, type Command } from '../../lib/fleet/messages'
import { smallDisk } from '../support/damages'
import { eventually } from '../support/eventually'
import { useFolder } from '../virtual-device/support/temporary-folder'

const command = (id: string, more: Partial<Command> = {}): Command => ({
  ...{ v: version, id, from: 'hq', do: 'set-parameters', device: 'left', args: {} },
  ...more,
})

/** An agent with a journal in memory, and what it executes and says. */
function agentWith(journal: AgentJournal, { clock = Date.now, result = {} } = {}) {
  const executed: string[] = []
  const said: Outgoing[] = []
  const agent = new CellAgent({
    ...{ plant: 'north', cell: 'c1', boot: 'b1', journal, clock, resumable: new Set() },
    rights: { kinds: new Set(commandKinds), services: [], flows: [] },
    execute: ({ id }) => {
      executed.push(id)
      return Promise.resolve({ state: 'done', result })
    },
    send: (message) => said.push(message),
    say: (key) => key,
    failed: (error) => ({ state: 'failed', code: 'INTERNAL', text: String(error) }),
  })
  agent.start()
  const final = (id: string) =>
    eventually(() => {
      const found = said.findLast(
        ({ body }) => 'id' in body && body.id === id && !['accepted', 'working'].includes(body.state),
      )
      should(found).not.equal(undefined)
      return found?.body as Exclude<Outgoing['body'], { event: string }>
    })
  return { agent, executed, said, final }
}

const inMemory = (bounds = {}): AgentJournal => {
  const memory = new AgentMemory(bounds)
  return {
    memory,
    record: (entry) => {
      memory.apply(entry)
      return Promise.resolve()
    },
    close: () => Promise.resolve(),
  }
}

describe('the agent of a cell', () => {
  const folder = useFolder()

  for (const hours of [-1, 1])
    it(`works with a clock that is wrong by ${hours} h`, async () => {
      const clock = () => Date.now() + hours * 3_600_000
      const { agent, executed, final } = agentWith(inMemory(), { clock })
      agent.receive(command('one'))
      should(await final('one')).match({ state: 'done' })
      const notAfter = new Date(Date.now() + 2 * 3_600_000).toISOString()
      agent.receive(command('two', { notAfter }))
      should(await final('two')).match({ state: 'done' })
      // What is late by its own clock is refused, and not executed.
      agent.receive(command('three', { notAfter: new Date(clock() - 1).toISOString() }))
      should(await final('three')).match({ state: 'refused', code: 'EXPIRED', text: 'fleet-expired' })
      should(executed).deepEqual(['one', 'two'])
      await agent.close()
    })

  it('keeps and sends nothing that is not plain JSON', async () => {
    const journal = await openAgentJournal(folder.path('plain'))
    const { agent, said, final } = agentWith(journal, { result: { parameters: [1, 2n] } })
    agent.receive(command('one'))
    should(await final('one')).match({
      ...{ state: 'done', code: 'INVALID_INPUT', text: /^result\.parameters\[1\] is a BigInt/ },
    })
    ;(() => agent.report({ event: 'alarm', data: { items: [() => 1] } })).should.throw({
      ...{ code: 'INVALID_INPUT', message: /^data\.items\[0\] is a function/ },
    })
    await journal
      .record({ kind: 'event', body: { data: 1n } as never })
      .should.be.rejectedWith({ code: 'INVALID_INPUT', path: 'entry.body.data' })
    journal.memory.pending.size.should.equal(1)
    said.every(({ kind }) => kind === 'answer').should.be.true()
    await agent.close()
    const again = await openAgentJournal(folder.path('plain'))
    should(again.memory.jobs.get('one')).match({ phase: 'ended', answer: { code: 'INVALID_INPUT' } })
    await again.close()
  })

  it('does not execute an id whose answer is no longer kept', async () => {
    const { agent, executed, final } = agentWith(inMemory({ jobs: 3, oldIds: 5 }))
    for (let number = 0; number < 6; number++) {
      agent.receive(command(`job-${number}`))
      await final(`job-${number}`)
    }
    agent.receive(command('job-0'))
    should(await final('job-0')).match({ state: 'unknown', code: 'TOO_OLD' })
    should(executed).have.length(6)
    await agent.close()
  })

  it('keeps no more results than fit, and the answers all the same', async () => {
    const journal = inMemory({ characters: 10_000 })
    const { agent, final } = agentWith(journal, { result: 'x'.repeat(4000) })
    for (const id of ['a', 'b', 'c']) {
      agent.receive(command(id))
      await final(id)
    }
    should(journal.memory.jobs.get('a')?.answer).match({ state: 'done' })
    should(journal.memory.jobs.get('a')?.answer).not.have.property('result')
    should(journal.memory.jobs.get('c')?.answer).have.property('result')
    should(journal.memory.pending.size).be.below(3)
    await agent.close()
  })

  it('leaves out a result that is too large for a message', async () => {
    const { agent, final } = agentWith(inMemory(), { result: 'x'.repeat(mostBytes) })
    agent.receive(command('one'))
    const answer = await final('one')
    should(answer).match({ state: 'done', code: 'RESULT_TOO_LARGE' })
    should(answer).not.have.property('result')
    await agent.close()
  })

  it('refuses commands while its journal cannot be written, and executes nothing', async () => {
    const journal = inMemory()
    const { agent, executed, final } = agentWith({
      ...journal,
      memory: journal.memory,
      record: (entry) => {
        journal.memory.apply(entry)
        return Promise.reject(new Error('ENOSPC'))
      },
    })
    agent.receive(command('one'))
    should(await final('one')).match({ state: 'refused', code: 'INTERNAL' })
    should(executed).deepEqual([])
    await agent.close()
  })

  it('drops the oldest events when nobody acknowledges, and counts them', async () => {
    const journal = inMemory({ pending: 10 })
    const { agent } = agentWith(journal)
    for (let number = 0; number < 15; number++) agent.report({ event: 'alarm', text: String(number) })
    should(journal.memory.pending.size).equal(10)
    should(journal.memory.eventsLost).equal(5)
    await agent.close()
  })

  describe('has a journal that', () => {
    it('is the same after a restart, also with a line that was cut off', async () => {
      const one = await openAgentJournal(folder.path('journal'))
      const first = agentWith(one)
      first.agent.receive(command('one'))
      await first.final('one')
      await first.agent.close()
      appendFileSync(folder.path('journal/agent.jsonl'), '\n{"kind":"job","job":{"comm')
      const two = await openAgentJournal(folder.path('journal'))
      const second = agentWith(two)
      second.agent.receive(command('one'))
      should(await second.final('one')).deepEqual(await first.final('one'))
      should(second.executed).deepEqual([])
      await second.agent.close()
    })

    it('stays small', async () => {
      const journal = await openAgentJournal(folder.path('journal'), { bounds: { jobs: 5, oldIds: 10 } })
      const { agent, final } = agentWith(journal, { result: 'x'.repeat(20_000) })
      for (let number = 0; number < 60; number++) {
        agent.receive(command(`job-${number}`))
        const { boot, seq } = await final(`job-${number}`)
        agent.acknowledge({ v: version, boot, seqs: [seq] })
      }
      await agent.close()
      should(readFileSync(folder.path('journal/agent.jsonl')).length).be.below(700_000)
    })

    it('says that it is damaged where it could have lost what was executed', async () => {
      const journal = await openAgentJournal(folder.path('journal'))
      await journal.close()
      const file = folder.path('journal/agent.jsonl')
      const acked = '\n{"kind":"acked","boot":"a","seqs":[1]}\n'
      for (const text of ['garbage', `garbage${acked}`, '{"jobs":5}\n', `\0\0${acked}`]) {
        writeFileSync(file, text)
        await openAgentJournal(folder.path('journal')).should.be.rejectedWith({ code: 'DAMAGED' })
        readFileSync(file, 'utf8').should.equal(text)
      }
    })

    it('of an earlier version is read', async () => {
      const command = { id: 'one', do: 'reboot', device: 'left' }
      const lines = [
        { jobs: [{ command, phase: 'begun' }], oldIds: ['x'], pending: [], eventsLost: 3 },
        { kind: 'event', body: { boot: 'a', seq: 1, event: 'alarm' } },
        { kind: 'event', body: { boot: 'a', seq: 2, event: 'alarm' } },
        { kind: 'acked', boot: 'a', seqs: [1] },
      ]
      mkdirSync(folder.path('earlier'))
      writeFileSync(
        folder.path('earlier/agent.jsonl'),
        lines.map((line) => `${JSON.stringify(line)}\n`).join('\n'),
      )
      const { memory, close } = await openAgentJournal(folder.path('earlier'))
      should(memory.jobs.get('one')).match({ phase: 'begun' })
      should([...memory.pending.keys()]).deepEqual(['a 2'])
      should(memory.eventsLost).equal(3)
      await close()
    })

    it('of a full disk refuses commands, and damages no entry that follows', async function () {
      const disk = smallDisk()
      if (!disk) return this.skip()
      try {
        const journal = await openAgentJournal(disk.folder)
        disk.fill()
        const body = { boot: 'a', seq: 1, event: 'alarm', text: 'x'.repeat(9000) } as never
        await journal.record({ kind: 'event', body }).should.be.rejectedWith({ code: 'NOT_WRITTEN' })
        disk.free()
        await journal.record({ kind: 'event', body: { boot: 'a', seq: 2, event: 'alarm' } as never })
        await journal.close()
        const again = await openAgentJournal(disk.folder)
        should([...again.memory.pending.keys()]).deepEqual(['a 1', 'a 2'])
        await again.close()
      } finally {
        disk.remove()
      }
    })
  })

  it('publishes a change soon, at most once a second, and regularly', () => {
    const pace = new StatePace(10_000)
    should(pace.isDue('a', 0)).equal(true)
    should(pace.isDue('b', 500)).equal(false)
    should(pace.isDue('b', 1000)).equal(true)
    should(pace.isDue('b', 10_999)).equal(false)
    should(pace.isDue('b', 11_000)).equal(true)
    pace.hurry()
    should(pace.isDue('b', 12_000)).equal(true)
  })
})
