import { sentencesOf } from '../sentences'

const { invalidInput } = sentencesOf('backup')

interface Named {
  hostname: string
  serial: string
}

/**
 * Fills in a pattern such as `{hostname}/{date}_{time}.json` with the local date and time and the device's data. No
 * value can lead into another folder.
 * @throws INVALID_INPUT naming an unknown placeholder
 */
export function fileName(pattern: string, { hostname, serial }: Named, now: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const values: Record<string, string> = {
    date: [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-'),
    time: [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join('-'),
    hostname,
    serial,
  }
  return pattern.replace(/\{(\w*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined)
      throw invalidInput('unknown-placeholder', {
        placeholder: whole,
        known: Object.keys(values)
          .map((each) => `{${each}}`)
          .join(', '),
      })
    return value.replace(/[^\w.-]/g, '_').replace(/^\.+/, '_')
  })
}
