import { Refusal } from '../server/refusal'
import type { Handlers } from './handler'

export const time = {
  getTime: (device) => ({ utc: utc(device.now()) }),
  setTime: (device, input) => {
    const { ntp_synchronized, ptp_synchronized } = device.scenario
    if (ntp_synchronized || ptp_synchronized)
      throw new Refusal(403, `the time is synchronized by ${ntp_synchronized ? 'NTP' : 'PTP'}`)
    const seconds = Date.parse(`${input.utc.replace(' ', 'T')}Z`) / 1000
    // February 30 is taken for a day in March.
    if (Number.isNaN(seconds) || utc(seconds) !== input.utc)
      throw new Refusal(400, `utc: ${input.utc} is no date and time`)
    device.change({ clockOffset: seconds - device.clock.now() })
    device.note('INFO', `time set to ${input.utc}`)
    return { utc: utc(device.now()) }
  },
} satisfies Partial<Handlers>

/** `YYYY-MM-DD hh:mm:ss` */
const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
