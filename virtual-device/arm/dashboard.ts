import type { Socket } from 'node:net'
import type { Arm } from './arm'

const refusal =
  'Command is not allowed due to safety reasons, please switch robot to Remote Control mode and reconnect to port 29999'

const longest = 4096 // characters of a line

type Answer = (arm: Arm, rest: string) => string

const programState = ({ controller }: Arm) => {
  const { programName = '<unnamed>', runtime } = controller
  return `${runtime === 'PLAYING' || runtime === 'PAUSED' ? runtime : 'STOPPED'} ${programName}`
}

/** Permitted without remote control. */
const queries: Readonly<Record<string, Answer>> = {
  robotmode: ({ controller }) => `Robotmode: ${controller.power.mode}`,
  safetymode: ({ controller }) => `Safetymode: ${controller.safety.mode}`,
  polyscopeversion: ({ versionText }) => versionText,
  programstate: programState,
  running: ({ controller }) => `Program running: ${controller.runtime === 'PLAYING'}`,
  'get robot model': ({ controller }) => controller.model.name,
  'get serial number': ({ serial }) => serial,
  'get loaded program': () => 'No program loaded',
  'close popup': () => 'closing popup',
  popup: (_, text) => (text ? 'showing popup' : 'No popup text'),
  isprogramsaved: ({ controller }) => `true ${controller.programName ?? '<unnamed>'}`,
  addtolog: () => 'Added log message',
  savelog: () => 'Log saved to disk',
  'generate flight report': ({ serial }, type) =>
    reportTypes.has(type.toLowerCase())
      ? `Flight Report generated with id: ${reportTime()}_${serial}`
      : `Failed to execute: generate flight report ${type}`,
  'generate support file': ({ serial }, folder) =>
    folder
      ? `Completed successfully: ur_${serial}_${reportTime()}.zip`
      : 'Failed to execute: generate support file',
}

/** Without one, the report is about the system. */
const reportTypes: ReadonlySet<string> = new Set(['', 'controller', 'software', 'system'])

const reportTime = () => new Date().toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-')

/** Further ones of the newer generation. */
const newerQueries: Readonly<Record<string, Answer>> = {
  version: ({ version }) => version.join('.'),
  safetystatus: ({ controller }) => `Safetystatus: ${controller.safety.mode}`,
  'is in remote control': ({ isRemote }) => String(isRemote),
  'get operational mode': ({ controller }) => controller.operationalMode,
}

/** Only the older generation, which has user roles in place of remote control. */
const olderQueries: Readonly<Record<string, Answer>> = {
  getuserrole: () => 'PROGRAMMER',
  setuserrole: (_, role) => `Setting user role: ${role}`,
}

/** Require remote control. */
const actions: Readonly<Record<string, Answer>> = {
  play: ({ controller }) => (controller.resume() ? 'Starting program' : 'Failed to execute: play'),
  pause: ({ controller }) => (controller.pause() ? 'Pausing program' : 'Failed to execute: pause'),
  stop: ({ controller }) => {
    if (controller.programName === undefined) return 'Failed to execute: stop'
    controller.endProgram()
    return 'Stopped'
  },
  'power on': ({ controller }) => {
    controller.powerOn()
    return 'Powering on'
  },
  'power off': ({ controller }) => {
    controller.powerOff()
    return 'Powering off'
  },
  'brake release': ({ controller }) => {
    controller.brakeRelease()
    return 'Brake releasing'
  },
  'unlock protective stop': ({ controller }) =>
    controller.unlock()
      ? 'Protective stop releasing'
      : 'Cannot unlock protective stop until 5s after occurrence. Always inspect cause of protective stop before unlocking',
  'close safety popup': () => 'closing safety popup',
  'restart safety': ({ controller }) => {
    controller.powerOff()
    return 'Restarting safety'
  },
  shutdown: ({ controller }) => {
    controller.powerOff()
    return 'Shutting down'
  },
  'load installation': (_, file) => `File not found: ${file}`,
  load: (_, file) => `File not found: ${file}`,
}

/** Further ones of the newer generation. */
const newerActions: Readonly<Record<string, Answer>> = {
  'set operational mode': ({ controller }, text) => {
    const mode = text.toUpperCase()
    if (mode !== 'MANUAL' && mode !== 'AUTOMATIC') return `Failed setting operational mode: ${text}`
    controller.operationalMode = mode
    return `Operational mode '${text}' is set`
  },
  'clear operational mode': ({ controller }) => {
    controller.operationalMode = 'NONE'
    return "No longer controlling the operational mode. Current operational mode: 'NONE'."
  },
}

export class DashboardConnection {
  #text = ''
  readonly #mayAct: boolean // A connection made in local mode stays without rights

  constructor(
    private readonly socket: Socket,
    private readonly arm: Arm,
  ) {
    this.#mayAct = arm.isRemote
    this.#say('Connected: Universal Robots Dashboard Server')
  }

  push(bytes: Buffer): void {
    this.#text += bytes.toString('utf8')
  }

  next(): string | undefined {
    const end = this.#text.indexOf('\n')
    if ((end < 0 ? this.#text.length : end) > longest) {
      this.socket.destroy()
      return undefined
    }
    if (end < 0) return undefined
    const line = this.#text.slice(0, end).trim()
    this.#text = this.#text.slice(end + 1)
    return line
  }

  answer(line: string): void {
    if (line === '' || this.socket.writableEnded) return
    const lower = line.toLowerCase()
    if (lower === 'quit') {
      this.socket.end('Disconnected\n')
      return
    }
    const { arm } = this
    const isNewer = arm.controller.model.generation === 'e'
    const known = { ...queries, ...(isNewer ? newerQueries : olderQueries) }
    const found = commandIn(known, lower)
    if (found) {
      this.#say(known[found]?.(arm, line.slice(found.length).trim()) ?? '')
      return
    }
    const allowed = isNewer ? { ...actions, ...newerActions } : actions
    const action = commandIn(allowed, lower)
    if (!action) this.#say(`could not understand: '${line}'`)
    else if (!this.#mayAct || !arm.isRemote) this.#say(refusal)
    else {
      this.#say(allowed[action]?.(arm, line.slice(action.length).trim()) ?? '')
      arm.wake()
    }
  }

  #say(line: string): void {
    this.socket.write(`${line}\n`)
  }
}

const commandIn = (commands: Readonly<Record<string, Answer>>, line: string) =>
  Object.keys(commands).find((command) => line === command || line.startsWith(`${command} `))
