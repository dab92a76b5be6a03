import { Type, type Static } from '../../typebox'

/** When devices of a cell may be begun, in the local time of that cell. */
export const TimeWindow = Type.Object(
  {
    /** `22:00` */
    from: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    /** `05:00`, on the next day if it is before `from`. */
    to: Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }),
    /** Days on which it opens, 0 is Sunday. @default all */
    days: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 6 }), { minItems: 1, maxItems: 7 })),
  },
  { additionalProperties: false },
)
export type TimeWindow = Static<typeof TimeWindow>

const day = 24 * 60

/**
 * Minutes until the window closes; 0 while it is closed.
 * @param zone `Europe/Berlin`, as in the IANA database
 * @param wall milliseconds since 1970
 */
export function minutesOpen({ from, to, days }: TimeWindow, zone: string, wall: number): number {
  const { weekday, minute } = localTime(zone, wall)
  const [opens, closes] = [minutesOf(from), minutesOf(to)]
  const opensOn = (one: number) => !days || days.includes((one + 7) % 7)
  const tillMidnight = closes > opens ? closes : closes + day
  if (minute >= opens && minute < tillMidnight && opensOn(weekday)) return tillMidnight - minute
  // It may have opened yesterday.
  if (closes <= opens && minute < closes && opensOn(weekday - 1)) return closes - minute
  return 0
}

/** Whether a time zone is known here. */
export function isZone(zone: string): boolean {
  try {
    return zone.length <= 64 && Boolean(formatOf(zone))
  } catch {
    return false
  }
}

const minutesOf = (text: string) => 60 * Number(text.slice(0, 2)) + Number(text.slice(3))

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const formats = new Map<string, Intl.DateTimeFormat>()

/** Creating one takes longer than using it a hundred times. @throws RangeError for an unknown zone */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(zone, format)
  return format
}

function localTime(zone: string, wall: number): { weekday: number; minute: number } {
  const parts = formatOf(zone).formatToParts(wall)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    weekday: weekdays.indexOf(part('weekday')),
    minute: 60 * Number(part('hour')) + Number(part('minute')),
  }
}
