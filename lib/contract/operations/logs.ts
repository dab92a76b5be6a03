import { Type } from '../../typebox'
import type { Operation } from '../operation'
import { Log, LogInfo, LogName } from '../schemas/log'

export const logs = {
  listLogs: {
    method: 'GET',
    path: '/logs',
    summary: 'List the log files',
    result: Type.Array(LogInfo),
    errors: {},
    ubjson: true,
  },
  getLog: {
    method: 'GET',
    path: '/logs/{log}',
    summary: 'Read a log: its latest entries, or the whole log as text',
    params: { log: LogName },
    query: {
      format: Type.Optional(Type.String({ pattern: '^(json|raw)$', default: 'json' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, default: 100, description: 'newest entries, for format json only' }),
      ),
    },
    result: Log,
    textWhen: { format: 'raw' },
    errors: { 404: 'no such log' },
    ubjson: true,
  },
} as const satisfies Record<string, Operation>
