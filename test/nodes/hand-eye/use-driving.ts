import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { VirtualDeviceOptions } from '../../../virtual-device'
import { useBench, type Caught } from '../../support/bench'
import { eventually } from '../../support/eventually'
import { hasRead } from '../../support/reading'

/** A report of the node, as tests read it. */
export interface Told {
  event: string
  ok: boolean
  text: string
  details: string
  [more: string]: unknown
}

/** Everything that the node sends: reports of both outputs, targets for the robot, and errors. */
export interface Driven {
  reports: Told[]
  targets: { payload: unknown; move: { number: number } }[]
  errors: Caught[]
}

/** Pictures are drawn slowly on a busy machine, milliseconds. */
const patience = 120_000

/** The node whose robot drives itself, on a virtual device whose camera sees the grid, with a folder of its own. */
export function useDriving(
  fields: object,
  options: {
    device?: VirtualDeviceOptions
    flow?: object[]
    config?: object
    settings?: () => object
  } = {},
) {
  const userDir = mkdtempSync(join(tmpdir(), 'drive-'))
  const bench = useBench(
    {
      type: 'vision-hand-eye-calibration',
      ...{ gridWidth: 260, gridHeight: 180, settling: 0, deadline: 30 },
      ...fields,
    },
    {
      ...(options.flow && { flow: options.flow }),
      ...(options.config && { config: options.config }),
      device: {
        imagePort: 0,
        ...options.device,
        scenario: { image_view: 'grid', ...options.device?.scenario },
      },
      settings: () => ({ userDir, ...options.settings?.() }),
    },
  )
  const driven: Driven = { reports: [], targets: [], errors: [] }
  /** Answers a question of the node, or moves the robot of the flow. */
  let answering: (report: Told) => void = () => undefined
  let moving: (target: unknown) => void = () => undefined

  const listen = () => {
    driven.reports.length = driven.targets.length = driven.errors.length = 0
    for (const output of ['out0', 'out1'])
      bench.helperNode(output).on('input', ({ payload }) => {
        driven.reports.push(payload as Told)
        answering(payload as Told)
      })
    bench.helperNode('out2').on('input', (message) => {
      driven.targets.push(message as unknown as Driven['targets'][number])
      moving(message.payload)
    })
    bench.helperNode('caught').on('input', ({ error }) => driven.errors.push(error as Caught))
  }
  before(listen)
  after(() => rm(userDir, { recursive: true, force: true }))

  /** A person reads a question before it is answered: the one that is shown now, unless it is given. */
  const say = (topic: string, payload: unknown = '', more: object = {}) => {
    if (!['confirm', 'decline', 'skip'].includes(topic)) {
      bench.node.receive({ topic, payload, ...more })
      return
    }
    const request = driven.reports.findLast((report) => report['request'] !== undefined)?.['request']
    void hasRead().then(() => bench.node.receive({ topic, payload, request, ...more }))
  }
  return {
    bench,
    ...driven,
    userDir,
    listen,
    say,
    /** What a person does with each report. */
    answers: (answer: typeof answering) => void (answering = answer),
    /** What the robot of the flow does with each target. */
    moves: (move: typeof moving) => void (moving = move),
    /** A person who confirms all that is asked. */
    confirms: () => {
      answering = ({ request }) => {
        if (request !== undefined) say('confirm', '', { request })
      }
    },
    /** Resolves with the first report of that event since then. */
    event: (event: string, from = 0, within = patience) =>
      eventually(() => {
        const found = driven.reports.slice(from).find((report) => report.event === event)
        if (found) return found
        const all = driven.reports.map((report) => `${report.event}: ${report.details}`)
        throw new Error(
          `no ${event} among\n${[...all, ...driven.errors.map(({ message }) => message)].join('\n')}`,
        )
      }, within),
    /** Resolves with the first error since then. */
    error: (from = 0) =>
      eventually(() => {
        const found = driven.errors[from]
        if (found) return found
        throw new Error(`no error among\n${driven.reports.map(({ details }) => details).join('\n')}`)
      }, patience),
  }
}
