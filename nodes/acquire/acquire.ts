/**
 * The node *acquire*: one image acquisition per message. In: a message. Out: the message when the images are there, with
 * proof that they are new.
 */
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { AcquisitionSteps, Acquired, Doubt, TakenBy, Acquisition } from '../../lib/images/acquisition'
import { refusal, refusedError, returnCodeIn } from '../../lib/client/error-answer'
import { depthPeriod } from '../call-service/start-idle-module'
import type { Connection } from '../device/connection'
import { inPipeline, fixedNames } from '../device/known-nodes'
import { placeOf } from '../shared/node-error'
import { triggerRemarks } from '../../lib/contract/reading/values'
import { sleep } from '../../lib/kernel/timers'
import { loadClient } from '../shared/load-later'
import { NodeAnswer, type OutcomeSummary } from '../shared/outcome'
import { sentencesOf } from '../sentences'
import { secondsOf } from '../pictures/found'
import { imagePlace, type ImagePlace } from '../device/device'
import { onInput, type NodeInput } from '../device/on-input'
import { type Pictures, picturesOf, selectsNothing } from '../pictures/pictures'
import type { TypedName } from '../shared/read-fields'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { acquireNode, type AcquireFields } from './fields'

const { summarize, nodeError } = sentencesOf('acquire')

const service = 'acquisition_trigger'

/** The depth module, as the flow names it. */
interface DepthModule {
  pipeline: string
  node: string
  signal: AbortSignal
}

/** The mode is restored even if the flow stops meanwhile. */
function stepsOn(device: Connection, module: DepthModule): Omit<AcquisitionSteps, 'onTaken'> {
  const { client } = device
  const param = 'acquisition_mode'
  const read = (node: string, param: string) =>
    device.onNode({ ...module, node }, (target) =>
      client.getParameter({ ...inPipeline(target), param }, { signal: module.signal }),
    )
  return {
    mode: async () => String((await read(module.node, param)).value),
    setMode: async (value, isRestored) => {
      const signal = isRestored ? new AbortController().signal : module.signal
      await device.onNode({ ...module, signal }, (target) =>
        client.setParameter({ ...inPipeline(target), param, value }, { signal }),
      )
    },
    trigger: async () => {
      const { response } = await device.onNode(module, (target) =>
        client.callService({ ...inPipeline(target), service, args: {} }, { signal: module.signal }),
      )
      const refused = refusal(response)
      if (refused)
        throw refusedError(refused, { operation: 'callService', what: service, ...placeOf(client) })
      return returnCodeIn(response) ?? { value: 0, message: '' }
    },
    period: () => depthPeriod(module.node, read),
  }
}

/** `msg.acquisition`. */
export interface AcquisitionSummary {
  proven: boolean
  /** Why the set may belong to another trigger. */
  doubt?: Doubt
  /** Seconds since 1970 by the device's clock. */
  timestamp?: number
  takenBy?: TakenBy
  /** Milliseconds from the trigger until the exposure. */
  takenAfter?: number
  /** Milliseconds from the trigger until the pictures arrived. */
  doneAfter: number
  modeLeft?: { code: string; message: string }
}

function acquisitionOf({
  set,
  doubt,
  takenBy,
  takenAfter,
  doneAfter,
  modeLeft,
}: Acquired): AcquisitionSummary {
  return {
    proven: true,
    ...(doubt && { doubt }),
    timestamp: secondsOf(set.timestamp),
    takenBy,
    takenAfter: Math.round(takenAfter),
    doneAfter: Math.round(doneAfter),
    ...leftMode(modeLeft),
  }
}

const leftMode = (problem: Acquired['modeLeft']): Pick<AcquisitionSummary, 'modeLeft'> =>
  problem ? { modeLeft: { code: problem.code, message: problem.message } } : {}

const doubts = {
  pending: 'result-doubt-pending',
  early: 'result-doubt-early',
  others: 'result-doubt-others',
} as const satisfies Record<Doubt, string>

function summaryOf(
  { doubt, modeLeft, doneAfter }: Acquired,
  pictures: OutcomeSummary | undefined,
): OutcomeSummary {
  if (doubt)
    return summarize(
      doubts[doubt],
      {},
      { state: 'warning', code: doubt === 'pending' ? triggerRemarks.pending : doubt, ...valueOf(pictures) },
    )
  if (modeLeft)
    return summarize(
      'result-mode-left',
      { reason: modeLeft.message },
      { state: 'warning', code: modeLeft.code, ...valueOf(pictures) },
    )
  return (
    pictures ??
    summarize('result-proven', { milliseconds: Math.round(doneAfter) }, { value: Math.round(doneAfter) })
  )
}

