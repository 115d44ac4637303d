import type { Refused } from '../../ports/files.ts'
import { rootOpener } from '../files/gateway.ts'
import { pathNames } from '../files/path-names.ts'
import { refusing } from '../files/refusal.ts'
import { inFolder } from '../files/walk.ts'

/** Makes a folder and those on the way to it, without following a link. */
export const makeFolder = (root: string, path: string): Promise<{ made: string } | Refused> =>
  refusing(path, () =>
    inFolder(rootOpener(), root, pathNames(path).names, { create_from: 0 }, async () => ({ made: path })),
  )
