import 'should'
import { connect } from 'node:net'
import { createClient } from '../../../lib'
import { startVirtualDevice, type VirtualDevice, type VirtualDeviceOptions } from '../../../virtual-device'
import { eventually } from '../../support/eventually'
import { freeArmPort } from '../../support/free-ports'
import { useDriving } from './use-driving'

const place = { pipeline: '0', node: 'dev_hand_eye_calibration' }

/** What is true about the arm. */
interface ArmTruth {
  motions: number
  moves: boolean
  safety: string
  program: string | null
}

/** A port of a device without images. */
const nobody = 1

/** The node whose robot drives itself, with the camera and the arm of one virtual device. */
export function useArm(
  fields: object,
  { limits = {}, device: more = {} }: { limits?: object; device?: VirtualDeviceOptions } = {},
) {
  let device: VirtualDevice | undefined
  const config = { address: '', imagePort: 0 }
  const robot: Record<string, unknown> = { id: 'arm', type: 'vision-robot-config' }
  const options: VirtualDeviceOptions = { port: 0, imagePort: 0, arm: 'ur5e', ...more }
  const present = () => {
    if (!device) throw new Error('the device does not run')
    return device
  }
  before(async () => {
    options.armPort = await freeArmPort()
    device = await startVirtualDevice(options)
    const { rtde, primary, dashboard } = device.ports['arm']?.parts ?? {}
    Object.assign(config, { address: device.url, imagePort: device.ports.images?.port ?? nobody })
    Object.assign(robot, {
      ...{ name: 'Robot 1', kind: 'universal-robots', host: '127.0.0.1', mayMove: true },
      ...{ rtdePort: rtde, primaryPort: primary, dashboardPort: dashboard },
      ...{ speed: 250, acceleration: 2000, step: 300, turn: 40, box: '', home: '' },
      ...{ poseFormat: 'universal-robots-pendant' },
      ...limits,
    })
  })
  after(() => device?.stop())
  const drive = useDriving({ drive: 'robot', robot: 'arm', ...fields }, { flow: [robot], config })
  return {
    ...drive,
    robot,
    device: present,
    truth: async () => (await (await fetch(`${present().url}/virtual/arm`)).json()) as ArmTruth,
    /** A person unlocks the protective stop, which takes 5 s. */
    unlock: async () => {
      const { dashboard = 0 } = present().ports['arm']?.parts ?? {}
      const socket = connect({ host: '127.0.0.1', port: dashboard })
      let said = ''
      socket.setEncoding('utf8').on('data', (text: string) => (said += text))
      await eventually(() => {
        socket.write('unlock protective stop\n')
        said.should.match(/Protective stop releasing/)
      }, 20_000)
      socket.destroy()
    },
    /** The device loses power, with the arm of its cell, and is there again at the same ports. */
    restart: async () => {
      const { port } = new URL(present().url)
      await present().stop()
      device = await startVirtualDevice({ ...options, port: Number(port), imagePort: config.imagePort })
    },
    /** The device forgets its recorded poses, as it does when it loses power. */
    losePoses: async () => {
      const client = createClient({ address: present().url })
      await client.callService({ ...place, service: 'reset_calibration', args: {} })
      await client.close()
    },
  }
}
