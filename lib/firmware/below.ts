import { isAbsolute, relative, sep } from 'node:path'

/** Whether a path lies below a folder; both as they really are, with symbolic links followed. */
export function below(folder: string, file: string): boolean {
  const path = relative(folder, file)
  return path !== '' && path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}
