import type { AgentMessage, UserMessage } from '../../view/transcript-item.ts'
import { type Block, clickable, shift, stack, textBlock } from '../draw/block.ts'
import { drawable } from '../draw/drawable.ts'
import { markdownLines } from '../draw/markdown.ts'
import { row } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import type { ItemOptions } from './draw-item.ts'

const INDENT = 2

export function userMessage(theme: Theme, { text }: UserMessage, { width }: ItemOptions): Block {
  const head = row(theme, [{ text: 'You', style: 'accent', also: 'bold' }], width)
  const body = wrapText(theme, 'text', drawable(text), width - INDENT)
  return stack(textBlock(['']), head, shift(textBlock(body), INDENT))
}

export function agentMessage(theme: Theme, item: AgentMessage, { width, expanded }: ItemOptions): Block {
  const { text, message_type, agent_id = 'agent', id, reasoning } = item
  const head = row(
    theme,
    [
      { text: agent_id, also: 'bold' },
      ...(message_type === 'Plan' ? [{ text: ' · plan', style: 'plan' as const }] : []),
    ],
    width,
  )
  if (message_type === 'Plan' && item.plan) {
    const open = { type: 'open_plan' } as const
    const body = row(
      theme,
      [
        { text: `Plan r${item.plan.revision} `, style: 'plan', action: open },
        { text: '[ Review the plan ]', style: 'plan', also: 'bold', action: open },
      ],
      width - INDENT,
    )
    const words = textBlock(item.words ? markdownLines(theme, item.words, width - INDENT) : [])
    return stack(textBlock(['']), head, shift(stack(words, body), INDENT))
  }
  const thought = reasoning ? reasoningBlock(theme, reasoning, { width, expanded }, id) : textBlock([])
  return stack(
    textBlock(['']),
    head,
    shift(
      stack(
        thought,
        textBlock(markdownLines(theme, drawable(text), width - INDENT)),
        answered(theme, item, width),
      ),
      INDENT,
    ),
  )
}

function reasoningBlock(
  theme: Theme,
  reasoning: string,
  { width, expanded }: ItemOptions,
  id: string,
): Block {
  const head = row(theme, [{ text: `${expanded ? '▾' : '▸'} thought`, style: 'dim' }], width)
  const body = expanded ? wrapText(theme, 'dim', drawable(reasoning), width - INDENT * 2) : []
  return stack(clickable(head, { type: 'toggle_item', id }, width), shift(textBlock(body), INDENT))
}

function answered(theme: Theme, { answer, answered_by }: AgentMessage, width: number): Block {
  if (answer?.kind !== 'question') return textBlock([])
  const said = answer.text ?? answer.value
  return row(
    theme,
    [
      { text: `↳ ${said}`, style: 'dim' },
      { text: answered_by ? ` (${answered_by})` : '', style: 'dim' },
    ],
    width,
  )
}
