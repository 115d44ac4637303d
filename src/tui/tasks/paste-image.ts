import { homedir } from 'node:os'
import { isAbsolute, relative } from 'node:path'
import type { App } from '../app.ts'
import type { PastedImage } from '../input/pasted-image.ts'

/** Messages hold text: a picture is named by its file, and the person is told that nobody sees it. */
export function pasteImage(app: App, image: PastedImage): void {
  if (image.kind === 'data')
    return app.dispatch({
      type: 'say',
      text: 'Pictures are not sent to models: save it as a file and paste its name',
      tone: 'error',
    })
  const path = image.path.replace(/^~(?=\/)/, homedir())
  const inside = isAbsolute(path) ? relative(app.beginning.folder, path) : path
  app.editor.insertTextAtCursor(`@${inside.startsWith('..') ? path : inside} `)
  app.dispatch({
    type: 'say',
    text: 'Only the name of the picture is sent: models are not shown pictures, tools may open the file',
  })
}
