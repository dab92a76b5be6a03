import { Refusal } from '../refusal'
import { cut } from '../shown'
import type { Handlers } from './handler'

export const logs = {
  listLogs: (device) => device.logs.infos(),
  getLog: (device, { log: name, format = 'json', limit = 100 }) => {
    const log = format === 'raw' ? device.logs.raw(name) : device.logs.json(name, limit)
    if (log === undefined) throw new Refusal(404, `there is no log ${cut(name, 60)}`)
    return log
  },
} satisfies Partial<Handlers>
