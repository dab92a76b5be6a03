import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { Acquired, Acquisition, TakenBy } from '../../lib/images/acquisition'
import { fixedNames } from '../device/fixed-names'
import { imagePlace, type ImagePlace } from '../device/device'
import { onInput, type NodeInput } from '../device/on-input'
import { type Pictures, picturesOf, selectsNothing } from '../pictures/pictures'
import type { TypedName } from '../shared/read-fields'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { loadClient } from '../shared/load-later'
import { NodeAnswer, type OutcomeSummary } from '../shared/outcome'
import { acquireNode, type AcquireFields } from './fields'
import { stepsOn } from './steps-on'
import { acquisitionOf, toldOf } from './told-of'
import { withoutProof } from './without-proof'
import { sentencesOf } from '../sentences'

const { told } = sentencesOf('acquire')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-acquire', function (this: Node, given: NodeDef & AcquireFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, acquireNode, given)
    if (!fields) return
    const { wires } = given as { wires?: unknown[][] }
    const tellsTaken = Boolean(wires?.[1]?.length)
    /** By port: the pipelines that messages named. */
    const open = new Map<number, Acquisition>()

    /** Settings that are not possible fail each message. */
    const prepared = () => (selectsNothing(fields) ? undefined : picturesOf(RED, this, fields))
    let pictures: Pictures | undefined

    const acquisitionOn = (place: ImagePlace, port: number) => {
      const known = open.get(port)
      if (known) return known
      const created = new (loadClient().images.Acquisition)({
        ...place,
        ...(pictures && { wanted: pictures.wanted }),
        staysOpen: fields.staysOpen,
        restoresMode: fields.restoresMode,
        events: tellsTaken,
        deadline: 1000 * numberOf(acquireNode, fields, 'patience'),
      })
      open.set(port, created)
      return created
    }

    const body = async ({ device, read, text, name, signal, tell }: Input) => {
      pictures ??= prepared()
      const pipeline = text('pipeline')
      const steps = stepsOn(device, { pipeline, node: name('node'), signal })
      if (fields.proof === 'time') return withoutProof(steps, { restoresMode: fields.restoresMode, signal })

      const answerOf = await pictures?.prepare({ values: { read, name }, device, pipeline, signal })
      const place = await imagePlace(device, pipeline)
      const { port = 0 } = place
      const acquisition = acquisitionOn(place, port)
      const onTaken = (by: TakenBy) => {
        if (tellsTaken) tell(1, { taken: { by } }, told('result-taken'))
      }
      let acquired: Acquired
      try {
        acquired = await acquisition.acquire({ ...steps, onTaken }, signal)
      } finally {
        // A pipeline that does not exist is not remembered. Others may be reconnecting: they stay, and are closed at the end.
        if (!acquisition.isOpen) {
          await acquisition.close()
          open.delete(port)
        }
      }
      const summary = acquisitionOf(acquired)
      const answer = await answerOf?.(acquired.set)
      const properties = { payload: summary, ...answer?.properties, acquisition: summary }
      return new NodeAnswer(properties, toldOf(acquired, answer?.told satisfies OutcomeSummary | undefined))
    }
    onInput(RED, this, acquireNode, fields, body, { names: fixedNames(RED, this, acquireNode, fields) })

    this.on('close', (done: () => void) => {
      void Promise.all([...open.values()].map((each) => each.close())).then(() => done())
    })
  })
}

type Input = NodeInput<TypedName<AcquireFields>>
