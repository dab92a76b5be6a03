import * as checks from './checks'
import { deviceApi } from './device-api'
import { inShort, label } from './label'
import { prepare } from './prepare'
import { readableErrors } from './readable-errors'
import { save } from './save'
import { sidebar } from './sidebar'
import { style } from './style'

/** What the dialogs of this package call. Every one of them loads this script, so it may run again and again. */
Object.assign(globalThis, { visionDialogs: { checks, deviceApi, inShort, label, prepare, save } })

style()
readableErrors()
sidebar()
