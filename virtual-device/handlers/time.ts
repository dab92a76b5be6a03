import type { Device } from '../device/device'
import { shown } from '../shown'
import { Refusal } from '../refusal'
import type { Handlers } from './handler'

export const time = {
  getNtp: (device) => ({ ntp: ntp(device) }),
  setNtp: (device, { manual_ntp_servers }) => {
    for (const server of manual_ntp_servers)
      if (!/^[\w.:-]{1,253}$/.test(server))
        throw new Refusal(400, `manual_ntp_servers: ${shown(server)} is not a host name or address`)
    device.change({ ntp: { manual: manual_ntp_servers } })
    return { ntp: ntp(device) }
  },
  getTime: (device) => ({ utc: utc(device.now()) }),
  setTime: (device, input) => {
    const { ntp_synchronized, ptp_synchronized } = device.scenario
    if (ntp_synchronized || ptp_synchronized)
      throw new Refusal(403, `the time is synchronized by ${ntp_synchronized ? 'NTP' : 'PTP'}`)
    const seconds = Date.parse(`${input.utc.replace(' ', 'T')}Z`) / 1000
    // February 30 would be parsed as a day in March.
    if (Number.isNaN(seconds) || utc(seconds) !== input.utc)
      throw new Refusal(400, `utc: ${input.utc} is not a valid date and time`)
    device.change({ clockOffset: seconds - device.clock.now() })
    device.note('INFO', `time set to ${input.utc}`)
    return { utc: utc(device.now()) }
  },
} satisfies Partial<Handlers>

/** `YYYY-MM-DD hh:mm:ss` */
const utc = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

export const ntp = ({
  scenario,
  system: {
    ntp: { manual },
  },
}: Device) => ({
  enabled: true,
  manual_ntp_servers: manual,
  offset: scenario.ntp_synchronized ? -3.2666e-5 : 0,
  selected_ntp_servers: scenario.ntp_synchronized ? [manual[0] ?? '192.168.0.1'] : [],
  synchronized: scenario.ntp_synchronized,
})
