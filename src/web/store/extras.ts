import { ClientError } from '../../client/client.ts'

/** What the page shows beside the chats, read from the server it came from. */
export interface Extras {
  config(): Promise<ConfigReport>
  /** What is at a path of the workspace of a chat's project. */
  workspace(chat: string, path: string): Promise<WorkspaceEntry>
}

export interface ConfigReport {
  /** Null when there is none. */
  file: string | null
  source: string
  problems: { line: number; column: number; message: string; suggestion?: string }[]
}

export type WorkspaceEntry =
  | {
      kind: 'folder'
      path: string
      entries: { name: string; kind: string; size: number }[]
      truncated: boolean
    }
  | { kind: 'file'; path: string; text: string; size: number; truncated: boolean }

export function httpExtras(): Extras {
  return {
    config: () => get('/api/config'),
    workspace: (chat, path) => get(`/api/chats/${chat}/workspace?path=${encodeURIComponent(path)}`),
  }
}

async function get<T>(path: string): Promise<T> {
  const response = await fetch(path, { redirect: 'error' })
  const body = (await response.json()) as T & { error?: string }
  if (!response.ok) throw new ClientError(response.status, body.error ?? `the server said ${response.status}`)
  return body
}
