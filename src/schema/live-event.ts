/** Never stored: the finished message or observation is the durable record. */
export type LiveEvent =
  | { type: 'text.delta'; agent_id: string; text: string }
  | { type: 'reasoning.delta'; agent_id: string; text: string }
  | { type: 'tool.output'; call_id: string; text: string }
  | { type: 'model.retrying'; agent_id: string; attempt: number; delay_ms: number; reason: string }
