import { RobotError } from '../robot-motion'
import { urError } from './place'
import { startTimeout } from '../timers/timers'
import { openSession, type RtdeSession, type SessionEvents, type SessionOptions } from './rtde/session'

/** What a kept session tells. */
export interface KeptEvents {
  onValues: SessionEvents['onValues']
  onUp: (session: RtdeSession) => void
  /** Again only where the reason is another. */
  onDown: (error: RobotError) => void
}

/** Milliseconds before the first attempt to connect again, and the longest of these pauses. */
const pauses = { first: 250, longest: 5000 } as const

/** A session that is opened again for ever, with pauses that grow and differ. */
export function keepSession(options: SessionOptions, { onValues, onUp, onDown }: KeptEvents) {
  const closing = new AbortController()
  let session: RtdeSession | undefined
  let timer: NodeJS.Timeout | undefined
  let pause: number = pauses.first
  let told: string | undefined
  let opening: Promise<void> = Promise.resolve()

  const down = (error: RobotError) => {
    session = undefined
    if (closing.signal.aborted) return
    if (told !== error.key) onDown(error)
    told = error.key
    timer = startTimeout(open, pause * (0.5 + Math.random() / 2))
    pause = Math.min(2 * pause, pauses.longest)
  }

  function open(): void {
    opening = openSession(options, { onValues, onEnd: down }, closing.signal).then(
      (opened) => {
        if (closing.signal.aborted) {
          opened.close()
          return
        }
        session = opened
        pause = pauses.first
        told = undefined
        onUp(opened)
      },
      (error: unknown) =>
        down(
          error instanceof RobotError
            ? error
            : urError({ code: 'BAD_REPLY', key: 'ur-not-rtde', values: { ...options } }),
        ),
    )
  }
  open()

  return {
    get session(): RtdeSession | undefined {
      return session
    },
    close: async (): Promise<void> => {
      closing.abort()
      clearTimeout(timer)
      session?.close()
      await opening
    },
  }
}
