import RED from 'node-red'

export interface End {
  outputs: number
  done: number
  errors: Error[]
}

interface Hooks {
  add: (name: string, hook: (event: unknown) => void) => void
  remove: (name: string) => void
}
interface Completed {
  node: { id: string }
  msg: { _msgid: string }
  error?: Error
}
interface Sent {
  source: { id: string }
  msg: { _msgid: string }
}

export interface Ends {
  /** With everything that is reported immediately. */
  ended: (node: string, message: string) => Promise<End>
  /** So far. */
  of: (node: string, message: string) => End
  forget: () => void
  stop: () => void
}

/** In this process's Node-RED. */
export function watchEnds(): Ends {
  const { hooks } = RED as unknown as { hooks: Hooks }
  const ends = new Map<string, End>()
  let checks: (() => void)[] = []
  const of = (node: string, message: string) => {
    const key = `${node} ${message}`
    const known = ends.get(key) ?? { outputs: 0, done: 0, errors: [] }
    ends.set(key, known)
    return known
  }
  hooks.add('onComplete.ends', (event) => {
    const { node, msg, error } = event as Completed
    const end = of(node.id, msg._msgid)
    if (error) end.errors.push(error)
    else end.done++
    for (const again of checks.splice(0)) again()
  })
  hooks.add('onSend.ends', (events) => {
    for (const { source, msg } of events as Sent[]) of(source.id, msg._msgid).outputs++
  })
  return {
    of,
    ended: async (node, message) => {
      const end = of(node, message)
      while (end.done + end.errors.length === 0)
        await new Promise<void>((resolve) => void checks.push(resolve))
      await new Promise((resolve) => setImmediate(resolve))
      return end
    },
    forget: () => ends.clear(),
    stop: () => {
      checks = []
      hooks.remove('*.ends')
    },
  }
}
