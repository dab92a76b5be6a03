import { constants, existsSync } from 'node:fs'
import { lstat, mkdir, open, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { makeFolder, syncFolder, writeDurably } from './write-durably'

/** A part of the path became a link after the path was checked. */
export class PathComponentReplaced extends Error {}

/** Where Linux lists the open files of a process: a path that starts here continues from the open folder. */
const openFiles = '/proc/self/fd'

/** If false (not Linux), a program with write access can replace a part of a path by a link between check and use. */
export const holdsFolders = process.platform === 'linux' && existsSync(openFiles)

// Windows has neither; the path was resolved before and does not end in a link.
const noLink = (constants.O_NOFOLLOW as number | undefined) ?? 0
const onlyFolder = noLink | ((constants.O_DIRECTORY as number | undefined) ?? 0)

/** Opens a file for reading without following links below the folder; real paths. @throws PathComponentReplaced */
export const openBelow = (folder: string, file: string): Promise<FileHandle> =>
  inFolderOf(folder, file, false, (place) =>
    openPart(join(place, basename(file)), constants.O_RDONLY | noLink),
  )

/** As `writeDurably`, without following links below the folder; real paths. @throws PathComponentReplaced */
export async function writeBelow(folder: string, file: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(folder)
  await inFolderOf(folder, file, true, (place) => writeDurably(join(place, basename(file)), content))
}

/** Walks to the file's folder, keeping each part open so that it cannot be replaced. */
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
    // The message names the folder as people know it.
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
    // Another process may have created it at this moment.
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
      throw new PathComponentReplaced(codeOf(error), { cause: error })
    throw error
  }
}

const isLink = (path: string) =>
  lstat(path).then(
    (found) => found.isSymbolicLink(),
    () => false,
  )

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

/** @param folder real path @param file real path */
export function below(folder: string, file: string): boolean {
  const path = relative(folder, file)
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}
