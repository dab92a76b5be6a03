import { PersistentConnection } from '../kernel/connection'
import { RobotError } from '../robot-motion'
import { openSession, type RtdeSession, type SessionEvents, type SessionOptions } from './rtde/session'
import { urError } from './place'

/** What a kept session tells. */
export interface KeptEvents {
  onValues: SessionEvents['onValues']
  onUp: (session: RtdeSession) => void
  /** Again only where the reason is another. */
  onDown: (error: RobotError) => void
}

/** A session that is opened again for ever. */
export function keepSession(options: SessionOptions, { onValues, onUp, onDown }: KeptEvents) {
  let shown: string | undefined
  const kept = new PersistentConnection<RtdeSession, RobotError>({
    open: ({ signal, ended }) => openSession(options, { onValues, onEnd: ended }, signal),
    release: (session) => session.close(),
    failureOf: (error) =>
      error instanceof RobotError
        ? error
        : urError({ code: 'BAD_REPLY', key: 'ur-not-rtde', values: { ...options } }),
    causeOf: ({ key }) => key,
    onUp: (session) => {
      shown = undefined
      onUp(session)
    },
    onDown: (error) => {
      if (shown !== error.key) onDown(error)
      shown = error.key
    },
  })
  return {
    get session(): RtdeSession | undefined {
      return kept.connection
    },
    close: () => kept.close(),
  }
}
