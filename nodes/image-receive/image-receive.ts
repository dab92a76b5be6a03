import type { Node, NodeAPI, NodeDef, NodeMessage } from 'node-red'
import { imagePlace } from '../device/image-place'
import { onInput } from '../device/on-input'
import { picturesOf } from '../pictures/pictures'
import { checkedFields, numberOf } from '../shared/fields/checked-fields'
import { NodeAnswer, NoAnswer } from '../shared/outcome'
import { shown } from '../shared/shown'
import { statusLineOf } from '../shared/status'
import { whenStarted } from '../shared/handle-input'
import { imageReceiveNode, type ImageReceiveFields } from './fields'
import { pacingOf } from './pacing'
import { receive, type Reception } from './receive'
import { sentencesOf } from '../sentences'

const { invalidInput, told } = sentencesOf('image-receive')

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-image-receive', function (this: Node, given: NodeDef & ImageReceiveFields) {
    RED.nodes.createNode(this, given)
    const fields = checkedFields(RED, this, imageReceiveNode, given)
    if (!fields) return
    let reception: Reception | undefined
    const ownStarts = new WeakSet<NodeMessage>()

    onInput(RED, this, imageReceiveNode, fields, async ({ msg, device, read, name, text, signal }) => {
      const isOwn = ownStarts.has(msg)
      const starts = isOwn || isStart(msg.payload)
      const status = statusLineOf(RED, this)
      const pipeline = text('pipeline') || '0'
      const settings = starts && {
        pipeline,
        place: await imagePlace(device, pipeline),
        pictures: picturesOf(RED, this, fields),
        pacing: pacingOf(fields),
        period: fields.send === 'rate' ? 1 / numberOf(imageReceiveNode, fields, 'rate') : 0,
      }
      await reception?.end()
      reception = undefined
      // Closed while the one before ended.
      if (signal.aborted) return new NoAnswer()
      if (!settings) {
        status.background('stopped')
        return new NodeAnswer({ payload: 'stopped' }, told('result-images-stopped'), 1)
      }
      reception = receive({ RED, node: this, device, values: { read, name }, status, ...settings })
      return isOwn ? new NoAnswer() : new NodeAnswer({ payload: 'started' }, told('result-images-started'), 1)
    })

    const takeBack = whenStarted(RED, () => {
      if (fields.starts !== 'deploy') {
        statusLineOf(RED, this).background('stopped')
        return
      }
      const start: NodeMessage = {}
      ownStarts.add(start)
      this.receive(start)
    })
    this.on('close', (done: () => void) => {
      takeBack()
      void (reception?.end() ?? Promise.resolve()).finally(done)
    })
  })
}

/** @throws INVALID_INPUT for anything else than start and stop */
function isStart(payload: unknown): boolean {
  if (payload === 'start' || payload === true) return true
  if (payload === 'stop' || payload === false) return false
  if (payload === undefined) throw invalidInput('no-command')
  throw invalidInput('unknown-command', { given: shown(payload) })
}
