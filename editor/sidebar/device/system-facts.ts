import type { SysInfo } from '../../../lib/contract'
import { sharedText } from '../../shared-text'
import type { TreeEntry } from '../tree/entry'

/** The identity and state of a device, at a glance. */
export function systemFacts({
  ready,
  model_name: model,
  hostname,
  serial,
  firmware,
  uptime,
  reboot_required: mustRestart,
}: SysInfo): TreeEntry[] {
  const facts: TreeEntry[] = [
    fact('model', sharedText('test.model'), model ?? modelIn(hostname, serial)),
    fact('serial', sharedText('test.serial'), serial),
    fact('firmware', sharedText('test.firmware'), firmware.active_image.image_version),
    fact('uptime', sharedText('sidebar.uptime'), duration(uptime)),
  ]
  if (!ready) facts.unshift(remark('starting', sharedText('test.booting')))
  if (firmware.fallback_booted) facts.unshift(remark('fallback', sharedText('sidebar.fallback')))
  if (mustRestart) facts.unshift(remark('restart', sharedText('sidebar.mustRestart')))
  return facts
}

/** Devices that do not report their model have it in their host name, `<model>-<serial>`. */
const modelIn = (hostname: string, serial: string) =>
  serial && hostname.endsWith(`-${serial}`) ? hostname.slice(0, -serial.length - 1) : hostname

const fact = (key: string, label: string, value: string): TreeEntry => ({ key, label, value, tone: 'quiet' })

const remark = (key: string, label: string): TreeEntry => ({
  key,
  label,
  icon: 'exclamation-triangle',
  tone: 'soon',
  isText: true,
})

/** Seconds as `3 d 4 h`, `4 h 5 min`, `5 min`; shows seconds only in the first two minutes. */
function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  const days = Math.floor(hours / 24)
  if (minutes < 2) return `${Math.floor(seconds)} s`
  if (hours < 1) return `${minutes} min`
  return days < 1 ? `${hours} h ${minutes % 60} min` : `${days} d ${hours % 24} h`
}
