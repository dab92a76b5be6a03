/** The node that runs a virtual device in a thread: its options, status and messages. */
import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { createRequire } from 'node:module'
import { handleInput } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { noteOwnDevice } from '../shared/allowed-place'
import { forgetStatus, showStatus, type StatusParts } from '../shared/status'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { virtualDeviceNode, type VirtualDeviceFields } from './fields'
import { noteOwnPort, portNotFree, portRoute } from './port'
import { Supervisor, type DeviceState } from './supervisor'
import { orUndefined } from '../../lib/kernel/scope'
import { sentencesOf } from '../sentences'
import type * as VirtualDevice from '../../virtual-device'
import type { SidePortOption, VirtualDeviceOptions } from '../../virtual-device'
import { environmentText } from '../shared/read-fields'
import { invalidInput as invalidField } from '../shared/sentences'

/** @throws INVALID_INPUT naming the field */
function deviceOptions(
  RED: NodeAPI,
  node: Node,
  fields: VirtualDeviceFields,
): Omit<VirtualDeviceOptions, 'clock'> & { host: string; port: number } {
  const text = (
    field:
      | 'host'
      | 'imagePort'
      | 'robotPort'
      | 'armPort'
      | 'nodePrefix'
      | 'stateFolder'
      | 'serial'
      | 'model'
      | 'imageVersion',
  ) => environmentText(RED, node, field, fields[field]).trim()
  const [state, serial] = [text('stateFolder'), text('serial')]
  const [model, imageVersion] = [text('model'), text('imageVersion')]
  return {
    port: numberOf(virtualDeviceNode, fields, 'port'),
    host: text('host'),
    imagePort: sidePortOf(text('imagePort')),
    robotPort: sidePortOf(text('robotPort')),
    arm: fields.arm,
    armPort: sidePortOf(text('armPort')),
    discovery: true,
    variant: fields.variant,
    nodePrefix: text('nodePrefix'),
    seed: numberOf(virtualDeviceNode, fields, 'seed'),
    scenario: scenarioOf(fields.scenario),
    ...(state && { state }),
    ...(serial && { serial }),
    ...(model && { model }),
    ...(imageVersion && { imageVersion }),
  }
}

/** The device refuses impossible ports. */
const sidePortOf = (text: string): SidePortOption =>
  text === '' ? 'auto' : text === 'off' ? 'off' : Number(text)

function scenarioOf(text: string): NonNullable<VirtualDeviceOptions['scenario']> {
  try {
    return JSON.parse(text || '{}') as NonNullable<VirtualDeviceOptions['scenario']>
  } catch (problem) {
    throw invalidField('not-json', { field: 'scenario' }, problem)
  }
}

/** Loading it takes longer than all nodes may take. */
const loadVirtualDevice = (): typeof VirtualDevice =>
  createRequire(__filename)('../../virtual-device') as typeof VirtualDevice

/** Characters. */
const longest = 20

/** The address while running, otherwise the reason. */
export function statusOf(state: DeviceState): StatusParts {
  if (state.running)
    return state.scenario.offline ? { word: 'offline' } : { word: 'running', count: placeOf(state) }
  if (state.starting) return { word: 'starting' }
  if (state.portInUse)
    return state.freePort === undefined
      ? { word: 'portInUse' }
      : { word: 'otherPortFree', count: state.freePort }
  return { word: state.error ? 'failed' : 'stopped' }
}

/** With image and robot ports other than the defaults. */
function placeOf({ url, ports }: DeviceState & { running: true }): string {
  const { host, port } = new URL(url)
  const moved = Object.values(ports).filter(({ instead_of }) => instead_of !== undefined)
  if (moved.length > 0) return [port, ...moved.map((each) => each.port)].map((each) => `:${each}`).join(' + ')
  return host.length < longest ? host : `:${port}`
}

const { invalidInput, summarize } = sentencesOf('virtual-device')

/** Waiting messages. */
const room = 100

export default (RED: NodeAPI) => {
  portRoute(RED)
  RED.nodes.registerType(
    'vision-virtual-device',
    function (this: Node, config: NodeDef & VirtualDeviceFields) {
      RED.nodes.createNode(this, config)
      const fields = checkedFields(RED, this, virtualDeviceNode, config)
      if (!fields) return

      const closing = new AbortController()

      const supervisor = new Supervisor(
        async () => {
          const options = deviceOptions(RED, this, fields)
          const { host, port } = options
          const starting = loadVirtualDevice().startInWorker(options)
          const images = orUndefined(starting.then(({ ports }) => ports.images?.port))
          noteOwnDevice(this, { host, port, images })
          try {
            const device = await starting
            if (port === 0) noteOwnDevice(this, { host, port: device.port, images })
            noteOwnPort(this, device.port)
            device.onExit(() => noteOwnPort(this))
            return device
          } catch (problem) {
            throw await portNotFree(RED, this, options, problem, closing.signal)
          }
        },
        (state) => {
          showStatus(RED, this, statusOf(state))
          if (!state.running && state.endedByItself) this.error(state.error)
        },
      )
      const started = supervisor.start().catch((error: unknown) => this.error(error))

      handleInput(RED, this, virtualDeviceNode, { atOnce: 1, room }, async (msg) => {
        await started
        await act(supervisor, msg)
        const { running, ...state } = await supervisor.state()
        const about =
          'url' in state ? summarize('result-running', { url: state.url }) : summarize('result-stopped')
        return new NodeAnswer(
          { payload: { variant: fields.variant, running, ...state } },
          { ...about, value: running },
        )
      })

      this.on('close', (done: () => void) => {
        closing.abort()
        noteOwnDevice(this)
        const closed = supervisor.close().finally(() => forgetStatus(RED, this))
        closed.then(() => done(), done)
      })
    },
  )
}

const topics = ['start', 'stop', 'scenario']

/** `topic` starts or stops; `payload` changes the scenario. */
async function act(supervisor: Supervisor, { topic, payload }: NodeMessage): Promise<void> {
  if (topic === 'start') return supervisor.start()
  if (topic === 'stop') return supervisor.stop()
  if (topic && !topics.includes(topic))
    throw invalidInput('unknown-topic', { topic, known: topics.join(', ') })
  if (typeof payload !== 'object' || payload === null) throw invalidInput('no-scenario')
  return supervisor.change(payload)
}
