import type { NodeMessage, Node, NodeAPI } from 'node-red'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { CellName, CellState, Command } from '../../lib/fleet/messages'
import type { Outgoing } from '../../lib/fleet/agent/journal'
import { loadFleet, loadAgent } from '../shared/load-later'
import type { CellAgent } from '../../lib/fleet/agent/agent'
import { openValue, StorageError } from '../../lib/kernel/storage'
import { startInterval } from '../../lib/kernel/timers'
import { onEachDeploy } from '../robot-motion/deployed-robot'
import { asSentence } from '../shared/sentences'
import { detailOf, currentLanguage } from '../shared/node-error'
import { CellDevices, deviceState, SettingsPrints } from './cell-devices'
import { FlowRuns } from './flow-runs'
import { CalibrationAges, CellNames, FormerNames, SeenCalibrations } from './kept-files'
import type { CellSettings } from './cell-agent'
import { SparkplugSide } from './sparkplug'
import { endingOf, execute } from './commands'
import { sentencesOf } from '../sentences'

/** Seconds after which the broker drops an answer without a receiver; it is repeated anyway. */
const answerExpiry = 3600

/** A message for `mqtt out`. */
const published = (topic: string, body: object, more: object): NodeMessage => ({
  ...{ topic, payload: JSON.stringify(body), qos: 1, retain: false, contentType: 'application/json' },
  ...more,
})

/** An answer or an event of a cell. */
function answerMessage(cell: CellName, message: Outgoing): NodeMessage {
  const { topicOf } = loadFleet()
  const { kind, body } = message
  const topic = (kind === 'answer' && message.replyTo) || topicOf(cell, kind)
  return published(topic, body, {
    messageExpiryInterval: answerExpiry,
    ...(kind === 'answer' && { correlationData: Buffer.from(message.body.id) }),
  })
}

/** A message of a cell to itself, by way of the broker. @param lasts seconds */
const echoMessage = (cell: CellName, echo: object, lasts: number): NodeMessage =>
  published(loadFleet().topicOf(cell, 'here'), echo, { messageExpiryInterval: lasts })

/** Deletes the retained state of a cell: it leaves the fleet. */
const leavingMessage = (cell: CellName): NodeMessage => ({
  ...{ topic: loadFleet().topicOf(cell, 'state'), payload: '', qos: 1, retain: true },
})

/** The retained state of a cell. */
const stateMessage = (cell: CellName, state: CellState): NodeMessage =>
  published(loadFleet().topicOf(cell, 'state'), state, {
    retain: true,
    messageExpiryInterval: state.expires,
  })

const { nodeError } = sentencesOf('cell-agent')

/** Milliseconds between two checks for changes. */
const pollEvery = 500

/** An agent at work, until it is closed. */
export interface RunningAgent {
  agent: CellAgent
  flows: FlowRuns
  /** Where the cell is an edge node of Sparkplug B. */
  sparkplug: SparkplugSide | undefined
  /** The command with the name of the only device, where it names none. */
  completed: (command: Command) => Command
  /**
   * Receives a message on the topic of the broker's birth message and of the cell's echo.
   * @returns whether the cell sent it
   */
  here: (payload: unknown) => boolean
  /** @param isRemoved whether the node is deleted, or switched off */
  close: (isRemoved: boolean) => Promise<void>
}

interface AgentOutputs {
  toBroker: (msg: NodeMessage) => void
  toFlows: (msg: NodeMessage) => void
  toSparkplug: (msg: NodeMessage) => void
  /** Says in the flow what is wrong. */
  reportError: (error: Error) => void
  /** Commands under way, and whether the broker is there. */
  showProgress: (working: number, isConnected: boolean) => void
}

