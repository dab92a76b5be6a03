import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import type { logs } from '../../lib'
import { aborted } from '../shared/handle-input'
import { loadClient } from '../shared/load-later'
import { codeOf } from '../shared/node-error'
import { onDeploy } from '../device/on-deploy'
import type { Properties, OutcomeSummary } from '../shared/outcome'
import type { StatusWord } from '../shared/status'
import { checkedFields, credentialsOf } from '../shared/fields/checked-fields'
import { logWatchNode, type LogWatchCredentials as Credentials, type LogWatchFields } from './fields'
import { followOptions } from './follow-options'
import { entriesMessage, gapMessage, heldBackMessage } from './messages'
import { collectorOf } from './collector'
import { nodeError } from '../shared/sentences'

export default (RED: NodeAPI) => {
  RED.nodes.registerType<Node<Credentials>, NodeDef & LogWatchFields, object, Credentials>(
    'vision-log-watch',
    function (given) {
      RED.nodes.createNode(this, given)
      const fields = checkedFields(RED, this, logWatchNode, given)
      if (!fields) return
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
        let isCollectorAway = false
        const showState = () => {
          if (!state || device.link.state !== 'ready') showLink()
          else show(isCollectorAway && state === 'following' ? 'waitsForCollector' : state)
        }
        const away = (isAway: boolean) => {
          isCollectorAway = isAway
          showState()
        }

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
        const collector = await collectorOf({ RED, node: this, fields, device, folder, away })
        const positions = library.filePositions(folder, device.client.address)
        const follower = library.followLogs(
          {
            ...options,
            source: device.client,
            positions: collector?.before(positions) ?? positions,
          },
          {
            onEntries: async (lines) => {
              collector?.entries(lines)
              await send(0, entriesMessage(lines, fields.output === 'batch'))
              for (const { level, repeated } of lines) if (!repeated) device.metrics.logEntry(level)
            },
            onGap: (gap) => {
              device.metrics.logGap()
              const message = gapMessage(gap)
              collector?.gap(gap, message[1].text)
              return send(1, message)
            },
            onHeldBack: (held) => {
              const message = heldBackMessage(held)
              collector?.heldBack(held, message[1].text)
              return send(1, message)
            },
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
        await collector?.close()
        if (isRemoved) await rm(folder, { recursive: true, force: true })
      })
    },
    { credentials: credentialsOf(logWatchNode) },
  )
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
