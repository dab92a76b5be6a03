import type { logs } from '../../lib'
import { type NumberName, numberOf } from '../shared/fields/checked-fields'
import { spoken } from '../shared/node-error'
import { logWatchNode, type LogWatchFields } from './fields'

/** The typed fields, evaluated. */
type Texts = Record<'log' | 'component' | 'text', string>

/**
 * The options of the procedure for the node's fields.
 * @throws INVALID_INPUT naming the field
 */
export function followOptions(fields: LogWatchFields, texts: Texts): Omit<logs.FollowOptions, 'source'> {
  const { log, ...filter } = texts
  const { start, level, match, output } = fields
  const number = <Name extends NumberName<typeof logWatchNode>>(name: Name) =>
    numberOf(logWatchNode, fields, name)
  const entries = number('rate')
  return {
    ...(log && { log }),
    start,
    ...(start === 'last' && { last: number('last') }),
    filter: { ...filter, level, isPattern: match === 'pattern' },
    ...(entries !== undefined && { rate: { entries, seconds: number('seconds') } }),
    batch: output === 'batch' ? number('batch') : 1,
    most: number('most'),
    pace: {
      shortest: 1000 * number('shortest'),
      longest: 1000 * number('longest'),
    },
    ...languageOf(),
  }
}

function languageOf() {
  const language = spoken()
  return language === undefined ? {} : { language }
}
