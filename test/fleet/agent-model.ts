import { CellAgent, type CommandWork, type Ending } from '../../lib/fleet/agent/agent'
import { AgentMemory, type AgentEntry, type Outgoing } from '../../lib/fleet/agent/journal'
import { commandKinds, finalStates, version, type Command, type CommandKind } from '../../lib/fleet/messages'
import { seededRandom } from '../../virtual-device/values'

/** What is wrong after a run; empty if nothing is. */
export interface AgentRun {
  wrong: string[]
  executed: number
  restarts: number
  finals: Record<string, number>
}

const cell = { plant: 'north', cell: 'c1' }
const device = 'camera'
/** Milliseconds of faults; afterwards, everything must come to its end. */
const stormy = 120_000

/** Runs a cell and a centre through kills, power failures, lost, repeated and late messages. */
export async function runAgent(seed: number, commands: number): Promise<AgentRun> {
  const random = seededRandom(seed)
  const within = (most: number) => random() * most
  let now = 0
  let queue: { at: number; work: () => void }[] = []
  const later = (work: () => void, milliseconds: number) => {
    const item = { at: now + milliseconds, work }
    queue.push(item)
    return () => void (queue = queue.filter((other) => other !== item))
  }
  const isStormy = () => now < stormy
  const wrong: string[] = []

  // What survives a power failure.
  const disk: string[] = []
  let agent: CellAgent | undefined
  let boot = 0
  let restarts = 0
  const executions = new Map<string, number>()
  const resumable: ReadonlySet<CommandKind> = new Set(['update-firmware'])

  const start = () => {
    const own = `boot-${++boot}`
    const memory = new AgentMemory({ jobs: 20, oldIds: 500 })
    for (const line of disk) memory.apply(JSON.parse(line) as AgentEntry)
    const isAlive = () => agent === incarnation
    const note = (entry: AgentEntry) => {
      memory.apply(entry)
      const line = JSON.stringify(entry)
      return new Promise<void>((resolve) => {
        later(() => {
          if (!isAlive()) return
          disk.push(line)
          resolve()
        }, 5)
      })
    }
    const incarnation: CellAgent = new CellAgent({
      ...{ ...cell, boot: own, resumable },
      journal: { memory, record: note, close: () => Promise.resolve() },
      rights: {
        kinds: new Set(commandKinds.filter((kind) => kind !== 'restore')),
        services: ['camera/trigger'],
        flows: ['light'],
      },
      execute: (command, work) => execute(command, work, isAlive),
      send: (message) => isAlive() && publish(message),
      say: (key) => key,
      failed: (error) => ({ state: 'failed', code: 'INTERNAL', text: String(error) }),
      clock: () => 1e12 + now,
      now: () => now,
      later: (work, milliseconds) => later(() => isAlive() && work(), milliseconds),
    })
    agent = incarnation
    incarnation.start()
  }

  const execute = (command: Command, { resumed }: CommandWork, isAlive: () => boolean): Promise<Ending> => {
    const { id, do: kind } = command
    if (resumed === undefined) executions.set(id, (executions.get(id) ?? 0) + 1)
    else if (!executions.has(id) || !resumable.has(kind)) wrong.push(`${id} goes on, and never began`)
    return new Promise((resolve) => {
      later(() => {
        if (!isAlive()) return
        resolve(random() < 0.9 ? { state: 'done', result: id } : { state: 'failed', code: 'REFUSED' })
      }, within(3000))
    })
  }

  /** What the centre knows of each id: all final answers that it has heard. */
  const heard = new Map<string, Set<string>>()
  const accepted = new Set<string>()
  const reached = new Set<string>()
  const arrives = (work: () => void) => {
    if (isStormy() && random() < 0.3) return
    later(work, within(isStormy() && random() < 0.1 ? 60_000 : 50))
    if (isStormy() && random() < 0.2) later(work, within(30_000))
  }
  const publish = ({ body }: Outgoing) =>
    arrives(() => {
      if (!('id' in body)) return
      const { id, seq, boot: of, state, code = '' } = body
      accepted.add(id)
      if (!finalStates.has(state)) return
      if (code !== 'TOO_OLD') heard.set(id, (heard.get(id) ?? new Set()).add(`${state} ${code}`))
      else if (!heard.has(id)) heard.set(id, new Set([`${state} ${code}`]))
      arrives(() => agent?.acknowledge({ v: version, boot: of, seqs: [seq] }))
    })
  const ask = (command: Command) => {
    if (heard.has(command.id)) return
    if (!isStormy() && accepted.has(command.id)) return
    arrives(() => {
      if (!agent) return
      reached.add(command.id)
      agent.receive(command, { replyTo: 'vision/centre/a/answer' })
    })
    later(() => ask(command), 2000 + within(4000))
  }

  for (let number = 0; number < commands; number++) {
    const kind = commandKinds[Math.floor(within(commandKinds.length))] ?? 'backup'
    const id = `job-${number}`
    const args = {
      'call-service': { node: 'camera', service: random() < 0.8 ? 'trigger' : 'other' },
      'run-flow': { flow: 'light' },
      status: { job: `job-${Math.floor(within(commands))}` },
      abort: { job: `job-${Math.floor(within(commands))}` },
    }
    const command: Command = {
      ...{ v: version, id, from: 'a', do: kind, device },
      args: (args as Partial<Record<CommandKind, Command['args']>>)[kind] ?? {},
      ...(random() < 0.1 && { notAfter: new Date(1e12 + within(stormy)).toISOString() }),
    }
    later(() => ask(command), within(stormy))
  }
  const killSometimes = () => {
    if (!isStormy()) return
    agent = undefined
    restarts++
    later(() => {
      start()
      later(killSometimes, 2000 + within(20_000))
    }, within(3000))
  }
  start()
  later(killSometimes, within(20_000))

  while (queue.length > 0 && now < stormy + 3_600_000) {
    queue.sort((one, other) => one.at - other.at)
    const next = queue.shift()
    if (!next) break
    now = Math.max(now, next.at)
    next.work()
    await new Promise(setImmediate)
  }

  const finals: AgentRun['finals'] = {}
  for (const id of reached) {
    const ends = [...(heard.get(id) ?? [])]
    const count = executions.get(id) ?? 0
    if (ends.length !== 1) wrong.push(`${id} has the ends ${JSON.stringify(ends)}`)
    if (count > 1) wrong.push(`${id} was executed ${count} times`)
    const [end = ''] = ends
    if (end.startsWith('refused') && count > 0) wrong.push(`${id} was refused and executed`)
    finals[end] = (finals[end] ?? 0) + 1
  }
  if (agent && agent.working.length > 0) wrong.push('something still goes on')
  return { wrong, executed: executions.size, restarts, finals }
}
