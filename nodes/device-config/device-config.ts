/**
 * The config node of a device: address, login, limits; `admin/` serves the editor. In: saved fields and credentials. Out:
 * one shared `Device` for all nodes that use it.
 */
import type { NodeAPI, NodeDef, Node } from 'node-red'
import { forgetStatus, showStatus, statusText } from '../shared/status'
import { setLanguage } from '../shared/node-error'
import { adminRoutes } from './admin/routes'
import { clientOptions, type DeviceConfigNode, deviceNumbers, addressOf } from './deployed-device'
import { Device } from '../device/device'
import { metricsRoute } from '../metrics/route'
import { configFields, credentialsOf, defaultsOf } from '../shared/fields/checked-fields'
import { deviceConfigNode, type DeviceConfigFields, type DeviceCredentials } from './fields'
import type { ChosenReading } from '../device/connection'
import { sentencesOf } from '../sentences'
import { loadMetrics } from '../metrics/load-metrics'

const { say } = sentencesOf('device-config')

export default (RED: NodeAPI) => {
  setLanguage(RED)
  adminRoutes(RED)
  metricsRoute(RED)

  RED.nodes.registerType<DeviceConfigNode, NodeDef & DeviceConfigFields, object, DeviceCredentials>(
    'vision-device-config',
    function (config) {
      RED.nodes.createNode(this, config)
      const { fields, check } = configFields(RED, this, deviceConfigNode, config)
      this.fields = fields
      this.users = {}

      const { group, end } = loadMetrics().measured(RED, 'device', this)
      this.device = new Device({
        ...numbersOf(fields),
        imageTls: fields.imageTls === 'tls',
        users: this.users,
        metrics: group,
        chosen: chosenOf(this, fields),
        address: () => addressOf(RED, this),
        clientOptions: () => {
          check()
          return clientOptions(RED, this, fields, this.credentials)
        },
        changed: (state, error) => {
          const text = statusText(RED, state)
          showStatus(RED, this, { word: state })
          if (state === 'ready') this.log(`${text}: ${this.device.connection.client.address}`)
          else this.warn(error?.message ?? text)
        },
      })
      this.on('close', (done: (error?: Error) => void) => {
        const closed = this.device.close().finally(() => {
          forgetStatus(RED, this)
          end()
        })
        closed.then(() => done(), done)
      })
    },
    { credentials: credentialsOf(deviceConfigNode) },
  )
}

/** Invalid numbers are reported when the device is opened, together with its other settings. */
function numbersOf(fields: DeviceConfigFields) {
  try {
    return deviceNumbers(fields)
  } catch {
    return deviceNumbers(defaultsOf(deviceConfigNode))
  }
}

/** An invalid list is reported; the device works without it. */
function chosenOf(node: Node, fields: DeviceConfigFields): ChosenReading {
  const { chosenValues, mostChosen } = loadMetrics()
  try {
    const { metricsInterval: interval } = deviceNumbers(fields)
    const values = chosenValues(fields.metricsValues)
    if (!values) node.warn(say('bad-metrics-values', { most: mostChosen }))
    return { values: values ?? [], interval }
  } catch {
    // Opening the device reports which number is wrong.
    return { values: [], interval: 60 }
  }
}
