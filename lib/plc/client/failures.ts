/** The errors of a client, each with the PLC that it speaks to. */
import { sentencesIn } from '../../kernel/sentences'
import { PlcError, plcErrorsOf } from '../plc-error'
import type en from './locales/en-US/sentences.json'
import type { LinkFailure, PlcPlace, PlcProtocol, PlcRequest } from './protocol'

/** An error of the connection to a PLC. */
export const linkError = plcErrorsOf(sentencesIn<typeof en>(__dirname))

export type LinkFailures<Own> = ReturnType<typeof linkFailures<Own>>

/** @param queue requests that may wait */
export function linkFailures<Own>(
  { isRead, explain }: PlcProtocol<Own>,
  { host, port, deadline }: PlcPlace,
  queue: number,
) {
  const place = { host, port, deadline }
  const unknown = () => linkError({ code: 'OUTCOME_UNKNOWN', key: 'plc-write-unknown', values: place })
  const failed = (failure: LinkFailure, general: () => PlcError) => explain?.(failure, place) ?? general()

  return {
    notConnected: () => linkError({ code: 'UNREACHABLE', key: 'plc-connecting', values: place }),
    unreachable: ({ code, message }: NodeJS.ErrnoException) => {
      const reason = code ?? message
      const values = { ...place, reason }
      if (reason === 'ENOTFOUND' || reason === 'EAI_AGAIN')
        return linkError({ code: 'UNREACHABLE', key: 'plc-unknown-host', values, cause: { reason } })
      return failed({ is: 'unreachable', reason, isOpening: true }, () =>
        linkError({ code: 'UNREACHABLE', key: 'plc-unreachable', values, cause: { reason } }),
      )
    },
    lost: (reason: string, isOpening: boolean) =>
      failed({ is: 'lost', reason, isOpening }, () =>
        linkError({
          code: 'UNREACHABLE',
          key: 'plc-lost',
          values: { ...place, reason },
          cause: { reason },
        }),
      ),
    closed: () => linkError({ code: 'ABORTED', key: 'plc-closed', values: place }),
    full: () => linkError({ code: 'BUSY', key: 'plc-queue', values: { ...place, limit: queue } }),
    noAnswer: (request: PlcRequest<Own>) =>
      isRead(request)
        ? failed({ is: 'no-answer' }, () =>
            linkError({ code: 'TIMEOUT', key: 'plc-no-answer', values: place }),
          )
        : unknown(),
    lostUnderWay: (request: PlcRequest<Own>, lost: PlcError) => (isRead(request) ? lost : unknown()),
  }
}

/** What failed is an error of this software. */
export const internalError = (error: unknown): PlcError => {
  if (error instanceof PlcError) return error
  const reason = error instanceof Error ? error.message : String(error)
  return linkError({ code: 'INTERNAL', key: 'plc-internal', values: { reason } })
}
