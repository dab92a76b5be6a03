import type { Node, NodeAPI, NodeDef } from 'node-red'

export interface LoopResult {
  messages: number
  seconds: number
  cpuSeconds: number
  /** Milliseconds per round trip. */
  latencies: number[]
}

interface NodeLoopResult extends LoopResult {
  /** By `performance.now`. */
  ends: number[]
}

type Run = (inFlight: number, seconds: number) => Promise<NodeLoopResult>

/** By node id. */
export const loops = new Map<string, Run>()

/** Sends messages, and each again as soon as it returns. */
export default (RED: NodeAPI) => {
  RED.nodes.registerType('bench-loop', function (this: Node, definition: NodeDef) {
    RED.nodes.createNode(this, definition)
    let returned: (message: object) => void = () => undefined

    loops.set(this.id, (inFlight, seconds) => {
      const latencies: number[] = []
      const ends: number[] = []
      const sentAt = new Map<string, number>()
      const send = () => {
        const message = { _msgid: RED.util.generateId(), payload: '' }
        sentAt.set(message._msgid, performance.now())
        this.send(message)
      }
      return new Promise((resolve) => {
        const cpu = process.cpuUsage()
        const started = performance.now()
        returned = (message) => {
          const { _msgid } = message as { _msgid: string }
          const now = performance.now()
          latencies.push(now - (sentAt.get(_msgid) ?? NaN))
          ends.push(now)
          sentAt.delete(_msgid)
          if (now - started < seconds * 1000) send()
          else if (!sentAt.size) {
            const { user, system } = process.cpuUsage(cpu)
            const elapsed = (performance.now() - started) / 1000
            resolve({
              messages: latencies.length,
              seconds: elapsed,
              cpuSeconds: (user + system) / 1e6,
              latencies,
              ends,
            })
          }
        }
        for (let started = 0; started < inFlight; started++) send()
      })
    })

    this.on('input', (message, _send, done) => {
      returned(message)
      done()
    })
    this.on('close', () => loops.delete(this.id))
  })
}
