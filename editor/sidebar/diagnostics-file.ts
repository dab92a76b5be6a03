import { request } from '../request'
import { saveText } from '../save-text'

/** Saves the diagnostics file that this Node-RED assembles. @throws DeviceProblem */
export async function saveDiagnostics(): Promise<void> {
  const told = await request('GET', 'vision-devices/diagnostics')
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-')
  saveText(JSON.stringify(told, null, 2), `vision-diagnostics-${moment}.json`)
}
