import { numbersOfPose, poseText, type Pose } from '../../../lib/robotics'
import { startVirtualDevice, type CellSettings } from '../../../virtual-device'
import { useBench } from '../../support/bench'
import { eventually } from '../../support/eventually'
import type { Listening } from '../../support/listening'
import { startAnswerProxy, type AnswerFate } from '../../support/proxies/answer-proxy'
import { asSet, cellAt, grid } from '../../virtual-device/hand-eye/use-cell'

/** Metres as millimetres in the dialog. */
const printed = { gridWidth: 1000 * grid.grid_width, gridHeight: 1000 * grid.grid_height }

/** A message of the node, as tests read it. */
export interface CalibrationMessage {
  output: number
  topic?: unknown
  payload: Record<string, unknown> & {
    event: string
    ok: boolean
    text: string
    details: string
    advice: string[]
  }
}

/** A pose as sent by a KUKA. */
export const kuka = (pose: Pose): string => poseText('kuka', numbersOfPose('kuka', pose))

/** The node on a virtual device of its own, with the grid of its cell and no settling time. */
export function useCalibration(fields: object = {}, change?: (answer: string) => string) {
  const type = 'vision-hand-eye-calibration'
  const config = { address: '' }
  let proxy: Listening | undefined
  /** What happens to a service call on its way. */
  let fateOf: (service: string) => AnswerFate = () => 'pass'
  before(async () => {
    proxy = await startAnswerProxy(
      () => bench.device.url,
      ({ method, url = '' }) => (method === 'PUT' ? fateOf(url.split('/').at(-1) ?? '') : 'pass'),
      change,
    )
    config.address = proxy.url
  })
  const device = { scenario: asSet }
  const bench = useBench({ type, ...printed, settling: 0, ...fields }, { config, device })
  after(() => proxy?.stop())
  /** Everything sent since `listen`, in order. */
  const told: CalibrationMessage[] = []

  const heard = new WeakSet()
  /** Forgets what was sent, and after a deploy listens to the new nodes. */
  const listen = () => {
    told.length = 0
    for (const output of [0, 1, 2]) {
      const node = bench.helperNode(`out${output}`)
      if (!heard.has(node))
        node.on('input', ({ topic, payload }) => told.push({ output, topic, payload } as CalibrationMessage))
      heard.add(node)
    }
  }
  before(listen)

  return {
    bench,
    /** Decides from now on what happens to service calls. */
    between: (decide: typeof fateOf) => void (fateOf = decide),
    told,
    listen,
    cell: cellAt(() => bench.device.url),
    setCell: (hand_eye: Partial<CellSettings>) =>
      bench.device.setScenario({ scene: { hand_eye: { ...asSet.scene.hand_eye, ...hand_eye } } }),
    /** Sends a command and resolves with the first resulting message. */
    say: async (topic: string, payload: unknown = '', more: object = {}) => {
      const { output, message } = await bench.sendAndSee({ topic, payload, ...more })
      return { output, ...message } as unknown as CalibrationMessage
    },
    /** Resolves with the message of that event, once it has arrived. */
    event: (event: string) =>
      eventually(() => {
        const found = told.find(({ payload }) => payload.event === event)
        if (!found) throw new Error(`no ${event} among ${told.map(({ payload }) => payload.event).join()}`)
        return found
      }),
    /** The services that were called, by name. */
    called: () =>
      bench.device
        .calls()
        .filter(({ operation }) => operation === 'callService')
        .map(({ input }) => (input as { service: string }).service),
    /** The device loses power: what it keeps in memory is lost. */
    restart: async () => {
      const { port } = bench.device
      await bench.device.stop()
      bench.device = await startVirtualDevice({ port, scenario: asSet })
    },
  }
}
