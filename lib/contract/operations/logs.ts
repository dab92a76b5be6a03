import { Type } from '@sinclair/typebox'
import type { Operation } from '../operation'
import { Log, LogInfo, LogName } from '../schemas/log'

export const logs = {
  /** Lists the log files. */
  listLogs: {
    method: 'GET',
    path: '/logs',
    summary: 'Lists the log files.',
    result: Type.Array(LogInfo),
    errors: {},
    ubjson: true,
  },
  /**
   * Reads the last entries of a log, or the whole log as text.
   * @throws VisionError 404 no such log
   */
  getLog: {
    method: 'GET',
    path: '/logs/{log}',
    summary: 'Reads the last entries of a log, or the whole log as text.',
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