const valueOf = (pictures: OutcomeSummary | undefined) =>
  pictures?.value === undefined ? {} : { value: pictures.value }

interface Options {
  restoresMode: boolean
  signal: AbortSignal
}

/**
 */
async function withoutProof(
  steps: Omit<AcquisitionSteps, 'onTaken'>,
  { restoresMode, signal }: Options,
): Promise<NodeAnswer> {
  // Queried first: distinguishes an absent device from a call whose outcome is unknown.
  const period = await steps.period()
  const { inSingleFrame } = loadClient().images
  const { modeLeft, ...taken } = await inSingleFrame(steps, { restoresMode }, async () => {
    const began = performance.now()
    const { value } = await steps.trigger()
    if (value === triggerRemarks.noSubscriber)
      throw nodeError('REFUSED', 'no-image-client', {}, { status: 200, returnCode: { value, message: '' } })
    await sleep(period, signal).catch(() => {
      throw nodeError('ABORTED', 'acquire-closed')
    })
    const isPending = value === triggerRemarks.pending
    return {
      doneAfter: Math.round(performance.now() - began),
      ...(isPending && { doubt: 'pending' as const }),
    }
  })
  const summary: AcquisitionSummary = { proven: false, ...taken, ...leftMode(modeLeft) }
  const answer = summarize(
    'result-unproven',
    {},
    { state: 'warning', code: 'UNPROVEN', value: summary.doneAfter },
  )
  return new NodeAnswer({ payload: summary, acquisition: summary }, answer)
}

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-acquire', function (this: Node, config: NodeDef & AcquireFields) {
    RED.nodes.createNode(this, config)
    const fields = checkedFields(RED, this, acquireNode, config)
    if (!fields) return
    const { wires } = config as { wires?: unknown[][] }
    const reportsExposure = Boolean(wires?.[1]?.length)
    /** By port: the pipelines that messages named. */
    const open = new Map<number, Acquisition>()

    const prepared = () => (selectsNothing(fields) ? undefined : picturesOf(RED, this, fields))
    let pictures: Pictures | undefined

    const acquisitionOn = (place: ImagePlace, port: number) => {
      const known = open.get(port)
      if (known) return known
      const created = new (loadClient().images.Acquisition)({
        ...place,
        ...(pictures && { wanted: pictures.selection }),
        staysOpen: fields.staysOpen,
        restoresMode: fields.restoresMode,
        events: reportsExposure,
        deadline: 1000 * numberOf(acquireNode, fields, 'patience'),
      })
      open.set(port, created)
      return created
    }

    const body = async ({ device, read, text, name, signal, notify }: Input) => {
      pictures ??= prepared()
      const pipeline = text('pipeline')
      const steps = stepsOn(device, { pipeline, node: name('node'), signal })
      if (fields.proof === 'time') return withoutProof(steps, { restoresMode: fields.restoresMode, signal })

      const answerOf = await pictures?.prepare({ values: { read, name }, device, pipeline, signal })
      const place = await imagePlace(device, pipeline)
      const { port = 0 } = place
      const acquisition = acquisitionOn(place, port)
      const onTaken = (by: TakenBy) => {
        if (reportsExposure) notify(1, { taken: { by } }, summarize('result-taken'))
      }
      let acquired: Acquired
      try {
        acquired = await acquisition.acquire({ ...steps, onTaken }, signal)
      } finally {
        // A pipeline that does not exist is forgotten; others may be reconnecting and stay until the node closes.
        if (!acquisition.isOpen) {
          await acquisition.close()
          open.delete(port)
        }
      }
      const summary = acquisitionOf(acquired)
      const answer = await answerOf?.(acquired.set)
      const properties = { payload: summary, ...answer?.properties, acquisition: summary }
      return new NodeAnswer(
        properties,
        summaryOf(acquired, answer?.summary satisfies OutcomeSummary | undefined),
      )
    }
    onInput(RED, this, acquireNode, fields, body, { names: fixedNames(RED, this, acquireNode, fields) })

    this.on('close', (done: (error?: Error) => void) => {
      Promise.all([...open.values()].map((each) => each.close())).then(() => done(), done)
    })
  })
}

type Input = NodeInput<TypedName<AcquireFields>>
