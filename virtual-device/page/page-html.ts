import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Device } from '../device/device'
import { escaped } from './escaped'
import { groups, rows, type GroupKey, type Row, type RowKey, type RowName } from './rows'
import { inLanguage, type PageKey, type Say } from './sentences'

let template: string | undefined

/** The page in a language. */
export function pageHtml(device: Device, language: string): string {
  template ??= readFileSync(join(__dirname, 'index.html'), 'utf8')
  const say = inLanguage(language)
  const parts: Readonly<Record<string, string>> = {
    language,
    serial: escaped(device.identity.serial),
    switches: switches(device, say),
  }
  return template.replace(
    /\{\{([\w.]+)\}\}/g,
    (_, name: string) => parts[name] ?? escaped(say(name as PageKey)),
  )
}

function switches(device: Device, say: Say): string {
  return groups
    .map((group) => {
      const own = (Object.keys(rows) as RowName[]).filter((name) => {
        const { group: of, needs }: Row = rows[name]
        return of === group && has(device, needs)
      })
      if (own.length === 0) return ''
      const title: GroupKey = `group.${group}`
      return `<fieldset><legend>${escaped(say(title))}</legend>${own.map((name) => rowHtml(name, say)).join('')}</fieldset>`
    })
    .join('')
}

const has = (device: Device, needs: Row['needs']) =>
  needs === undefined || (needs === 'arm' ? device.hand !== undefined : device.variant === needs)

function rowHtml(name: RowName, say: Say): string {
  const { path, choices }: Row = rows[name]
  const label = escaped(say(`row.${name}`))
  const buttons = Object.entries(choices).map(([choice, value]) => {
    const key = `row.${name}.${choice}` as RowKey
    return `<button type="button" value="${escaped(JSON.stringify(value))}">${escaped(say(key))}</button>`
  })
  return (
    `<div class="row" data-path="${path.join('.')}"><span id="${name}">${label}</span>` +
    `<span class="choices" role="group" aria-labelledby="${name}">${buttons.join('')}</span></div>`
  )
}
