import { stripTerminalSequences } from '@earendil-works/pi-tui'
import type { AgentMessage, TranscriptItem } from '../../view/transcript-item.ts'
import { type Block, crop, shift, stack, textBlock } from '../draw/block.ts'
import { StreamingMarkdown } from '../draw/markdown.ts'
import type { Theme } from '../draw/theme.ts'
import { type ItemMore, drawItem } from '../items/draw-item.ts'
import { isExpanded } from '../state/reduce.ts'
import type { Scroll, UiState } from '../state/ui-state.ts'

/** Items whose lines are kept. More than fit on any screen, few enough for memory to stay flat. */
const KEPT = 600

/** What is scrolled through. */
export interface ItemList {
  count: number
  at(place: number): TranscriptItem | undefined
  /** What is known of an item beside its own log. `key` changes with it. */
  more?(item: TranscriptItem): ItemMore | undefined
}

interface Kept {
  revision: number
  shape: string
  block: Block
}

/** The part of a transcript that is on the screen. Costs what is visible, however long the transcript is. */
export class TranscriptPane {
  readonly #kept = new Map<string, Kept>()
  readonly #streams = new Map<string, { shape: string; markdown: StreamingMarkdown }>()
  /** The places that are on the screen. */
  shown = { from: 0, to: 0 }
  #height = 1
  #width = 1

  draw(theme: Theme, list: ItemList, ui: UiState, size: { width: number; height: number }): Block {
    this.#height = size.height
    this.#width = size.width
    const { place, line } = this.#top(theme, list, ui, ui.scroll)
    let shown: Block = { lines: [], hits: [] }
    let at = place
    for (; at < list.count && shown.lines.length < size.height; at++) {
      const item = this.#item(theme, list, ui, at)
      shown = stack(shown, crop(item, at === place ? line : 0, size.height - shown.lines.length))
    }
    this.shown = { from: place, to: at }
    return ui.search?.query ? { ...shown, lines: mark(theme, shown.lines, ui.search.query) } : shown
  }

  /** Where the top is after moving by so many lines. */
  move(theme: Theme, list: ItemList, ui: UiState, lines: number): Scroll {
    let { place, line } = this.#top(theme, list, ui, ui.scroll)
    line += lines
    while (line < 0 && place > 0) {
      place--
      line += this.#item(theme, list, ui, place).lines.length
    }
    for (;;) {
      const length = this.#item(theme, list, ui, place).lines.length
      if (line < length || place >= list.count - 1) break
      line -= length
      place++
    }
    const end = this.#end(theme, list, ui)
    const past = place > end.place || (place === end.place && line >= end.line)
    return past ? { follow: true } : { follow: false, place, line: Math.max(0, line) }
  }

  #top(theme: Theme, list: ItemList, ui: UiState, scroll: Scroll): { place: number; line: number } {
    const end = this.#end(theme, list, ui)
    if (scroll.follow || scroll.place > end.place) return end
    return scroll.place === end.place && scroll.line > end.line ? end : scroll
  }

  /** The place and line that is at the top when the last line is at the bottom. */
  #end(theme: Theme, list: ItemList, ui: UiState): { place: number; line: number } {
    let room = this.#height
    for (let place = list.count - 1; place >= 0; place--) {
      const { length } = this.#item(theme, list, ui, place).lines
      if (length >= room) return { place, line: length - room }
      room -= length
    }
    return { place: 0, line: 0 }
  }

  #item(theme: Theme, list: ItemList, ui: UiState, place: number): Block {
    const item = list.at(place)
    if (!item) return textBlock([])
    const expanded = isExpanded(ui, item.id)
    const more = list.more?.(item)
    const shape = `${this.#width} ${expanded} ${theme.name} ${theme.color} ${more?.key ?? ''}`
    const kept = this.#kept.get(item.id)
    if (kept?.revision === item.revision && kept.shape === shape) return kept.block
    const block = isStreaming(item)
      ? this.#streaming(theme, item, shape)
      : drawItem(theme, item, { width: this.#width, expanded, ...more })
    this.#keep(item.id, { revision: item.revision, shape, block })
    return block
  }

  #streaming(theme: Theme, item: AgentMessage, shape: string): Block {
    const known = this.#streams.get(item.id)
    const stream =
      known?.shape === shape ? known : { shape, markdown: new StreamingMarkdown(theme, this.#width - 2) }
    if (stream !== known) this.#streams.clear()
    this.#streams.set(item.id, stream)
    const head = theme.wrap('bold', theme.paint('text', item.agent_id ?? 'agent'))
    const text = item.text || (item.reasoning ?? '')
    return stack(textBlock(['', head]), shift(textBlock(stream.markdown.lines(text)), 2))
  }

  #keep(id: string, kept: Kept): void {
    this.#kept.delete(id)
    this.#kept.set(id, kept)
    if (this.#kept.size > KEPT) {
      const oldest = this.#kept.keys().next()
      if (!oldest.done) this.#kept.delete(oldest.value)
    }
  }
}

const isStreaming = (item: TranscriptItem): item is AgentMessage & { streaming: true } =>
  item.kind === 'agent_message' && item.streaming === true

function mark(theme: Theme, lines: string[], query: string): string[] {
  const wanted = query.toLowerCase()
  return lines.map((line) => {
    const plain = stripTerminalSequences(line)
    const lower = plain.toLowerCase()
    if (!lower.includes(wanted) || lower.length !== plain.length) return line
    let out = ''
    let from = 0
    for (let at = lower.indexOf(wanted); at !== -1; at = lower.indexOf(wanted, from)) {
      out += plain.slice(from, at) + theme.wrap('match', plain.slice(at, at + wanted.length))
      from = at + wanted.length
    }
    return out + plain.slice(from)
  })
}
