import { request } from '../request'

/** Saves the diagnostics file that this Node-RED assembles. @throws DeviceProblem */
export async function saveDiagnostics(): Promise<void> {
  const told = await request('GET', 'vision-devices/diagnostics')
  const url = URL.createObjectURL(new Blob([JSON.stringify(told, null, 2)], { type: 'application/json' }))
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  const [link] = $('<a>')
    .attr({ href: url, download: `vision-diagnostics-${moment}.json` })
    .get()
  link?.click()
  URL.revokeObjectURL(url)
}
