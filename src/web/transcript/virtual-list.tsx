import {
  type ReactNode,
  type Ref,
  memo,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Heights } from './heights.ts'

interface Props {
  count: number
  /** A key that stays with the row's content. */
  rowKey: (row: number) => string
  row: (row: number) => ReactNode
  /** Something else is shown: start at its end. */
  identity: string
  label: string
  /** Whether new rows are followed, which they are at the end. */
  onFollow: (following: boolean) => void
  /** The beginning is near: more may be put before it. */
  onNearStart?: () => void
  ref: Ref<VirtualListHandle>
}

export interface VirtualListHandle {
  toEnd: () => void
  toStart: () => void
}

const guess = 96
/** Drawn beyond what is seen, above and below. */
const margin = 800
/** How far a row is looked for when others appeared or vanished above it. */
const reach = 2000

/**
 * Draws only the rows near the view. What a person reads never moves: rows above that grow or appear move the scroll
 * position along, and only a person at the end is taken to new ends.
 */
export function VirtualList({ count, rowKey, row, identity, label, onFollow, onNearStart, ref }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const heights = useMemo(() => new Heights(guess), [identity])
  const following = useRef(true)
  const anchor = useRef<{ row: number; key: string }>(undefined)
  const [view, setView] = useState({ top: 0, height: 800 })
  const [, setMeasured] = useState(0)
  const moved = useRef(0)
  const lastTop = useRef(0)

  const shift = anchor.current ? findShift(anchor.current, { count, before: heights.count, rowKey }) : 0
  if (shift !== 0 && anchor.current && heights.count > 0) {
    const before = heights.before(anchor.current.row)
    heights.shift(anchor.current.row, shift)
    anchor.current.row += shift
    moved.current += heights.before(anchor.current.row) - before
  }
  heights.resize(count)

  const follow = useCallback(
    (now: boolean) => {
      if (following.current === now) return
      following.current = now
      onFollow(now)
    },
    [onFollow],
  )

  const look = useCallback(() => {
    const element = frame.current
    if (!element) return
    const { scrollTop, clientHeight, scrollHeight } = element
    // Only a person scrolls up: what arrives meanwhile does not count as leaving the end.
    if (scrollHeight - scrollTop - clientHeight < 40) follow(true)
    else if (scrollTop < lastTop.current - 1) follow(false)
    lastTop.current = scrollTop
    setView((view) =>
      view.top === scrollTop && view.height === clientHeight
        ? view
        : { top: scrollTop, height: clientHeight },
    )
  }, [follow])

  const measure = useCallback(
    (index: number, height: number) => {
      const element = frame.current
      const change = height - heights.get(index)
      if (!element || Math.abs(change) < 0.5) return
      // Rows that appeared above are not scrolled past yet when those that are drawn are measured first.
      const top = element.scrollTop + moved.current
      const isAbove = heights.before(index) + heights.get(index) <= top
      heights.set(index, height)
      if (isAbove && !following.current) {
        if (moved.current === 0) element.scrollTop += change
        else moved.current += change
      }
      setMeasured((times) => times + 1)
    },
    [heights],
  )

  useImperativeHandle(ref, () => ({
    toEnd: () => {
      follow(true)
      if (frame.current) frame.current.scrollTop = frame.current.scrollHeight
    },
    toStart: () => {
      follow(false)
      if (frame.current) frame.current.scrollTop = 0
    },
  }))

  useLayoutEffect(() => {
    anchor.current = undefined
    follow(true)
  }, [identity, follow])

  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    if (following.current) {
      const end = element.scrollHeight - element.clientHeight
      if (Math.abs(element.scrollTop - end) >= 1) element.scrollTop = end
    } else if (moved.current !== 0) {
      element.scrollTop += moved.current
      lastTop.current = element.scrollTop
      setView({ top: element.scrollTop, height: element.clientHeight })
    }
    moved.current = 0
    const first = heights.rowAt(element.scrollTop)
    anchor.current = count > 0 ? { row: first, key: rowKey(first) } : undefined
  })

  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      if (following.current) element.scrollTop = element.scrollHeight
      look()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [look])

  const top = following.current ? view.top : view.top + moved.current
  const isNearStart = top < 3 * view.height
  useEffect(() => {
    if (isNearStart) onNearStart?.()
  }, [isNearStart, onNearStart, count])

  const first = heights.rowAt(Math.max(0, top - margin))
  const last = Math.min(count - 1, heights.rowAt(top + view.height + margin))
  const rows = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
  return (
    <div ref={frame} className="scroller" onScroll={look} tabIndex={0} role="feed" aria-label={label}>
      <div style={{ height: heights.before(first) }} />
      {rows.map((index) => (
        <Row key={rowKey(index)} index={index} count={count} onMeasure={measure}>
          {row(index)}
        </Row>
      ))}
      <div style={{ height: Math.max(0, heights.total - heights.before(last + 1)) }} />
    </div>
  )
}

/** By how many rows the row moved that was on top of the view. */
function findShift(
  { row, key }: { row: number; key: string },
  { count, before, rowKey }: { count: number; before: number; rowKey: (row: number) => string },
): number {
  if (row < count && rowKey(row) === key) return 0
  // Mostly, all that is new was put before it.
  const grown = count - before
  if (grown > 0 && row + grown < count && rowKey(row + grown) === key) return grown
  for (let by = 1; by <= reach; by++) {
    if (row + by < count && rowKey(row + by) === key) return by
    if (row - by >= 0 && row - by < count && rowKey(row - by) === key) return -by
    if (row + by >= count && row - by < 0) break
  }
  return 0
}

interface RowProps {
  index: number
  count: number
  onMeasure: (index: number, height: number) => void
  children: ReactNode
}

const Row = memo(({ index, count, onMeasure, children }: RowProps) => {
  const element = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const node = element.current
    if (!node) return undefined
    onMeasure(index, node.offsetHeight)
    const observer = new ResizeObserver(() => onMeasure(index, node.offsetHeight))
    observer.observe(node)
    return () => observer.disconnect()
  }, [index, onMeasure])
  return (
    <article ref={element} className="row" aria-posinset={index + 1} aria-setsize={count} tabIndex={-1}>
      {children}
    </article>
  )
})