/** @throws INTERNAL if the journal cannot be read or written */
export async function runAgent(
  RED: NodeAPI,
  node: Node,
  settings: CellSettings,
  { toBroker, toFlows, toSparkplug, reportError, showProgress }: AgentOutputs,
): Promise<RunningAgent> {
  const { BrokerEcho, CellAgent, openAgentJournal, rightsAsTexts, StatePace } = loadAgent()
  const { version, mostDevices } = loadFleet()
  const { userDir = '' } = RED.settings as { userDir?: string }
  const folder = join(userDir, 'vision-fleet', encodeURIComponent(node.id))
  const failed = (error: StorageError) => node.warn(error.inLanguage(currentLanguage()))
  const journal = await openAgentJournal(folder, { onDamage: failed }).catch((error: unknown) => {
    throw error instanceof StorageError && error.reason.key !== 'reason-system'
      ? nodeError('INTERNAL', 'cell-journal-damaged', { folder })
      : nodeError('INTERNAL', 'cell-journal', { folder, reason: reasonOf(error) })
  })

  const fileOf = (name: string) => ({ file: join(folder, name), onDamage: failed, onFailure: failed })
  const agesFile = await openValue({ ...fileOf('calibrations.json'), schema: SeenCalibrations, initial: {} })
  const namesFile = await openValue({ ...fileOf('names.json'), schema: CellNames, initial: [] })

  const boot = randomUUID()
  const pace = new StatePace(1000 * settings.every)
  const echo = new BrokerEcho(boot, 1000 * settings.every)
  const show = () => showProgress(agent.working.length, echo.isThere(performance.now()))
  let n = 0
  const devices = new CellDevices(RED, node, settings.devices, (_, state) => {
    if (state === 'ready') prints.refresh()
  })
  const prints: SettingsPrints = new SettingsPrints(
    devices,
    settings.fingerprint,
    new CalibrationAges(agesFile),
    () => undefined,
  )
  const flows = new FlowRuns(RED, toFlows, settings.flowWithin)
  const { plant, cell, rights } = settings
  const parts = { ...settings, RED, node, devices, prints, flows }
  let isDiskTold = false
  const agent = new CellAgent({
    ...{ plant, cell, boot, journal, rights, resumable: new Set(['update-firmware'] as const) },
    execute: (command, work) => execute(command, work, parts),
    send: (message) => {
      if (!isForHost(message)) toBroker(answerMessage(settings, message))
    },
    say: (key, values) => loadFleet().fleetSentences.say(key, values, currentLanguage()),
    failed: (error) => {
      if (error instanceof StorageError) {
        const problem = nodeError('INTERNAL', 'cell-journal', { folder, reason: reasonOf(error) })
        if (!isDiskTold) node.error(asSentence(problem), {})
        isDiskTold = true
        return endingOf(problem)
      }
      return endingOf(error)
    },
    changed: show,
  })

  const sparkplug =
    settings.sparkplug &&
    (await SparkplugSide.open({
      ...{
        settings: { ...settings, sparkplug: settings.sparkplug },
        devices,
        file: fileOf('sparkplug.json'),
        send: toSparkplug,
        reportError,
      },
      take: (command, isRetained) => agent.receive(command, { isRetained }),
    }))
  /** The outcome of a host's command is a metric and needs no acknowledgement. */
  const isForHost = (message: Outgoing): boolean => {
    if (message.kind !== 'answer') return false
    const { id, boot: start, seq } = message.body
    const device = journal.memory.jobs.get(id)?.command.device
    if (!sparkplug?.answered(message.body, device)) return false
    queueMicrotask(() => agent.acknowledge({ v: version, boot: start, seqs: [seq] }))
    return true
  }

  const former = new FormerNames(namesFile, settings, settings.expires)
  const takeBack = () => {
    for (const name of former.names) toBroker(leavingMessage(name))
  }

  const stateNow = (): Omit<CellState, 'n' | 'at'> => ({
    ...{ v: version, plant, cell, boot, every: settings.every, expires: settings.expires },
    devices: devices.all.slice(0, mostDevices).map((device) => deviceState(device, prints.of(device.name))),
    flows: [...rights.flows],
    may: rightsAsTexts(rights),
    working: agent.working,
  })
  /** A deploy is under way: the devices come back after it. */
  let isDeploying = false
  const look = () => {
    const now = performance.now()
    const own = echo.due(now)
    if (own) toBroker(echoMessage(settings, own, Math.ceil(settings.every)))
    show()
    if (isDeploying) return
    const state = stateNow()
    sparkplug?.update(state)
    if (!pace.isDue(whatMatters(state), now)) return
    toBroker(stateMessage(settings, { ...state, n: ++n, at: new Date().toISOString() }))
  }
  const leaveDevices = () => {
    isDeploying = true
    devices.leave()
  }
  RED.events.on('flows:stopping', leaveDevices)
  const stopListening = onEachDeploy(RED, () => {
    isDeploying = false
    devices.join()
    sparkplug?.deployed()
  })
  devices.join()
  takeBack()
  agent.start()
  sparkplug?.start()
  const timer = startInterval(look, pollEvery)
  look()

  return {
    agent,
    flows,
    sparkplug,
    completed: (command) => {
      const [only, ...others] = devices.all
      const isClear = command.device !== undefined || !only || others.length > 0
      return isClear ? command : { ...command, device: only.name }
    },
    here: (payload) => {
      if (echo.receive(payload, performance.now())) {
        show()
        return true
      }
      echo.hurry()
      takeBack()
      former.deleted()
      pace.hurry()
      agent.reconnected()
      return false
    },
    close: async (isRemoved) => {
      clearInterval(timer)
      RED.events.removeListener('flows:stopping', leaveDevices)
      stopListening()
      await Promise.all([agent.close(), prints.close(), sparkplug?.close(isRemoved)])
      await Promise.all([agesFile.close(), namesFile.close()])
      devices.leave()
    },
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof StorageError ? error.because(currentLanguage()) : detailOf(error)

/** What is published soon after it has changed; a temperature changes all the time. */
const whatMatters = (state: object): string =>
  JSON.stringify(state, (name, value: unknown) =>
    name === 'temperature' || name === 'percent' || name === 'fingerprintAt' ? undefined : value,
  )
