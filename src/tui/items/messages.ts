import { describePicture } from '../../view/describe-picture.ts'
import { parsePlan } from '../../core/plan/parse-plan.ts'
import type { AgentMessage, UserMessage } from '../../view/transcript-item.ts'
import { type Block, clickable, shift, stack, textBlock } from '../draw/block.ts'
import { drawable } from '../draw/drawable.ts'
import { markdownLines } from '../draw/markdown.ts'
import { row } from '../draw/row.ts'
import type { Theme } from '../draw/theme.ts'
import { wrapText } from '../draw/wrap.ts'
import { byWhom } from './by-whom.ts'
import type { ItemOptions } from './draw-item.ts'

const INDENT = 2

export function userMessage(
  theme: Theme,
  { text, pictures = [] }: UserMessage,
  { width }: ItemOptions,
): Block {
  const head = row(theme, [{ text: 'You', style: 'accent', also: 'bold' }], width)
  const body = wrapText(theme, 'text', drawable(text), width - INDENT)
  const shown = pictures.map((picture) =>
    row(theme, [{ text: `▣ ${describePicture(picture)}`, style: 'dim' }], width - INDENT),
  )
  return stack(textBlock(['']), head, shift(stack(textBlock(body), ...shown), INDENT))
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
    const plan = parsePlan(text)
    const about = textBlock([
      ...(plan ? wrapText(theme, 'bold', plan.goal, width - INDENT) : []),
      ...(plan?.steps ?? []).flatMap(({ action }, index) =>
        wrapText(theme, 'text', `${index + 1}. ${action}`, width - INDENT),
      ),
    ])
    const body = row(
      theme,
      [
        { text: `Plan r${item.plan.revision} `, style: 'plan', action: open },
        { text: '[ Review the plan ]', style: 'plan', also: 'bold', action: open },
      ],
      width - INDENT,
    )
    const words = textBlock(item.words ? markdownLines(theme, item.words, width - INDENT) : [])
    return stack(textBlock(['']), head, shift(stack(words, about, body), INDENT))
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

function answered(theme: Theme, { answer, answered_by, pending }: AgentMessage, width: number): Block {
  if (answer?.kind !== 'question') return textBlock([])
  const { text, value } = answer
  const chosen = pending?.kind === 'question' && pending.options.find((option) => option.value === value)
  const said = text ?? (chosen ? chosen.label : value)
  const who = byWhom(answered_by)?.replace(/,$/, '')
  return row(
    theme,
    [
      { text: `↳ ${said}`, style: 'dim' },
      { text: who ? ` (${who})` : '', style: 'dim' },
    ],
    width,
  )
}
