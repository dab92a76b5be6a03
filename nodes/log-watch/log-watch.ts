import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { logs } from '../../lib'
import { loadClient } from '../device/load-client'
import { aborted } from '../shared/aborted'
import { codeOf } from '../shared/node-error'
import { onDeploy } from '../device/on-deploy'
import type { Properties, OutcomeSummary } from '../shared/outcome'
import type { StatusWord } from '../shared/status-word'
import { withDefaults } from '../shared/fields/fields-of'
import { logWatchNode, type LogWatchFields } from './fields'
import { followOptions } from './follow-options'
import { entriesMessage, gapMessage, heldBackMessage } from './messages'
import { nodeError } from '../shared/sentences'

export default (RED: NodeAPI) => {
  RED.nodes.registerType('vision-log-watch', function (this: Node, given: NodeDef & LogWatchFields) {
    RED.nodes.createNode(this, given)
    const fields = withDefaults(logWatchNode, given)
    let isRemoved = false
    this.on('close', (removed: boolean, done: () => void) => {
      isRemoved = removed && !isInFlows(RED, this.id)
      done()
    })

    onDeploy(RED, this, fields, async ({ device, text, signal, emit, show, showLink, onLink }) => {
      const { userDir } = RED.settings as { userDir?: string }
      const folder = resolve(userDir ?? '', 'vision-logs', encodeURIComponent(this.id))
      const library = loadClient().logs
      let state: StatusWord | undefined
      const showState = () => (state && device.link.state === 'ready' ? show(state) : showLink())

      const send = async (output: number, [message, told]: [Properties, OutcomeSummary]) => {
        if (signal.aborted) throw nodeError('ABORTED', 'node-closed')
        emit(output, message, told)
        // Messages arrive one turn later. Only then may the position move.
        await turn()
      }
      const options = followOptions(fields, {
        log: text('log'),
        component: text('component'),
        text: text('text'),
      })
      device.metrics.followsLogs()
      const follower = library.followLogs(
        {
          ...options,
          source: device.client,
          positions: library.filePositions(folder, device.client.address),
        },
        {
          onEntries: async (lines) => {
            await send(0, entriesMessage(lines, fields.output === 'batch'))
            for (const { level, repeated } of lines) if (!repeated) device.metrics.logEntry(level)
          },
          onGap: (gap) => {
            device.metrics.logGap()
            return send(1, gapMessage(gap))
          },
          onHeldBack: (held) => send(1, heldBackMessage(held)),
          onState: (now) => {
            state = wordOf(now)
            showState()
          },
          onProblem: (error) => this.error(error, {}),
        },
      )
      onLink(showState)
      await aborted(signal)
      await follower.close()
      if (isRemoved) await rm(folder, { recursive: true, force: true })
    })
  })
}

/** Node-RED reports a disabled node as removed; its position is still needed. */
function isInFlows(RED: NodeAPI, id: string): boolean {
  let isThere = false
  RED.nodes.eachNode((node) => {
    isThere ||= node.id === id
  })
  return isThere
}

function wordOf(state: logs.FollowState): StatusWord {
  return state.doing === 'failing' ? (codeOf(state.error) ?? 'failed') : state.doing
}
