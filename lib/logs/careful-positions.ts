import type { VisionError } from '../client/vision-error'
import type { Positions } from './positions'
import { logsError } from './sentences'

/**
 * Wraps positions so that their failures do not end the following: each failure is reported once until saving works
 * again.
 * @param failed called with the reason why positions cannot be saved
 */
export function carefulPositions(
  positions: Positions,
  language: string | undefined,
  failed: (error: VisionError) => void,
): Positions {
  let isFailing = false
  const tell = (problem: unknown) => {
    if (isFailing) return undefined
    isFailing = true
    const { code, message } = problem as NodeJS.ErrnoException
    const values = { folder: positions.folder, reason: code ?? message }
    failed(logsError({ code: 'INVALID_INPUT', key: 'log-position', values }, { language }))
    return undefined
  }
  const works = () => {
    isFailing = false
  }
  const trying = (step: () => void) => {
    try {
      step()
    } catch (problem) {
      tell(problem)
    }
  }
  return {
    folder: positions.folder,
    load: (log) =>
      positions.load(log).catch((problem: unknown) => {
        tell(problem)
        return 'damaged'
      }),
    replace: (log, kept) => positions.replace(log, kept).then(works, tell),
    announce: (log, kept, entries) => positions.announce(log, kept, entries).then(works, tell),
    leaving: (log, left, leaving) => trying(() => positions.leaving(log, left, leaving)),
    moved: (log, left, others) => trying(() => positions.moved(log, left, others)),
    end: (log, kept) => positions.end(log, kept).then(works, tell),
    rest: (log) => trying(() => positions.rest(log)),
    close: () => positions.close().catch(tell),
  }
}
