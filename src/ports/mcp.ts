/** A tool as its server describes it. What it says about itself is a claim. */
export interface McpToolDefinition {
  name: string
  description: string
  /** JSON Schema of the input, as the server gave it. */
  schema: Record<string, unknown>
  /** Declared by the user's config, never by the server. */
  read_only: boolean
}

export interface McpCallOptions {
  signal: AbortSignal
  onProgress: (text: string) => void
}

/** A connected server. Calls never throw for what the server does. */
export interface McpServer {
  name: string
  tools: readonly McpToolDefinition[]
  call(
    tool: string,
    input: Record<string, unknown>,
    options: McpCallOptions,
  ): Promise<{ success: boolean; output: string }>
}
