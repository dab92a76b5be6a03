import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeAPI } from 'node-red'
import should from 'should'
import { allowedPlace } from '../../nodes/shared/allowed-place'

describe('the place of a file', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'cellsight-place-')))
  const at = (...names: string[]) => join(root, ...names)
  mkdirSync(at('home', 'backups'), { recursive: true })
  mkdirSync(at('home', 'backups-old'))
  mkdirSync(at('secret'))
  writeFileSync(at('secret', 'key.json'), '{}')
  writeFileSync(at('home', 'backups', 'cell.json'), '{}')
  symlinkSync(at('secret'), at('home', 'backups', 'out'))
  symlinkSync(at('secret', 'key.json'), at('home', 'backups', 'key.json'))
  symlinkSync(at('nowhere'), at('home', 'backups', 'dangling'))
  symlinkSync(at('home', 'backups', 'ring'), at('home', 'backups', 'ring'))
  symlinkSync(at('home', 'backups'), at('home', 'link'))
  after(() => rmSync(root, { recursive: true }))

  // The only part of Node-RED that this function uses.
  const RED = { settings: { userDir: at('home') } } as unknown as NodeAPI
  const placed = (folders = 'backups') => allowedPlace(RED, undefined as never, folders)
  const place =
    (folders?: string) =>
    async (...given: [path: string, typed: boolean]) =>
      (await placed(folders)(...given)).path
  const refused = (path: string, folders?: string) =>
    place(folders)(path, false).should.be.rejectedWith({ code: 'INVALID_INPUT', message: /is not allowed/ })

  it('may be anywhere if typed in the dialog', async () => {
    should(await place('')('../secret/key.json', true)).equal(at('secret', 'key.json'))
    should(await place('')('/etc/hostname', true)).equal('/etc/hostname')
  })

  it('may be below an allowed folder, even if it does not exist yet', async () => {
    should(await place()('backups/cell.json', false)).equal(at('home', 'backups', 'cell.json'))
    should(await place()(at('home', 'backups', 'new', 'a.json'), false)).equal(
      at('home', 'backups', 'new', 'a.json'),
    )
    should(await place('backups, later')('later/a.json', false)).equal(at('home', 'later', 'a.json'))
  })

  it('may be behind links that stay in the folder', async () => {
    should(await place()('link/cell.json', false)).equal(at('home', 'backups', 'cell.json'))
    should(await place('link')('backups/cell.json', false)).equal(at('home', 'backups', 'cell.json'))
  })

  const escapes = {
    'another folder': 'flows.json',
    'the folder itself': 'backups',
    'a folder whose name begins the same': 'backups-old/a.json',
    'a way up': 'backups/../settings.js',
    'a way up and back': 'backups/../backups/cell.json',
    'a way up in another notation': 'backups\\..\\settings.js',
    'a link to a folder': 'backups/out/key.json',
    'something new behind a link to a folder': 'backups/out/new/a.json',
    'a link to a file': 'backups/key.json',
    'a link to nowhere': 'backups/dangling',
    'something behind a link to nowhere': 'backups/dangling/a.json',
    'a ring of links': 'backups/ring/a.json',
  }
  for (const [what, path] of Object.entries(escapes)) it(`must not be ${what}`, () => refused(path))

  it('gives the same error whether or not the file exists', async () => {
    const said = (path: string) => place()(path, false).catch((error: unknown) => String(error))
    const there = await said(at('secret', 'key.json'))
    should(await said(at('secret', 'kez.json'))).equal(there.replace('key', 'kez'))
  })

  it('names the path, the folders and what to do', async () => {
    await place('backups, /media/usb')('flows.json', false).should.be.rejectedWith({
      message: new RegExp(
        `${at('home', 'flows.json')}.*${at('home', 'backups')}, /media/usb.*add its folder`,
      ),
    })
    await place('')('flows.json', false).should.be.rejectedWith({ message: /flows\.json.*Enter its folder/ })
    await place()('../a', false).should.be.rejectedWith({ message: /\.\.\/a.*Use a path without it/ })
  })
})
