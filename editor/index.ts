import { checkOf } from './checks/check'
import { deviceApi } from './device-api'
import { label } from './label'
import { prepare } from './prepare'
import { readableErrors } from './readable-errors'
import { save } from './save'
import { sidebar } from './sidebar'
import { style } from './style'
import { translatedStatus } from './translated-status'

/** What the dialogs of this package call. Every dialog loads this script, so it must tolerate running several times. */
Object.assign(globalThis, { visionDialogs: { check: checkOf, deviceApi, label, prepare, save } })

style()
readableErrors()
sidebar()
translatedStatus()
