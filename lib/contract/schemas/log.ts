import { Type, type Static } from '../../typebox'

export const LogName = Type.String({ minLength: 1, description: 'name of a log' })

export const LogInfo = Type.Object({
  name: Type.String(),
  date: Type.Number({ description: 'last change, seconds since 1970' }),
  size: Type.Optional(Type.Integer({ description: 'bytes; may be absent' })),
})
export type LogInfo = Static<typeof LogInfo>

export const LogEntry = Type.Object({
  component: Type.String(),
  level: Type.String({ description: 'DEBUG, INFO, WARN, ERROR or FATAL' }),
  message: Type.String(),
  timestamp: Type.Number({ description: 'seconds since 1970' }),
})
export type LogEntry = Static<typeof LogEntry>

export const Log = Type.Object({ ...LogInfo.properties, log: Type.Array(LogEntry) })
export type Log = Static<typeof Log>
