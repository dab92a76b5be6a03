import { constants, existsSync } from 'node:fs'
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { makeFolder } from './make-folder'
import { syncFolder } from './sync-folder'
import { writeDurably } from './write-durably'

/** Something on the way to a file is a link now: it was put there after its path had been checked. */
export class WayReplaced extends Error {}

/** Where Linux shows the open files of a process: a path that begins there leads on from the folder that is open. */
const openFiles = '/proc/self/fd'

/**
 * Whether a check and what follows it are one step here. Elsewhere than on Linux, whoever may write to a folder can
 * replace a part of a path by a link in between.
 */
export const holdsFolders = process.platform === 'linux' && existsSync(openFiles)

// Windows has neither; there are no links to follow at the end of a path that was resolved before.
const noLink = (constants.O_NOFOLLOW as number | undefined) ?? 0
const onlyFolder = noLink | ((constants.O_DIRECTORY as number | undefined) ?? 0)

/**
 * Opens a file for reading, following no link below the folder.
 * @param folder real path
 * @param file real path below the folder
 * @throws WayReplaced where there is a link now
 */
export const openBelow = (folder: string, file: string): Promise<FileHandle> =>
  inFolderOf(folder, file, false, (place) =>
    openPart(join(place, basename(file)), constants.O_RDONLY | noLink),
  )

/**
 * Writes a file as `writeDurably` does, following no link below the folder. Folders that are missing are made.
 * @param folder real path
 * @param file real path below the folder
 * @throws WayReplaced where there is a link now
 */
export async function writeBelow(folder: string, file: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(folder)
  await inFolderOf(folder, file, true, (place) => writeDurably(join(place, basename(file)), content))
}

/** Goes from the folder to that of the file, and holds each part so that nobody can put another one into its place. */
async function inFolderOf<Result>(
  folder: string,
  file: string,
  makes: boolean,
  use: (place: string) => Promise<Result>,
): Promise<Result> {
  if (!holdsFolders) return use(dirname(file))
  const parts = relative(folder, dirname(file)).split(sep).filter(Boolean)
  let held = await openPart(folder, onlyFolder)
  let path = folder
  try {
    for (const part of parts) {
      const next = await folderIn(placeOf(held), part, makes)
      await held.close()
      held = next
      path = join(path, part)
    }
    return await use(placeOf(held))
  } catch (error) {
    // People know the folder by its name.
    if (error instanceof Error) error.message = error.message.replaceAll(placeOf(held), path)
    throw error
  } finally {
    await held.close()
  }
}

const placeOf = ({ fd }: FileHandle) => join(openFiles, String(fd))

async function folderIn(place: string, part: string, makes: boolean): Promise<FileHandle> {
  const path = join(place, part)
  try {
    return await openPart(path, onlyFolder)
  } catch (error) {
    if (!makes || codeOf(error) !== 'ENOENT') throw error
  }
  await mkdir(path).catch((error: unknown) => {
    // Somebody else may have made it in this moment.
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await syncFolder(place)
  return openPart(path, onlyFolder)
}

async function openPart(path: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags)
  } catch (error) {
    if (codeOf(error) === 'ELOOP' || (codeOf(error) === 'ENOTDIR' && (await isLink(path))))
      throw new WayReplaced(codeOf(error), { cause: error })
    throw error
  }
}

const isLink = (path: string) =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
