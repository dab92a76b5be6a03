// The stage of each test, and what it needs on the machine.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join, relative } from 'node:path'
import { filesBelow } from './fingerprint.mjs'
import { tool } from './jobs.mjs'

/** Tests of other stages in `npm test`: do browser and Node-RED still work? */
const smoke = ['dist/test/editor/statuses.test.js', 'dist/test/examples/parameters.test.js']

/** Programs by the module that starts them, and how to install them. */
const programs = {
  'dist/test/support/browser.js': {
    name: 'Chromium',
    files: ['chromium-headless-shell', 'chromium', 'chromium-browser'],
    install: 'apt-get install chromium-headless-shell',
  },
  'dist/test/support/nginx.js': { name: 'nginx', files: ['nginx'], install: 'apt-get install nginx-light' },
  'dist/test/support/mosquitto.js': {
    name: 'Mosquitto',
    files: ['mosquitto'],
    install: 'apt-get install mosquitto',
  },
  'dist/test/support/authority.js': {
    name: 'OpenSSL',
    files: ['openssl'],
    install: 'apt-get install openssl',
  },
  'dist/test/support/prometheus.js': {
    name: 'Prometheus',
    files: ['prometheus', 'promtool'],
    install: 'apt-get install prometheus',
  },
  'dist/test/support/aravis.js': {
    name: 'Aravis and networks of their own',
    files: ['arv-tool-0.8'],
    // Not every container may have them.
    permission: ['unshare', '-rnpf', '--mount-proc', 'ip', 'link'],
    install: 'apt-get install aravis-tools aravis-tools-cli tshark iproute2',
  },
  'dist/test/support/tshark.js': { name: 'tshark', files: ['tshark'], install: 'apt-get install tshark' },
  'dist/test/protocols/peers/snap7-peer.js': {
    name: 'a C++ compiler',
    files: ['g++', 'c++', 'clang++'],
    install: 'apt-get install g++ make python3',
  },
}

/** Long tests: campaigns, hostile input, killed processes, driven calibrations, a build of a copy. */
const campaigns =
  /\/(schedules\/.*|(?!persist)[\w-]*(kill|killed|hostile|hostile-[\w-]+|campaign|faults|odd-messages|(?<=\/)load|model|simulation|freed-memory|new-node|drive-(?!flow)[\w-]+))\.test\.js$/

/** The first matching stage has the file; `tests` all others. */
const stages = {
  tests: (file) => smoke.includes(file),
  demos: (file) => file.startsWith('dist/test/demo/'),
  examples: (file) => file.startsWith('dist/test/examples/'),
  campaigns: (file) => campaigns.test(file),
  browser: (file) => has(file, 'dist/test/support/browser.js'),
  peers: (file) => Object.keys(programs).some((module) => has(file, module)),
  'node-red': (file) => has(file, 'dist/test/support/node-red.js'),
}

/** In this order. */
export const stagesOfTests = ['tests', 'campaigns', 'node-red', 'peers', 'browser', 'examples', 'demos']

/** Processes for stages that take long. */
const parts = {
  'browser test/editor': 2,
  'examples test/examples': 2,
  'tests test/nodes': 3,
  'tests test/virtual-device': 2,
}

/** Smaller folders share a process. */
const few = 9

/** @returns jobs, one per process, and a line for each group that cannot run */
export function jobsOf(stage) {
  const { files, skipped } = runnable(testFiles().filter((file) => stageOf(file) === stage))
  const folders = new Map()
  for (const file of files) {
    const folder = smoke.includes(file) ? 'smoke' : file.split('/')[2]
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  const small = [...folders].filter(([, those]) => those.length < few)
  const large = [...folders].filter(([, those]) => those.length >= few)
  const shared = small.flatMap(([, those]) => those)
  const groups = [
    ...large.map(([folder, those]) => [`test/${folder}`, those]),
    ...(shared.length ? [[large.length ? 'others' : 'all', shared]] : []),
  ]
  const jobs = groups.flatMap(([name, those]) => {
    const count = parts[`${stage} ${name}`] ?? 1
    return dealtOut(those, count).map((dealt, part) => ({
      name: `${stage}: ${name}${count > 1 ? ` ${part + 1} of ${count}` : ''}`,
      ...mochaOf(dealt),
    }))
  })
  return { jobs, skipped }
}

/** @returns files that can run, and a line for each missing program */
export function runnable(files) {
  const lacking = new Map()
  const there = files.filter((file) => {
    const missing = Object.entries(programs).find(
      ([module, program]) => has(file, module) && !isInstalled(program),
    )
    if (missing) lacking.set(missing[1], [...(lacking.get(missing[1]) ?? []), file])
    return !missing
  })
  const skipped = [...lacking].map(
    ([{ name, install }, those]) =>
      `skipped: ${those.length} test files that need ${name}, which is not installed: ${install}`,
  )
  return { files: there, skipped }
}

export const mochaOf = (files) => ({ command: tool('mocha'), args: files, isTest: true })

export function dealtOut(files, count) {
  return Array.from({ length: count }, (_, part) => files.filter((_, index) => index % count === part))
}

export const testFiles = (folder = 'dist/test') =>
  filesBelow(folder)
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.js'))

const stageOf = (file) => Object.keys(stages).find((stage) => stages[stage](file)) ?? 'tests'

function isInstalled({ files, permission: [command, ...args] = [] }) {
  // Not in every user's PATH.
  const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  const isThere = files.some((file) => places.some((place) => existsSync(join(place, file))))
  return isThere && (command === undefined || spawnSync(command, args).status === 0)
}

/** Directly or indirectly. */
const has = (file, module) => everythingLoadedBy(file).has(module)

const everythingLoadedBy = remembered((file) => {
  const all = new Set([file])
  // The set grows while it is read.
  for (const each of all) for (const module of modulesLoadedBy(each)) all.add(module)
  return all
})

const modulesLoadedBy = remembered((file) =>
  [...readFileSync(file, 'utf8').matchAll(/require\("(\.[^"]+)"\)/g)]
    .map(([, name]) => relative('.', join(file, '..', `${name}.js`)).replaceAll('\\', '/'))
    .filter((module) => module.startsWith('dist/test/') && existsSync(module)),
)

function remembered(work) {
  const known = new Map()
  return (key) => {
    if (!known.has(key)) known.set(key, work(key))
    return known.get(key)
  }
}
