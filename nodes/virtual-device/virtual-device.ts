import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { handleInput } from '../shared/handle-input'
import { NodeAnswer } from '../shared/outcome'
import { noteOwnDevice } from '../shared/allowed-place'
import { forgetStatus, showStatus } from '../shared/status'
import { deviceOptions } from './device-options'
import { checkedFields } from '../shared/fields/checked-fields'
import { virtualDeviceNode, type VirtualDeviceFields } from './fields'
import { loadVirtualDevice } from './load-virtual-device'
import { noteOwnPort, portNotFree, portRoute } from './port'
import { statusOf } from './status-of'
import { Supervisor } from './supervisor'
import { sentencesOf } from '../sentences'

const { invalidInput, told } = sentencesOf('virtual-device')

/** Messages that may wait while the device starts or stops. */
const room = 100

export default (RED: NodeAPI) => {
  portRoute(RED)
  RED.nodes.registerType(
    'vision-virtual-device',
    function (this: Node, given: NodeDef & VirtualDeviceFields) {
      RED.nodes.createNode(this, given)
      const fields = checkedFields(RED, this, virtualDeviceNode, given)
      if (!fields) return

      const closing = new AbortController()

      const supervisor = new Supervisor(
        async () => {
          const options = deviceOptions(RED, this, fields)
          const { host, port } = options
          const starting = loadVirtualDevice().startInWorker(options)
          const images = starting.then(
            ({ ports }) => ports.images?.port,
            () => undefined,
          )
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
        const about = 'url' in state ? told('result-running', { url: state.url }) : told('result-stopped')
        return new NodeAnswer(
          { payload: { variant: fields.variant, running, ...state } },
          { ...about, value: running },
        )
      })

      this.on('close', (done: () => void) => {
        closing.abort()
        noteOwnDevice(this)
        void supervisor.close().finally(() => {
          forgetStatus(RED, this)
          done()
        })
      })
    },
  )
}

const topics = ['start', 'stop', 'scenario']

/** A message starts or stops the device by its topic, or changes the scenario by its payload, even without a topic. */
async function act(supervisor: Supervisor, { topic, payload }: NodeMessage): Promise<void> {
  if (topic === 'start') return supervisor.start()
  if (topic === 'stop') return supervisor.stop()
  if (topic && !topics.includes(topic))
    throw invalidInput('unknown-topic', { topic, known: topics.join(', ') })
  if (typeof payload !== 'object' || payload === null) throw invalidInput('no-scenario')
  return supervisor.change(payload)
}
