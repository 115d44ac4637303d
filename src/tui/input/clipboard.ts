import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import { LARGEST_PICTURE_BYTES } from '../../schema/picture.ts'

export type Clipboard =
  | { kind: 'picture'; bytes: Uint8Array }
  | { kind: 'text'; text: string }
  | { kind: 'nothing'; why: string }

/** A tool that has not answered by then is ended: the person waits. */
const PATIENCE_MS = 3_000
/** Some write bytes as two letters each. What is larger than a picture may be is said where pictures are kept. */
const MOST_OUTPUT = LARGEST_PICTURE_BYTES * 3

type Run = (args: string[]) => Promise<Buffer | undefined>

interface ClipboardTool {
  program: string
  /** The display it talks to; without one it is not asked. */
  display?: string
  picture?: (run: Run) => Promise<Uint8Array | undefined>
  text?: (run: Run) => Promise<string | undefined>
}

/** What is on the system's clipboard: a picture, else text. Asks the tools that there are, without a shell. */
export async function readClipboard(): Promise<Clipboard> {
  const tools = toolsOf(process.platform)
    .filter(({ display }) => display === undefined || process.env[display])
    .flatMap((tool) => {
      const path = findProgram(tool.program)
      return path === undefined ? [] : [{ ...tool, run: (args: string[]) => runTool(path, args) }]
    })
  if (tools.length === 0) return { kind: 'nothing', why: remedyFor(process.platform) }
  for (const { picture, run } of tools) {
    const bytes = await picture?.(run)
    if (bytes?.length) return { kind: 'picture', bytes }
  }
  for (const { text, run } of tools) {
    const found = await text?.(run)
    if (found) return { kind: 'text', text: found }
  }
  return { kind: 'nothing', why: 'The clipboard holds no picture and no text' }
}

function toolsOf(platform: NodeJS.Platform): ClipboardTool[] {
  switch (platform) {
    case 'darwin':
      return [
        { program: 'pngpaste', picture: (run) => run(['-']) },
        {
          program: 'osascript',
          picture: async (run) => fromAppleScript(await run(['-e', 'the clipboard as «class PNGf»'])),
        },
        { program: 'pbpaste', text: async (run) => (await run([]))?.toString() },
      ]
    case 'win32':
      return [powershell]
    default:
      return [
        listing('wl-paste', 'WAYLAND_DISPLAY', ['--list-types'], (type) => ['--no-newline', '--type', type]),
        listing('xclip', 'DISPLAY', [...XCLIP, 'TARGETS'], (type) => [...XCLIP, type]),
        // The clipboard of Windows, where Linux runs inside it.
        ...(process.env['WSL_DISTRO_NAME'] ? [powershell] : []),
      ]
  }
}

const XCLIP = ['-selection', 'clipboard', '-o', '-t']

/** A tool that lists the forms it has the content in, and gives one of them. */
function listing(
  program: string,
  display: string,
  list: string[],
  give: (type: string) => string[],
): ClipboardTool {
  const pick = async (run: Run, wanted: RegExp[]): Promise<Buffer | undefined> => {
    const types = (await run(list))?.toString().split('\n') ?? []
    const type = wanted.map((one) => types.find((offered) => one.test(offered))).find(Boolean)
    return type === undefined ? undefined : run(give(type))
  }
  return {
    program,
    display,
    picture: (run) => pick(run, [/^image\/png$/, /^image\/jpeg$/, /^image\/webp$/, /^image\/gif$/]),
    text: async (run) => (await pick(run, [/^text\/plain;charset=utf-8$/i, /^UTF8_STRING$/]))?.toString(),
  }
}

const POWERSHELL = ['-NoProfile', '-NonInteractive', '-STA', '-Command']

const powershell: ClipboardTool = {
  program: 'powershell.exe',
  picture: async (run) => {
    const script =
      'Add-Type -AssemblyName System.Windows.Forms, System.Drawing; ' +
      '$i = [Windows.Forms.Clipboard]::GetImage(); if ($i) { $s = New-Object IO.MemoryStream; ' +
      '$i.Save($s, [Drawing.Imaging.ImageFormat]::Png); [Convert]::ToBase64String($s.ToArray()) }'
    return Buffer.from((await run([...POWERSHELL, script]))?.toString() ?? '', 'base64')
  },
  text: async (run) => {
    const script = '[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw'
    return (await run([...POWERSHELL, script]))?.toString().trimEnd()
  },
}

/** `«data PNGf8950…»` */
export function fromAppleScript(output: Buffer | undefined): Uint8Array | undefined {
  const hex = /^«data \w{4}([\dA-F]+)»\s*$/i.exec(output?.toString() ?? '')?.[1]
  return hex === undefined ? undefined : Buffer.from(hex, 'hex')
}

function remedyFor(platform: NodeJS.Platform): string {
  const other = "paste the picture's path instead"
  if (platform === 'darwin' || platform === 'win32') return `The clipboard cannot be read here: ${other}`
  if (process.env['WAYLAND_DISPLAY'])
    return `The clipboard is read with wl-paste: install wl-clipboard, or ${other}`
  if (process.env['DISPLAY']) return `The clipboard is read with xclip: install it, or ${other}`
  return `There is no clipboard here, such as over SSH: ${other}`
}

/** Only folders that are named whole: a program of the project must not be taken for a tool of the system. */
const findProgram = (name: string): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => [join(folder, name), join(folder, `${name}.exe`)])
    .find(isExecutable)

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** What it wrote; nothing when it has nothing to give. */
const runTool = (path: string, args: string[]): Promise<Buffer | undefined> =>
  new Promise((resolve, reject) => {
    const limits = { timeout: PATIENCE_MS, maxBuffer: MOST_OUTPUT, killSignal: 'SIGKILL' } as const
    execFile(path, args, { ...limits, encoding: 'buffer', windowsHide: true }, (error, output) => {
      if (error?.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        reject(
          new Error(
            `What is on the clipboard is too large; models take at most ${LARGEST_PICTURE_BYTES / 1e6} MB`,
          ),
        )
      else if (error?.killed) reject(new Error(`${basename(path)} did not say what is on the clipboard`))
      else resolve(error ? undefined : output)
    })
  })
