/** Who this agent is, and what its config tells it. Nothing for an agent without either. */
export const agentIdentity = ({
  identity,
  system_message,
}: {
  identity?: string
  system_message?: string
}): string => [identity ?? '', system_message ?? ''].filter(Boolean).join('\n\n')
