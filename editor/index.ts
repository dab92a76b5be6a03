import type { PublishedStatus } from '../nodes/shared/status'
import answer from './answer.css'
import cameraView from './camera/camera-view.css'
import { deviceApi } from './device-api'
import { label, sharedText } from './dialog'
import dialog from './dialog.css'
import { newIdsForExamples } from './example-ids'
import { checkOf } from './field-checks'
import entries from './forms/entries.css'
import forms from './forms/forms.css'
import jsonView from './forms/json-view.css'
import switches from './forms/switch.css'
import drive from './drive.css'
import picks from './picks/picks.css'
import plcMap from './plc/map.css'
import plcPanel from './plc/panel.css'
import { prepare, save, takeOnly } from './prepare'
import record from './record.css'
import { sidebar } from './sidebar'
import sidebarRules from './sidebar/sidebar.css'

const id = 'vision-dialog-style'

/** Once. Shared styles first, so that others can refine them. */
function style(): void {
  if (document.getElementById(id)) return
  const sheets = [
    dialog,
    answer,
    picks,
    forms,
    entries,
    jsonView,
    switches,
    record,
    sidebarRules,
    cameraView,
    plcMap,
    plcPanel,
    drive,
  ]
  $('<style>').attr('id', id).text(sheets.join('')).appendTo('head')
}

/** Newest status of each node, shared by all dialogs, each of which runs this script. */
const shared = globalThis as { visionStatuses?: Map<string, Partial<PublishedStatus>> }

/** In the editor's language if Node-RED has another one. */
function translatedStatus(): void {
  if (shared.visionStatuses) return
  const statuses = (shared.visionStatuses = new Map<string, Partial<PublishedStatus>>())
  // Text and parts arrive in sequence; the editor shows the text first.
  const soon = (id: string) => setTimeout(() => translate(id, statuses.get(id)))

  RED.comms.subscribe('vision-status/#', (topic: string, parts: Partial<PublishedStatus>) => {
    statuses.set(idIn(topic), parts)
    soon(idIn(topic))
  })
  RED.comms.subscribe('status/#', (topic: string) => soon(idIn(topic)))
  RED.events.on('flows:loaded', () => [...statuses.keys()].forEach(soon))
}

const idIn = (topic: string) => topic.split('/')[1] ?? ''

function translate(
  id: string,
  { text, word, count = '', after, remark }: Partial<PublishedStatus> = {},
): void {
  const node: ShownNode | null = RED.nodes.node(id)
  if (!word || !node?.status || node.status.text !== text) return
  const key = `status.${word}`
  const translatedWord = [sharedText(key, { count }), after].filter(Boolean).join(' ')
  const translated = remark
    ? `${translatedWord} · ${sharedText(`status.${remark.word}`, { count: remark.count })}`
    : translatedWord
  if (translated === text || translated.includes(key)) return
  node.status = { ...node.status, text: translated }
  node.dirtyStatus = node.dirty = true
  RED.view.redrawStatus(node)
}

interface ShownNode {
  status?: { text?: string }
  dirtyStatus?: boolean
  dirty?: boolean
}

const hook = 'debugPostProcessMessage.vision-errors'

/** Errors of this package with their whole message and code; the debug sidebar itself cuts messages after a few words. */
function readableErrors(): void {
  // The script runs once per node type; Node-RED refuses duplicate hooks.
  RED.hooks.remove(hook)
  RED.hooks.add(hook, ({ element, payload }) => {
    const { name, message, code } = payload?.data ?? {}
    if (name === 'VisionError')
      element.find('.red-ui-debug-msg-object-header').first().text(`${message} (${code})`)
  })
}

/** For the dialogs, which all load this script: it must tolerate running several times. */
Object.assign(globalThis, { visionDialogs: { check: checkOf, deviceApi, label, prepare, save, takeOnly } })

style()
newIdsForExamples(() => RED.nodes.id())
readableErrors()
sidebar()
translatedStatus()
