import * as checks from './checks'
import { deviceApi } from './device-api'
import style from './dialog.css'
import { inShort, label } from './label'
import { prepare } from './prepare'
import { readableErrors } from './readable-errors'
import { save } from './save'
import { sidebar } from './sidebar'
import sidebarStyle from './sidebar/sidebar.css'

/** What the dialogs of this package call. Every one of them loads this script, so it may run again and again. */
Object.assign(globalThis, { visionDialogs: { checks, deviceApi, inShort, label, prepare, save } })

const id = 'vision-dialog-style'
if (!document.getElementById(id))
  $('<style>')
    .attr('id', id)
    .text(style + sidebarStyle)
    .appendTo('head')

readableErrors()
sidebar()
