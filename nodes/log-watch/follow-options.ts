import type { logs } from '../../lib'
import { spoken } from '../shared/node-error'
import { number } from '../shared/number'
import type { LogWatchFields } from './fields'

/** The typed fields, evaluated. */
type Texts = Record<'log' | 'component' | 'text', string>

/**
 * What the fields of the node mean to the procedure.
 * @throws INVALID_INPUT naming the field
 */
export function followOptions(fields: LogWatchFields, texts: Texts): Omit<logs.FollowOptions, 'source'> {
  const { log, ...filter } = texts
  const { start, level, match, output, rate } = fields
  const whole = (field: 'last' | 'batch' | 'most', most = 10_000) =>
    Math.floor(number(field, fields[field], 1, most))
  return {
    ...(log && { log }),
    start,
    ...(start === 'last' && { last: whole('last') }),
    filter: { ...filter, level, isPattern: match === 'pattern' },
    ...(rate !== '' && {
      rate: { entries: number('rate', rate, 1, 1e6), seconds: number('seconds', fields.seconds, 1, 86_400) },
    }),
    batch: output === 'batch' ? whole('batch') : 1,
    most: whole('most', 100_000),
    pace: {
      shortest: 1000 * number('shortest', fields.shortest, 0.1, 3600),
      longest: 1000 * number('longest', fields.longest, 0.1, 3600),
    },
    ...languageOf(),
  }
}

function languageOf() {
  const language = spoken()
  return language === undefined ? {} : { language }
}
