// The software bill of materials, CycloneDX in JSON: the packages that this one installs, from the lock file, and those of which it
// includes files.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const file = 'dist/sbom.cdx.json'
const sources = ['package.json', 'package-lock.json']

/**
 * Writes it, unless it is newer than what it is made from.
 * @param included names of packages of which files are copied into this one
 */
export function writeBillOfMaterials(included) {
  const written = statSync(file, { throwIfNoEntry: false })
  if (written && sources.every((source) => statSync(source).mtimeMs < written.mtimeMs)) return
  const bill = ofInstalled()
  for (const component of included.map(componentOf)) {
    bill.components.push(component)
    bill.dependencies.push({ ref: component['bom-ref'], dependsOn: [] })
    bill.dependencies
      .find(({ ref }) => ref === bill.metadata.component['bom-ref'])
      .dependsOn.push(component['bom-ref'])
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(bill, undefined, 2)}\n`)
}

/** As npm reads it from the lock file, without what differs from build to build. */
function ofInstalled() {
  const folder = mkdtempSync(join(tmpdir(), 'cellsight-sbom-'))
  try {
    copyWithoutDevelopment(folder)
    const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=library']
    const { stdout, stderr, status } = spawnSync('npm', args, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      shell: process.platform === 'win32',
    })
    if (status !== 0) throw new Error(`npm sbom failed: ${stderr}`)
    const { serialNumber: _number, ...bill } = JSON.parse(stdout)
    delete bill.metadata.timestamp
    // npm names it by its folder.
    bill.metadata.component.name = manifest().name
    return bill
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** `--omit=dev` of npm omits what development needs too, such as `semver`. */
function copyWithoutDevelopment(folder) {
  const { devDependencies: _own, overrides: _overrides, ...kept } = manifest()
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  lock.packages = Object.fromEntries(Object.entries(lock.packages).filter(([, { dev }]) => !dev))
  delete lock.packages[''].devDependencies
  writeFileSync(join(folder, 'package.json'), JSON.stringify(kept))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
}

const manifest = () => JSON.parse(readFileSync('package.json', 'utf8'))

function componentOf(name) {
  const { version, license, description } = JSON.parse(
    readFileSync(`node_modules/${name}/package.json`, 'utf8'),
  )
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    scope: 'required',
    description,
    purl: `pkg:npm/${encodeURIComponent(name).replaceAll('%2F', '/')}@${version}`,
    licenses: [{ license: { id: license } }],
  }
}
