import type { ChatFollower } from '../client/follow-chat.ts'
import type { Client } from '../client/client.ts'
import type { StreamId } from '../schema/ids.ts'

/** What the server is put together from. It decides nothing: commands go to the client, the rest only reads. */
export interface ServerParts {
  client: Client
  /** Follows a log and all it leads to, from now on. */
  follow: (stream: StreamId, backlog: number) => ChatFollower
  /** The project workspace of a folder. Bounded, follows no links; refusals are data. */
  files: WorkspaceReader
  config: () => Promise<ConfigReport>
  /** The page, by file name. */
  assets: ReadonlyMap<string, Asset>
}

export interface WorkspaceReader {
  /** What is at a path below the folder. */
  read(folder: string, path: string): Promise<WorkspaceEntry | { refused: string }>
}

export type WorkspaceEntry =
  | {
      kind: 'folder'
      path: string
      entries: { name: string; kind: string; size: number }[]
      truncated: boolean
    }
  | { kind: 'file'; path: string; text: string; size: number; truncated: boolean }

export interface ConfigReport {
  /** Null when there is no config. */
  file: string | null
  /** The text, with what looks like a key hidden. */
  source: string
  problems: { line: number; column: number; message: string; suggestion?: string }[]
}

export interface Asset {
  type: string
  body: Uint8Array<ArrayBuffer>
}
