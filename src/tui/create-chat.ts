import type { Client } from '../client/client.ts'
import type { ChatConfig } from '../schema/chat-config.ts'
import type { CommandResult } from '../schema/command.ts'
import type { ChatId } from '../schema/ids.ts'

/** A chat in these modes, called after its first message. */
export async function createChat(
  client: Client,
  { text, folder, config }: { text: string; folder: string; config: ChatConfig },
): Promise<ChatId | Extract<CommandResult, { accepted: false }>> {
  const chat_id = await client.newChatId()
  const { agent_mode, ...team } = config
  const create = { type: 'create_chat', chat_id, folder, title: titleOf(text), agent_mode } as const
  const created = await client.execute(create)
  if (!created.accepted) return created
  if (Object.keys(team).length === 0) return chat_id
  const set = await client.execute({ type: 'set_team', chat_id, ...team })
  return set.accepted ? chat_id : set
}

function titleOf(prompt: string): string {
  const line = prompt.trim().split('\n', 1)[0] ?? ''
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
